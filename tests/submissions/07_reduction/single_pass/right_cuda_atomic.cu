// expect: right
// TOP
#include <cuda/atomic>
// REGION 1
    if (threadIdx.x == 0) {
        workspace.partials[blockIdx.x] = sum;
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ticket(*workspace.ticket);
        is_last = ticket.fetch_add(1, cuda::std::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
// REGION 3
    if (threadIdx.x == kBlock - 1) atomicExch(workspace.ticket, 0u);
