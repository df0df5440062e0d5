// expect: right
// REGION 2
    for (int l = 0; l < kLanes; ++l) {
        if (!request.active[l]) continue;
        const std::uint64_t s = request.address[l] >> 5;
        bool seen = false;
        for (int k = 0; k < lanes; ++k) seen = seen || touched[k] == s;
        if (!seen) touched[lanes++] = s;
    }
    return lanes;
