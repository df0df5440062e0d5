// expect: wrong; task 1; cause: race | before | nobody has written | order
// REGION 1
    if (threadIdx.x == 0) {
        is_last = atomicAdd(workspace.ticket, 1u) == gridDim.x - 1;
        __threadfence();
        workspace.partials[blockIdx.x] = sum;
        __threadfence();
    }
    __syncthreads();
