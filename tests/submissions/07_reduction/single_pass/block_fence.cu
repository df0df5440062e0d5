// expect: wrong; task 1; cause: __threadfence
// REGION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence_block();
        is_last = atomicAdd(workspace.ticket, 1u) == gridDim.x - 1;
        __threadfence_block();
    }
    __syncthreads();
