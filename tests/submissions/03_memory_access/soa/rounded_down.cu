// expect: wrong; task 1; cause: floats_needed
// REGION 1
    return n / 32 * 32;
