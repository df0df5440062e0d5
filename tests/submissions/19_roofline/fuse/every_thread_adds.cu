// expect: wrong; task 2|3; cause: `sum` | stored
// REGION 3
    atomicAdd(sum, all + own);
