// expect: wrong; task 2; cause: of `block_sums` differ
// REGION 2
    float sum = first < n ? in[first] : 0.0f;
    second = first + kTile;
    if (second < n) sum += in[second];
    tile[t] = sum;
    sum = sum_tile(tile);
