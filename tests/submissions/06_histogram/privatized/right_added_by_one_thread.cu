// expect: right
// REGION 3
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        for (unsigned int bin = 0; bin < kLetterBins; ++bin) atomicAdd(bins + bin, own_bins[bin]);
