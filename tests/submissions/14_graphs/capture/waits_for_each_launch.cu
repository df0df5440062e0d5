// expect: wrong; task 3; cause: wait
// REGION 3
    for (int i = 0; i < iterations; ++i) {
        CUDA_CHECK(cudaGraphLaunch(recording.exec, stream));
        while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        }
    }
