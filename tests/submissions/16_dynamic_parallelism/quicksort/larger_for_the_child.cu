// expect: wrong; task 2; cause: larger | smaller | depth | wait
// REGION 2
            Range smaller = less.count < greater.count ? less : greater;
            Range larger = less.count < greater.count ? greater : less;
            if (smaller.count <= kCutOff) {
                sort_small(data + smaller.first, smaller.count);
                range = larger;
                continue;
            }
            if (threadIdx.x == 0) {
                quicksort_v1<<<1, kSortBlock, 0, cudaStreamFireAndForget>>>(data + larger.first, scratch + larger.first,
                                                                            larger.count);
                refused = cudaGetLastError() != cudaSuccess;
                if (refused) kept[kept_count++] = larger;
            }
            __syncthreads();
            range = smaller;
