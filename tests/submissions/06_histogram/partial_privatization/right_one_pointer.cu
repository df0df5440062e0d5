// expect: right
// REGION 1
        if (value < bin_count)
            atomicAdd(unsigned(place) < unsigned(kPrivateBins) ? own_bins + place : bins + value, 1u);
