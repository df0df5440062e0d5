// expect: wrong; task 3; cause: atomic
// REGION 3
    __syncthreads();
    for (int bin = threadIdx.x; bin < kLetterBins; bin += blockDim.x) bins[bin] += own_bins[bin];
