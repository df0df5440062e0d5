// expect: right
// REGION 2
    const std::size_t step = std::size_t{gridDim.x} * kThreads;
    for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < vectors; i += step) {
        const float4 v = __ldg(in + i);
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
// REGION 3
    double total = 0;
    for (unsigned b = lane; b < gridDim.x; b += 32) total += __ldcg(workspace.partials + b);
    for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(all_lanes, total, offset);
    if (lane == 31) *out = float(total), atomicExch(workspace.ticket, 0u);
