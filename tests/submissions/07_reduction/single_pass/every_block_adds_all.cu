// expect: wrong; task 1; cause: race | nothing orders
// REGION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(workspace.ticket, 1u);
        is_last = blockIdx.x == gridDim.x - 1;
    }
    __syncthreads();
