// expect: wrong; task 3; cause: of `out` differ
// REGION 3
    if (lane == 0) tell(workspace.words[tile], make_word(call, tile == 0 ? Status::prefix : Status::prefix, tile_sum));
    if (tile > 0) before = sum_before(workspace.words, tile, call);
