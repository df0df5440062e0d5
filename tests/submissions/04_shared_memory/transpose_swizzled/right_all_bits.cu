// expect: right
// REGION 1
    at = x ^ y;
