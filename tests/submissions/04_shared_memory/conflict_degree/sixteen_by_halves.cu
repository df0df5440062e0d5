// expect: wrong; task 3; cause: wavefronts is
// REGION 3
    int together = access.bytes <= kWordBytes ? kLanes : kLanes / 2;
    for (int first = 0; first < kLanes; first += together) sum += degree(access, first, together);
