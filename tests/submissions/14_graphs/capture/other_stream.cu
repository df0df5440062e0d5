// expect: wrong; task 3; cause: stream | race | nothing orders | wait
// REGION 3
    static cudaStream_t mine = nullptr;
    if (!mine) CUDA_CHECK(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    for (int i = iterations; i-- > 0;) CUDA_CHECK(cudaGraphLaunch(recording.exec, i % 2 ? mine : stream));
