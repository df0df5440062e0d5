// expect: wrong; task 4; cause: of `out` differ | race
// REGION 4
    multi_block(sums, blocks, sums, scratch);
    multi_block_v6_add<<<blocks, kBlock>>>(out, n, sums);
    CUDA_CHECK_LAUNCH();
