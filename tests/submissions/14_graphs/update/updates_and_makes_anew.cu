// expect: wrong; task 2; cause: instances
// REGION 2
    if (server.exec != nullptr) {
        cudaGraphExecUpdateResultInfo info;
        cudaGraphExecUpdate(server.exec, graph, &info);
        cudaGetLastError();
        CUDA_CHECK(cudaGraphExecDestroy(server.exec));
    }
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&server.exec, graph, 0));
