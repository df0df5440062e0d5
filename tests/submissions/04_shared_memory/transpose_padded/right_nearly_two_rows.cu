// expect: right
// REGION 1
    __shared__ float tile[kTile][kTile + 31];
