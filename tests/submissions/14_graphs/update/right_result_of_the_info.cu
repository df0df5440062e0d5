// expect: right
// REGION 2
    cudaGraphExecUpdateResultInfo info = {};
    if (server.exec != nullptr) (void)cudaGraphExecUpdate(server.exec, graph, &info);
    if (server.exec == nullptr || info.result != cudaGraphExecUpdateSuccess) {
        cudaGetLastError();
        if (server.exec != nullptr) CUDA_CHECK(cudaGraphExecDestroy(server.exec));
        CUDA_CHECK(cudaGraphInstantiateWithFlags(&server.exec, graph, 0));
    }
