// expect: wrong; task 2; cause: __shfl_sync
// REGION 2
    unsigned int leader = __ffs(wanting) - 1;
    unsigned int base = 0;
    if (lane == leader) {
        base = atomicAdd(count, static_cast<unsigned int>(__popc(wanting)));
        base = __shfl_sync(all_lanes, base, leader);
    }
    return base + __popc(wanting & ((1u << lane) - 1));
