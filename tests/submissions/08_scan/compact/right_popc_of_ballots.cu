// expect: right
// TOP
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
// REGION 1
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int round = 0; round < kRounds; ++round) {
        const int i = blockIdx.x * kBlockTile + round * kBlock + threadIdx.x;
        kept += i < n && keep(in[i]) ? 1 : 0;
    }
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    kept = cooperative_groups::reduce(warp, kept, cooperative_groups::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&sum, kept);
    __syncthreads();
    kept = sum;
