// expect: wrong; task 1|2; cause: no barrier
// REGION 1
    if (threadIdx.x == 0)
        for (int bin = 0; bin < kLetterBins; ++bin) own_bins[bin] = 0;
    __syncwarp();
