// expect: wrong; task 3; cause: host_total | bytes
// REGION 3
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.download, graph, &nodes.add_up, 1, dag.host_total, dag.total,
                                        sizeof(int), cudaMemcpyDeviceToHost));
    cudaHostNodeParams tell = {dag.tell, dag.context};
    CUDA_CHECK(cudaGraphAddHostNode(&nodes.tell, graph, &nodes.download, 1, &tell));
