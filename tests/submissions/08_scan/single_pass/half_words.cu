// expect: wrong; task 3; cause: bytes | atomic | race | size | half
// REGION 3
    if (threadIdx.x == 0) {
        unsigned int* halves = reinterpret_cast<unsigned int*>(workspace.ticket);
        unsigned int own = atomicAdd(halves, 1u);
        drawn = Word{own} | Word{atomicAdd(halves + 1, 0u)} << 32;
        if (own == gridDim.x - 1) {
            *workspace.ticket = ((drawn >> 32) + 1) << 32;
        }
    }
    __syncthreads();
    int tile = static_cast<int>(drawn & 0xffffffffu);
    unsigned int call = static_cast<unsigned int>(drawn >> 32) & 0x3fffffffu;
