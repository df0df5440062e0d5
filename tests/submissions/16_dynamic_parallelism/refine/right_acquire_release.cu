// expect: right
// TOP
#include <cuda/atomic>
// REGION 2
    __syncthreads();
    if (threadIdx.x != 0) return;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ticket(work.state->ticket);
    if (ticket.fetch_add(1u, cuda::std::memory_order_acq_rel) + 1u != gridDim.x) return;
