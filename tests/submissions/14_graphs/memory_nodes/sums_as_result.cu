// expect: wrong; task 1; cause: node | freed
// REGION 1
    CUDA_CHECK(cudaMallocAsync(&filter.result, n * sizeof(int), stream));
    add_neighbours<<<blocks, kBlock, 0, stream>>>(in, filter.result, n);
    multiply_neighbours<<<blocks, kBlock, 0, stream>>>(filter.result, filter.result, n);
