// expect: wrong; task 1; cause: several threads | race | twice | values
// REGION 1
    int i = threadIdx.x * gridDim.x + blockIdx.x * blockDim.x;
    if (i < n) c[i] = a[i] + b[i];
