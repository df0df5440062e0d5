// expect: wrong; task 2|3; cause: wait
// REGION 2
    CUDA_CHECK(cudaStreamSynchronize(stream));
    cudaGraphExecUpdateResultInfo info;
    if (server.exec && cudaGraphExecUpdate(server.exec, graph, &info) != cudaSuccess) {
        cudaGetLastError();
        CUDA_CHECK(cudaGraphExecDestroy(server.exec));
        server.exec = nullptr;
    }
    if (!server.exec) CUDA_CHECK(cudaGraphInstantiate(&server.exec, graph, 0));
