// expect: wrong; task 4; cause: no barrier
// TOP
__device__ int next_place[4096];
// REGION 4
    for (int round = 0; round < kRounds; ++round)
        if (votes[round] >> lane & 1) {
            if (threadIdx.x == 0) next_place[blockIdx.x] = 0;
            out[offsets[blockIdx.x] + atomicAdd(&next_place[blockIdx.x], 1)] = values[round];
        }
