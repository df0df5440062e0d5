// expect: wrong; task 1; cause: misaligned
// REGION 1
    std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(in) % 16) % 16;
    if (head > n) head = n;
    std::size_t vectors = (n - head) / 4;
    std::size_t tail = n - head - 4 * vectors;
