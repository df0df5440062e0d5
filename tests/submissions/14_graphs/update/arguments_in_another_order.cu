// expect: wrong; task 4; cause: never written
// REGION 4
    Batch wanted = batch;
    void* arguments[] = {&wanted.in, &wanted.n, &wanted.out, &wanted.scale};
    cudaKernelNodeParams params = scale_params(wanted, arguments);
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(one.exec, one.node, &params));
