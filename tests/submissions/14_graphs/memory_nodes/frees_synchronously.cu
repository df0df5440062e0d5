// expect: wrong; task 3; cause: stream | freed | still | while | wait
// REGION 3
    if (launched) CUDA_CHECK(cudaFree(filter.result));
    CUDA_CHECK(cudaGraphExecDestroy(filter.exec));
    CUDA_CHECK(cudaGraphDestroy(filter.graph));
