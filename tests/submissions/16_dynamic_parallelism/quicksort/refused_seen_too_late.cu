// expect: wrong; task 2; cause: no barrier | race
// REGION 2
            if (threadIdx.x == 0) {
                quicksort_v1<<<1, kSortBlock, 0, cudaStreamFireAndForget>>>(data + smaller.first, scratch + smaller.first,
                                                                            smaller.count);
                refused = cudaGetLastError() != cudaSuccess;
                if (refused) kept[kept_count++] = larger;
            }
            range = refused ? smaller : larger;
