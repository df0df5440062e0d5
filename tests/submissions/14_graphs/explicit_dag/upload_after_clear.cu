// expect: wrong; task 1; cause: need not wait
// REGION 1
    cudaMemsetParams zero = {};
    zero.dst = dag.total;
    zero.elementSize = 1;
    zero.width = sizeof *dag.total;
    zero.height = 1;
    CUDA_CHECK(cudaGraphAddMemsetNode(&nodes.clear, graph, nullptr, 0, &zero));
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&nodes.upload, graph, &nodes.clear, 1, dag.in, dag.host_in,
                                        dag.n * sizeof(int), cudaMemcpyHostToDevice));
