// expect: wrong; task 5; cause: of `out` differ
// REGION 5
    if (warp == 0) {
        int warp_total = lane < kWarps ? warp_starts[lane] : 0;
        int inclusive = warp_scan(warp_total);
        int tile_sum = __shfl_sync(all_lanes, inclusive, kWarps - 1);
        int before = 0;
        if (lane == 0) tell(workspace.words[tile], make_word(call, tile == 0 ? Status::prefix : Status::prefix, tile_sum));
        if (tile > 0) before = sum_before(workspace.words, tile, call);
        if (lane < kWarps) warp_starts[lane] = before + inclusive - warp_total;
    }
