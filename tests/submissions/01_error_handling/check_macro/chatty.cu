// expect: wrong; task 1; cause: must print nothing
// REGION 1
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, expression, cudaGetErrorName(error), cudaGetErrorString(error));
    if (error != cudaSuccess) std::abort();
