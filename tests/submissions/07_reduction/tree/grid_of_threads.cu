// expect: wrong; task 3; cause: nobody has written
// REGION 3
    if (n == 0) return;
    tree_v3_two_loads<<<kBlock, kit::ceil_div(n, kTile)>>>(in, n, block_sums);
    CUDA_CHECK_LAUNCH();
