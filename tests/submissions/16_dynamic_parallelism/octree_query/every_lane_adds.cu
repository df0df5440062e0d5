// expect: wrong; task 1; cause: atomic | of `count` | count | points
// REGION 1
    unsigned int hits = __ballot_sync(0xffffffffu, hit);
    if (hits == 0) return;
    int lane = threadIdx.x % 32;
    int leader = __ffs(hits) - 1;
    int place = 0;
    place = atomicAdd(found.count, __popc(hits));
    place = __shfl_sync(0xffffffffu, place, leader);
    place += __popc(hits & ((1u << lane) - 1));
    if (hit && place < found.capacity) found.points[place] = point;
