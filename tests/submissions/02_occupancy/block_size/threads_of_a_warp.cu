// expect: wrong; task 1; cause: bytes
// REGION 1
    return static_cast<std::size_t>(block) * sizeof(int);
