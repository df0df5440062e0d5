// expect: wrong; task 2; cause: 256
// REGION 2
    cudaError_t error = cudaGetLastError();
    for (int block = 1024; error != cudaSuccess && block > 0; block /= 2) {
        launch(job, block);
        error = cudaGetLastError();
        if (error == cudaSuccess) return false;
    }
    return true;
