// expect: wrong; task 2; cause: of `out` differ | differs
// REGION 2
    for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < vectors; i += std::size_t{gridDim.x} * kVectors)
        sum = sum + in[i];
