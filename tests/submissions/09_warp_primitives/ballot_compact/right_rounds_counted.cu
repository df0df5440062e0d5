// expect: right
// REGION 1
    return lane == 0 ? 0 : __popc(votes << (32 - lane));
// REGION 2
    int rounds = (columns + 31) / 32;
    while (rounds-- > 0) {
        bool keeps = lane < columns && *(values + lane) > 0;
        unsigned int votes = __ballot_sync(0xffffffff, keeps);
        if (keeps) kept[votes_below(votes, lane)] = values[lane];
        kept += __popc(votes);
        before += __popc(votes);
        values += 32;
        columns -= 32;
    }
