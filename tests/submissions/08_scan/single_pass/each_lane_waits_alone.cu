// expect: wrong; task 4; cause: warp | lane | mask | different
// REGION 4
    for (int nearest = tile - 1;; nearest -= 32) {
        int mine = nearest - lane;
        Word word = make_word(call, Status::prefix, 0);
        if (mine >= 0) {
            word = ask(words[mine]);
            while (!__all_sync(all_lanes, status_of(word, call) != Status::none)) word = ask(words[mine]);
        }
        unsigned int prefixes = __ballot_sync(all_lanes, status_of(word, call) == Status::prefix);
        unsigned int counted = prefixes ^ (prefixes - 1);
        sum += warp_sum((counted >> lane & 1) != 0 ? value_of(word) : 0);
        if (prefixes != 0) return sum;
    }
