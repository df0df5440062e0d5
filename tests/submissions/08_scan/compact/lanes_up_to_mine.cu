// expect: wrong; task 4; cause: out of bounds | of `out`
// REGION 4
    for (int round = 0; round < kRounds; ++round) {
        if (!(votes[round] >> lane & 1)) continue;
        const int rank = kept_by[round * kWarps + warp] + __popc(votes[round] << (31 - lane));
        out[offsets[blockIdx.x] + rank] = values[round];
    }
