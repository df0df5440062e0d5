// expect: wrong; task 3; cause: __ballot_sync
// REGION 3
    if (i >= n) return;
    unsigned int place = take_place(in[i] > 0, count);
    if (in[i] > 0) out[place] = in[i];
