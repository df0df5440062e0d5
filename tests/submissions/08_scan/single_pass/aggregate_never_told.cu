// expect: wrong; task 3; cause: each waits | aggregate | read the word | differ | told
// REGION 3
    if (tile > 0) before = sum_before(workspace.words, tile, call);
    if (lane == 0) tell(workspace.words[tile], make_word(call, Status::prefix, tile_sum));
