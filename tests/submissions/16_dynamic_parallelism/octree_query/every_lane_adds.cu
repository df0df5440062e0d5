// expect: wrong; task 1; cause: atomic | of `count` | count | points
// REGION 1
    place = atomicAdd(found.count, __popc(hits));
    place = __shfl_sync(0xffffffffu, place, leader);
    place += __popc(hits & ((1u << lane) - 1));
    if (hit && place < found.capacity) found.points[place] = point;
