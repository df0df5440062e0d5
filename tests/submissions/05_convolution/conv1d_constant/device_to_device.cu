// expect: wrong; task 1; cause: direction | cudaErrorInvalid | host memory | cudaMemcpyDeviceToDevice
// REGION 1
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    void* address = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(&address, constant_mask));
    CUDA_CHECK(cudaMemcpy(address, mask, width * sizeof(float), cudaMemcpyDeviceToDevice));
