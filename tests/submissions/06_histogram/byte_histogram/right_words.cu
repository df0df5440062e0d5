// expect: right
// REGION 2
    unsigned int* const mine = own_bins[threadIdx.x >> 5];
    const std::size_t threads = std::size_t{gridDim.x} * kBlock, me = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    const std::size_t head = min(n, (4 - reinterpret_cast<std::size_t>(data) % 4) % 4), words = (n - head) / 4;
    const uchar4* four = reinterpret_cast<const uchar4*>(data + head);
    for (std::size_t w = me; w < words; w += threads) {
        const uchar4 v = four[w];
        atomicAdd(mine + v.x, 1u), atomicAdd(mine + v.y, 1u), atomicAdd(mine + v.z, 1u), atomicAdd(mine + v.w, 1u);
    }
    for (std::size_t i = me; i < head; i += threads) atomicAdd(mine + data[i], 1u);
    for (std::size_t i = head + 4 * words + me; i < n; i += threads) atomicAdd(mine + data[i], 1u);
