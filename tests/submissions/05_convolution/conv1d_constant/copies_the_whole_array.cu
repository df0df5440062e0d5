// expect: wrong; task 1; cause: out of bounds | beyond | behind | end of
// REGION 1
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    CUDA_CHECK(cudaMemcpyToSymbol(constant_mask, mask, sizeof constant_mask));
