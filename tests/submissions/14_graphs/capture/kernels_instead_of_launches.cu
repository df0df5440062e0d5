// expect: wrong; task 3; cause: instances made
// REGION 3
    (void)recording;
    for (int i = 0; i < iterations; ++i) {
        cudaGraphExec_t own = nullptr;
        CUDA_CHECK(cudaGraphInstantiateWithFlags(&own, recording.graph, 0));
        CUDA_CHECK(cudaGraphLaunch(own, stream));
        CUDA_CHECK(cudaGraphExecDestroy(own));
    }
