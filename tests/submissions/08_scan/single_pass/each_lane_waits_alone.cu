// expect: wrong; task 1; cause: warp | lane | mask | different
// REGION 1
    if (mine >= 0) {
        word = ask(words[mine]);
        while (!__all_sync(all_lanes, status_of(word, call) != Status::none)) word = ask(words[mine]);
    }
