// expect: wrong; task 3; cause: was refused
// REGION 3
    update<<<block, grid>>>(x, y, first, last, factor);
