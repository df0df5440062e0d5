// expect: wrong; task 1; cause: race | nothing orders | stream
// REGION 1
    if (width < 1 || width > kMaxWidth) return cudaErrorInvalidValue;
    static cudaStream_t side = nullptr;
    static float* pinned = nullptr;
    if (!side) CUDA_CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    if (!pinned) CUDA_CHECK(cudaMallocHost(&pinned, sizeof constant_mask));
    for (int k = 0; k < width; ++k) pinned[k] = mask[k];
    CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_mask, pinned, width * sizeof(float), 0, cudaMemcpyHostToDevice, side));
