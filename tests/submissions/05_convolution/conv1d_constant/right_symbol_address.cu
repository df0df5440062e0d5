// expect: right
// REGION 1
    if (width < 1) return cudaErrorInvalidValue;
    if (width > kMaxWidth) return cudaErrorInvalidValue;
    float* device_mask = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&device_mask), constant_mask));
    CUDA_CHECK(cudaMemcpy(device_mask, mask, width * sizeof *mask, cudaMemcpyHostToDevice));
