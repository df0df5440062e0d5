// expect: wrong; task 3; cause: graphs
// REGION 3
    CUDA_CHECK(cudaGraphLaunch(server.exec, stream));
    static cudaGraph_t last = nullptr;
    if (last != nullptr && last != graph) last = graph;
