// expect: wrong; task 1; cause: out of bounds
// REGION 1
    int* sums = nullptr;
    CUDA_CHECK(cudaMallocAsync(&sums, n, stream));
    add_neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    CUDA_CHECK(cudaMallocAsync(&filter.result, n * sizeof(int), stream));
    multiply_neighbours<<<blocks, kBlock, 0, stream>>>(sums, filter.result, n);
    CUDA_CHECK(cudaFreeAsync(sums, stream));
