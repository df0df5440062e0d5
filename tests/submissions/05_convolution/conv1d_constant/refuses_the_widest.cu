// expect: wrong; task 1; cause: cudaErrorInvalidValue, expected cudaSuccess
// REGION 1
    if (width <= 0 || width >= kMaxWidth) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, sizeof(float) * width));
