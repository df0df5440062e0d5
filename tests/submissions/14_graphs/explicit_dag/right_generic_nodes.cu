// expect: right
// REGION 3
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(dag.total, sizeof *dag.total, sizeof *dag.total, 1);
    copy.dstPtr = make_cudaPitchedPtr(dag.host_total, sizeof *dag.total, sizeof *dag.total, 1);
    copy.extent = make_cudaExtent(sizeof *dag.total, 1, 1);
    copy.kind = cudaMemcpyDefault;
    CUDA_CHECK(cudaGraphAddMemcpyNode(&nodes.download, graph, &nodes.add_up, 1, &copy));
    cudaHostNodeParams tell = {};
    tell.fn = dag.tell;
    tell.userData = dag.context;
    CUDA_CHECK(cudaGraphAddHostNode(&nodes.tell, graph, nullptr, 0, &tell));
    CUDA_CHECK(cudaGraphAddDependencies(graph, &nodes.download, &nodes.tell, nullptr, 1));
