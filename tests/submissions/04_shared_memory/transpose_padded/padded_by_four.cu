// expect: wrong; task 1; cause: wavefronts
// REGION 1
    __shared__ float tile[kTile][kTile + 4];
