// expect: wrong; task 2|1; cause: capture
// REGION 2
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    iterate(state, stream);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaStreamEndCapture(stream, &recording.graph));
    CUDA_CHECK(cudaGraphInstantiate(&recording.exec, recording.graph, 0));
