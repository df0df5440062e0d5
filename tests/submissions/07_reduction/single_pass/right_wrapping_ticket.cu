// expect: right
// REGION 1
    if (threadIdx.x == 0) {
        __stcg(workspace.partials + blockIdx.x, sum);
        __threadfence();
        is_last = atomicInc(workspace.ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
// REGION 3
