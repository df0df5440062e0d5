// expect: right
// REGION 1
    (void)coefficients();
    CUDA_CHECK(cudaStreamSynchronize(stream));
// REGION 2
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    iterate(state, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &recording.graph));
    cudaGraphInstantiateParams params = {};
    CUDA_CHECK(cudaGraphInstantiateWithParams(&recording.exec, recording.graph, &params));
    CUDA_CHECK(cudaGraphUpload(recording.exec, stream));
// REGION 4
    cudaGraphExecDestroy(recording.exec);
    cudaGraphDestroy(recording.graph);
