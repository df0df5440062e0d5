// expect: right
// REGION 3
    for (int k = 0; k < width; ++k) padded.weight[(WIDTH - width) / 2 + k] = mask[k];
