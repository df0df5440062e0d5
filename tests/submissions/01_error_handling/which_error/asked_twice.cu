// expect: wrong; task 2; cause: launch_threads(1025) returned cudaSuccess | returned cudaSuccess
// REGION 2
    *before = cudaGetLastError();
    do_nothing<<<1, threads>>>();
    if (cudaGetLastError() != cudaSuccess) return cudaGetLastError();
    return cudaSuccess;
