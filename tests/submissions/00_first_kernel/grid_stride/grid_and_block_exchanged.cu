// expect: wrong; task 3; cause: exchanged | cudaErrorInvalid
// REGION 3
    update<<<block, grid>>>(x, y, first, last, factor);
