// expect: wrong; task 2; cause: the block has | refused
// REGION 2
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&full_grid, &shape.block, count_states_v3, bytes_for(32)));
