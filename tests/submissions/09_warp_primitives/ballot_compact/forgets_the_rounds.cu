// expect: wrong; task 2; cause: of `out` | `out` | race | counts
// REGION 2
    for (int first = 0; first < columns; first += kLanes) {
        int column = first + lane;
        int value = column < columns ? values[column] : 0;
        unsigned int votes = __ballot_sync(all_lanes, value > 0);
        if (value > 0) kept[votes_below(votes, lane)] = value;
        before += __popc(votes);
    }
