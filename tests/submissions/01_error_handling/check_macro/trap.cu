// expect: wrong; task 1; cause: ended with signal
// REGION 1
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, expression, cudaGetErrorName(error),
                 cudaGetErrorString(error));
    *(volatile int*)8 = line;
