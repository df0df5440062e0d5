// expect: wrong; task 2; cause: __threadfence | fence
// REGION 2
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (atomicAdd(&work.state->ticket, 1u) + 1 != gridDim.x) return;
