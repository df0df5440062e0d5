// expect: wrong; task 3; cause: values of `counts`
// REGION 3
    shape.grid = int(std::min<std::size_t>((n + shape.block - 1) / shape.block, full_grid));
    count_states_v3<<<shape.grid, shape.block, bytes_for(shape.block)>>>(states, n, counts);
    count_states_v3<<<shape.grid, shape.block, bytes_for(shape.block)>>>(states, n, counts);
    CUDA_CHECK_LAUNCH();
