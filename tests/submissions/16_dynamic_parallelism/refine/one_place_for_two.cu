// expect: wrong; task 1; cause: race | pieces
// REGION 1
    int place = atomicAdd(&work.state->next_count, 1);
    if (place + 2 > work.capacity) return false;
    next[place] = {piece.first, middle};
    next[place + 1] = {middle, piece.last};
    return true;
