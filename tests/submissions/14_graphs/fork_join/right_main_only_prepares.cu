// expect: right
// REGION 2
    find_total<<<1, kBlock, 0, lanes.side[0]>>>(s.work, s.n, s.total);
    CUDA_CHECK(cudaEventRecord(lanes.done[0], lanes.side[0]));
    find_smallest<<<1, kBlock, 0, lanes.side[1]>>>(s.work, s.n, s.smallest);
    CUDA_CHECK(cudaEventRecord(lanes.done[1], lanes.side[1]));
    find_largest<<<1, kBlock, 0, lanes.main>>>(s.work, s.n, s.largest);
// REGION 3
    for (cudaEvent_t done : lanes.done) CUDA_CHECK(cudaStreamWaitEvent(lanes.main, done));
    combine<<<dim3(blocks), dim3(kBlock), 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));
