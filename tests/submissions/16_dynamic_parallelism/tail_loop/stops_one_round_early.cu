// expect: wrong; task 2; cause: rounds
// REGION 2
    if (state->changed == 0 || state->rounds + 1 >= most_rounds) return;
    ++state->rounds;
    state->changed = 0;
