// expect: wrong; task 3; cause: copied in the stream | nothing orders
// REGION 3
    static cudaStream_t mine = nullptr;
    if (!mine) CUDA_CHECK(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    for (int i = iterations; i-- > 0;) CUDA_CHECK(cudaGraphLaunch(recording.exec, i % 2 ? stream : mine));
