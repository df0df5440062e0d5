// expect: wrong; task 3; cause: context
// REGION 3
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.download, graph, &nodes.add_up, 1, dag.host_total, dag.total,
                                        sizeof *dag.total, cudaMemcpyDeviceToHost));
    cudaHostNodeParams tell = {dag.tell, const_cast<Dag*>(&dag)};
    CUDA_CHECK(cudaGraphAddHostNode(&nodes.tell, graph, &nodes.download, 1, &tell));
