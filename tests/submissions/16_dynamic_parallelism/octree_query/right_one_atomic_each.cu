// expect: right
// REGION 1
    if (hit) {
        const int mine = atomicAdd(found.count, 1);
        if (mine < found.capacity) found.points[mine] = point;
    }
