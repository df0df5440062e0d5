// expect: right
// REGION 2
    int best = 0, multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    for (int block = 1024; block >= 32; block -= 32) {
        int blocks = 0;
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_states_v3, block, bytes_for(block)));
        if (blocks * block > best) best = blocks * block, shape.block = block, full_grid = blocks * multiprocessors;
    }
