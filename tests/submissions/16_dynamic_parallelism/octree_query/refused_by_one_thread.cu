// expect: wrong; task 3; cause: lanes | mask | warp | __ballot_sync
// REGION 3
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < refused_count; ++i) search(tree, tree.nodes[refused[i]], box, found, 0, 1);
