// expect: wrong; task 2; cause: edges | chain | waits
// REGION 2
    find_smallest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest);
    find_largest<<<1, kBlock, 0, lanes.side[0]>>>(s.work, s.n, s.largest);
    find_total<<<1, kBlock, 0, lanes.side[0]>>>(s.work, s.n, s.total);
