// expect: wrong; task 2; cause: 6 nodes
// REGION 2
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int warm_up = 0; warm_up < 2; ++warm_up) iterate(state, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &recording.graph));
    CUDA_CHECK(cudaGraphInstantiate(&recording.exec, recording.graph, 0));
