// expect: wrong; task 3; cause: order | of `out` differ
// REGION 3
    for (int round = 0; round < kRounds; ++round) {
        int i = blockIdx.x * kBlockTile + round * kBlock + threadIdx.x;
        values[round] = i < n ? in[i] : 0;
        votes[round] = __ballot_sync(all_lanes, i < n && keep(values[round]));
        if (lane == 0) kept_by[warp * kRounds + round] = __popc(votes[round]);
    }
