// expect: wrong; task 1; cause: count | points | race
// REGION 1
    if (lane == 0) place = atomicAdd(found.count, __popc(hits));
    place = __shfl_sync(0xffffffffu, place, leader);
    place += __popc(hits & ((1u << lane) - 1));
    if (hit && place < found.capacity) found.points[place] = point;
