// expect: wrong; task 1; cause: warp_work is
// REGION 1
    for (int first = 0; first < n; first += kLanes) {
        int most = 0;
        for (int t = first; t < std::min(first + kLanes, n); ++t) {
            most = std::max(most, threads[t].trips);
            work.lanes += threads[t].trips;
        }
        work.issued += most;
    }
