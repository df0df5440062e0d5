// expect: wrong; task 3; cause: the grid has
// REGION 3
    shape.grid = 1;
    count_states_v3<<<shape.grid, shape.block, bytes_for(shape.block)>>>(states, n, counts);
    CUDA_CHECK_LAUNCH();
