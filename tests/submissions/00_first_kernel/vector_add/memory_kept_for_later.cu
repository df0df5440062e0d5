// expect: wrong; task 4; cause: lost | not freed | never freed | leak
// TOP
struct Cache {
    float* a = nullptr; float* b = nullptr; float* c = nullptr; std::size_t bytes = 0;
};
static Cache cache;
// REGION 2
    if (cache.bytes < bytes) {
        cudaFree(cache.a), cudaFree(cache.b), cudaFree(cache.c);
        CUDA_CHECK(cudaMalloc(&cache.a, bytes));
        CUDA_CHECK(cudaMalloc(&cache.b, bytes));
        CUDA_CHECK(cudaMalloc(&cache.c, bytes));
        cache.bytes = bytes;
    }
    device_a = cache.a, device_b = cache.b, device_c = cache.c;
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
// REGION 4
    CUDA_CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost));
