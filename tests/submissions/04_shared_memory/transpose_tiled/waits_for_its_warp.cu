// expect: wrong; task 2; cause: race
// REGION 2
    __syncwarp();
