// expect: right
// REGION 2
    if (lane == 0) {
        for (int mine = tile - 1; mine >= 0; --mine) {
            Word word = ask(words[mine]);
            while (status_of(word, call) == Status::none) {
                __nanosleep(40);
                word = ask(words[mine]);
            }
            sum += value_of(word);
            if (status_of(word, call) == Status::prefix) break;
        }
    }
    return __shfl_sync(all_lanes, sum, 0);
