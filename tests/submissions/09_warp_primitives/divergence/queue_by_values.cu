// expect: wrong; task 3|4; cause: race | of `by_value` | out of bounds | never written
// REGION 3
    for (int first = begin; first < begin + kStretch; first += kLanes) {
        int i = first + lane;
        std::uint32_t x = i < n ? in[i] : 0;
        bool climbs = i < n && is_long(x);
        if (i < n && !climbs) out[i] = x;
        unsigned int votes = __ballot_sync(all_lanes, climbs);
        if (climbs) queue[__popc(votes & ((1u << lane) - 1))] = i;
        waiting += __popc(votes);
    }
