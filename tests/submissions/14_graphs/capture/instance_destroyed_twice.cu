// expect: wrong; task 4; cause: destroyed
// REGION 4
    CUDA_CHECK(cudaGraphExecDestroy(recording.exec));
    CUDA_CHECK(cudaGraphDestroy(recording.graph));
    cudaGraphDestroy(recording.graph);
