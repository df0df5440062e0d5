// expect: wrong; task 1; cause: of `bins` differ
// REGION 1
    unsigned int carry = (sum & a) | (a & b);
    sum = sum ^ a ^ b;
    return carry;
