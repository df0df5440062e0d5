// expect: wrong; task 1; cause: did not end
// REGION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(workspace.ticket, 1u);
        while (atomicAdd(workspace.ticket, 0u) < gridDim.x) {
        }
        __threadfence();
        is_last = blockIdx.x == 0;
    }
    __syncthreads();
