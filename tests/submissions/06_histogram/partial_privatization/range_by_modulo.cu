// expect: wrong; task 1; cause: of `bins` differ
// REGION 1
        if (value < bin_count) atomicAdd(place >= 0 ? &own_bins[place % kPrivateBins] : &bins[value], 1u);
