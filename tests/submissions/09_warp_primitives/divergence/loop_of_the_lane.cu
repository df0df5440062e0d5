// expect: wrong; task 3; cause: __ballot_sync()
// REGION 3
    for (int i = begin + lane; i < begin + kStretch && i < n; i += kLanes) {
        bool climbs = is_long(in[i]);
        if (!climbs) out[i] = in[i];
        unsigned int votes = __ballot_sync(all_lanes, climbs);
        if (climbs) queue[waiting + __popc(votes & ((1u << lane) - 1))] = i;
        waiting += __popc(votes);
    }
