// expect: wrong; task 3; cause: race | out of bounds | differ | never written
// REGION 3
    drawn = atomicAdd(workspace.ticket, Word{1});
    if (threadIdx.x == 0 && static_cast<unsigned int>(drawn) == gridDim.x - 1)
        atomicAdd(workspace.ticket, (Word{1} << 32) - gridDim.x);
    __syncthreads();
    int tile = static_cast<int>(drawn & 0xffffffffu);
    unsigned int call = static_cast<unsigned int>(drawn >> 32) & 0x3fffffffu;
