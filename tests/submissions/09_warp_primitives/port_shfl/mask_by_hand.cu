// expect: wrong; task 2|3; cause: __shfl_up_sync
// REGION 2
    unsigned int staying = (1u << (n % 32)) - 1;
