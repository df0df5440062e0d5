// expect: wrong; task 4; cause: shfl_xor
// REGION 4
    if (i >= n) return;
    int value = in[i];
    for (int offset = kTile / 2; offset > 0; offset /= 2) value = max(value, tile.shfl_xor(value, offset));
    out[i] = value;
