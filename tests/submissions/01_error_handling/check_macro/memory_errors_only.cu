// expect: wrong; task 1; cause: went on as if nothing had happened
// REGION 1
    switch (error) {
        case cudaErrorMemoryAllocation:
        case cudaErrorInvalidValue:
        case cudaErrorInvalidDevice:
            std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, expression,
                         cudaGetErrorName(error), cudaGetErrorString(error));
            std::exit(2);
        default: break;
    }
