// expect: wrong; task 2; cause: launch_threads(0)
// REGION 2
    *before = cudaGetLastError();
    do_nothing<<<1, threads>>>();
    const cudaError_t error = cudaGetLastError();
    return threads == 0 ? cudaSuccess : error;
