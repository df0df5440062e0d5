// expect: wrong; task 1; cause: __threadfence
// REGION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        is_last = atomicAdd(workspace.ticket, 1u) + 1 == gridDim.x;
    }
    __syncthreads();
