// expect: wrong; task 1; cause: warp_work is
// REGION 1
    for (int first = 0; first + kLanes <= n; first += kLanes) {
        int most[2] = {0, 0};
        for (int t = first; t < first + kLanes; ++t) {
            most[threads[t].kind] = std::max(most[threads[t].kind], threads[t].trips);
            work.lanes += threads[t].trips;
        }
        work.issued += most[0] + most[1];
    }
