// expect: wrong; task 3; cause: the operator learns nothing
// REGION 3
    if (int error = cudaDeviceSynchronize()) {
        std::fprintf(stderr, "job %d failed with error %d\n", i, error);
        return Report{Ending::lost, i};
    }
