// expect: wrong; task 3; cause: edge | join | wait | race
// REGION 3
    for (cudaStream_t side : lanes.side) CUDA_CHECK(cudaEventRecord(lanes.done[0], side));
    CUDA_CHECK(cudaStreamWaitEvent(lanes.main, lanes.done[0]));
    combine<<<blocks, kBlock, 0, lanes.main>>>(s.work, s.n, s.smallest, s.largest, s.total, s.out);
    CUDA_CHECK(cudaStreamEndCapture(lanes.main, &graph));
