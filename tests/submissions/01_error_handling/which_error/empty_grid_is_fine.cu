// expect: wrong; task 4; cause: launch_blocks(0)
// REGION 4
    const cudaError_t error = cudaGetLastError();
    return blocks == 0 ? cudaSuccess : error;
