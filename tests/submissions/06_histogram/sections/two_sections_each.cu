// expect: wrong; task 2; cause: of `bins` differ
// REGION 2
    std::size_t length = n / threads + 1;
    return {min(n, thread * length), min(n, (thread + 2) * length)};
