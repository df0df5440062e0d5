// expect: right
// REGION 1
    const unsigned long long thread = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
// REGION 2
    auto i = first + thread;
    while (i < last) {
        atomicAdd(y + i, factor * __ldg(x + i));
        i += threads;
    }
// REGION 3
    void* arguments[] = {&x, &y, &first, &last, &factor};
    CUDA_CHECK(cudaLaunchKernel((const void*)update, dim3(grid), dim3(block), arguments, 0, nullptr));
