// expect: wrong; task 1; cause: nobody has written | before it was written
// REGION 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        c[i] += a[i];
        c[i] += b[i];
    }
