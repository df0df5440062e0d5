// expect: wrong; task 2; cause: nobody has written | never written | before it was written
// REGION 2
    float** vectors[] = {&device_a, &device_b, &device_c};
    for (float** vector : vectors) CUDA_CHECK(cudaMalloc(vector, bytes));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_a, b, bytes, cudaMemcpyHostToDevice));
