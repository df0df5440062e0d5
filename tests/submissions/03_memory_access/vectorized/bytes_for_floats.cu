// expect: wrong; task 1|2; cause: out of bounds | misaligned | of `out`
// REGION 1
    return (16 - reinterpret_cast<std::uintptr_t>(p) % 16) % 16;
