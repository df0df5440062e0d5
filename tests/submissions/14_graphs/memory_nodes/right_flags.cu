// expect: right
// REGION 1
    int* sums = nullptr;
    CUDA_CHECK(cudaMallocAsync(&filter.result, n * sizeof(int), stream));
    CUDA_CHECK(cudaMallocAsync(&sums, n * sizeof *sums, stream));
    add_neighbours<<<blocks, kBlock, 0, stream>>>(in, sums, n);
    multiply_neighbours<<<blocks, kBlock, 0, stream>>>(sums, filter.result, n);
    CUDA_CHECK(cudaFreeAsync(sums, stream));
// REGION 2
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&filter.exec, filter.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
