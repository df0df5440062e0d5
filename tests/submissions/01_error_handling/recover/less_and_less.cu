// expect: wrong; task 1; cause: reported done, expected repaired
// REGION 1
    while (bytes > 0 && cudaMalloc(scratch, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        bytes /= 2;
    }
    return bytes > 0;
