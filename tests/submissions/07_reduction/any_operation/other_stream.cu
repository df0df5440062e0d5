// expect: wrong; task 4; cause: nothing orders | race | stream
// REGION 4
    static cudaStream_t second = nullptr;
    if (!second) CUDA_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    T identity = operation.template identity<T>();
    int blocks = std::clamp(kit::ceil_div(n, kTile), 1, kMaxBlocks);
    any_operation_v4<<<blocks, kBlock>>>(in, n, operation, identity, partials);
    CUDA_CHECK_LAUNCH();
    any_operation_v4<<<1, kBlock, 0, second>>>(partials, blocks, operation, identity, out);
    CUDA_CHECK_LAUNCH();
