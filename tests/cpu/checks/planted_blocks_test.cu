// Races between blocks of a grid: plain accesses, messages without a fence or an atomic, scopes that are too
// narrow.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "checks.cuh"

// ---- plain accesses ----

__global__ void sum_plainly(int* sum) {
    if (threadIdx.x == 0) *sum += 1;  // <-
}
PLANTED("each block adds to one sum", "race", "nothing orders two blocks") {
    Buffer<int> sum(1);
    sum_plainly<<<4, 32>>>(sum);
}

__global__ void blocks_overlap(int* data) {
    data[blockIdx.x * 31 + threadIdx.x] = static_cast<int>(blockIdx.x);  // <-
}
PLANTED("blocks overlap by one element", "race", "nothing orders two blocks") {
    Buffer<int> data(128);
    blocks_overlap<<<4, 32>>>(data);
}

__global__ void stencil_in_place(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int right = 0;
    if (i + 1 < n) right = data[i + 1];  // <-
    __syncthreads();
    data[i] += right;  // <-
}
PLANTED("a stencil in place: the barrier does not reach the next block", "race", "two blocks") {
    Buffer<int> data(128, 1);
    stencil_in_place<<<4, 32>>>(data, 128);
}

__global__ void two_stages(int* partial, int* out) {
    if (threadIdx.x == 0) partial[blockIdx.x] = 1;  // <-
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // <-
        *out = sum;
    }
}
PLANTED("block 0 adds up what the others have not finished", "race", "two blocks") {
    Buffer<int> partial(4), out(1);
    two_stages<<<4, 32>>>(partial, out);
}

__device__ int shared_counter;
__global__ void count_in_variable() {
    shared_counter = shared_counter + 1;  // <-
}
PLANTED("a __device__ variable counts blocks", "race", "`shared_counter`") {
    count_in_variable<<<4, 1>>>();
}

__global__ void bytes_overlap(char* text) {
    text[blockIdx.x * 2 + threadIdx.x] = static_cast<char>(blockIdx.x);  // <-
}
PLANTED("blocks overlap by one byte", "race", "two blocks") {
    Buffer<char> text(16);
    bytes_overlap<<<4, 3>>>(text);
}

__global__ void vector_over_scalar(float* data) {
    if (blockIdx.x == 0) {
        *reinterpret_cast<float4*>(data) = make_float4(1, 2, 3, 4);  // <-
    } else {
        data[3] = 5;  // <-
    }
}
PLANTED("a float4 covers what another block writes", "race", "two blocks") {
    Buffer<float> data(4);
    vector_over_scalar<<<2, 1>>>(data);
}

__global__ void columns(int* matrix, int width) {
    for (int row = 0; row < 4; ++row) {
        const int column = static_cast<int>(blockIdx.x * 4 + threadIdx.x);
        matrix[row * width + column] = static_cast<int>(blockIdx.x);  // <-
    }
}
PLANTED("a row pitch too small lets blocks meet", "race", "two blocks") {
    Buffer<int> matrix(64);
    columns<<<2, 4>>>(matrix, 4);
}

// ---- atomics mixed with plain accesses ----

__global__ void add_and_look(int* sum, int* out) {
    atomicAdd(sum, 1);       // <-
    out[blockIdx.x] = *sum;  // <-
}
PLANTED("a block reads plainly what others add to", "race", "only one of the two accesses is atomic") {
    Buffer<int> sum(1), out(4);
    add_and_look<<<4, 1>>>(sum, out);
}

__global__ void cleared_by_block_zero(int* sum) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0;  // <-
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, 1);  // <-
}
PLANTED("block 0 clears the sum that all add to", "race", "only one of the two accesses is atomic") {
    Buffer<int> sum(1, 5);
    cleared_by_block_zero<<<4, 32>>>(sum);
}

__global__ void cleared_before_barrier(int* sum) {
    if (blockIdx.x == 0 && threadIdx.x == 1) *sum = 0;  // <-
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, 1);  // <-
}
PLANTED("another thread of block 0 clears the sum that all add to", "race",
        "only one of the two accesses is atomic") {
    Buffer<int> sum(1, 5);
    cleared_before_barrier<<<4, 32>>>(sum);
}

__global__ void narrow_scope(int* sum) {
    atomicAdd_block(sum, 1);  // <-
}
PLANTED("block scope across blocks", "race", "the scope of one does not include the block of the other") {
    Buffer<int> sum(1);
    narrow_scope<<<4, 32>>>(sum);
}

__global__ void one_narrow(int* sum) {
    if (blockIdx.x == 0) {
        atomicAdd_block(sum, 1);  // <-
    } else {
        atomicAdd(sum, 1);  // <-
    }
}
PLANTED("block scope in one block, device scope in the other", "race", "scope") {
    Buffer<int> sum(1);
    one_narrow<<<2, 32>>>(sum);
}

__global__ void narrow_maximum(int* top) {
    atomicMax_block(top, static_cast<int>(blockIdx.x));  // <-
}
PLANTED("a maximum over blocks at block scope", "race", "scope") {
    Buffer<int> top(1);
    narrow_maximum<<<4, 1>>>(top);
}

__global__ void narrow_reference(int* sum) {
    cuda::atomic_ref<int, cuda::thread_scope_block>(*sum).fetch_add(1, cuda::memory_order_relaxed);  // <-
}
PLANTED("a cuda::atomic_ref of block scope across blocks", "race", "both accesses are atomic") {
    Buffer<int> sum(1);
    narrow_reference<<<4, 32>>>(sum);
}

// ---- messages ----

__global__ void last_block_without_fence(int* partial, unsigned* tickets, int* out) {
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = 1;  // <-
    if (atomicInc(tickets, gridDim.x - 1) != gridDim.x - 1) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // <-
    *out = sum;
}
PLANTED("last block done, without fences", "race", "`last_block_without_fence`") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block_without_fence<<<4, 32>>>(partial, tickets, out);
}

__global__ void last_block_narrow_fence(int* partial, unsigned* tickets, int* out) {
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = 1;  // <-
    __threadfence_block();
    const unsigned ticket = atomicInc(tickets, gridDim.x - 1);
    __threadfence_block();
    if (ticket != gridDim.x - 1) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // <-
    *out = sum;
}
PLANTED("last block done, with fences for the block only", "race", "`last_block_narrow_fence`") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block_narrow_fence<<<4, 32>>>(partial, tickets, out);
}

__global__ void last_block_half_fenced(int* partial, unsigned* tickets, int* out) {
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = 1;  // <-
    const unsigned ticket = atomicInc(tickets, gridDim.x - 1);
    __threadfence();
    if (ticket != gridDim.x - 1) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];  // <-
    *out = sum;
}
PLANTED("last block done, the fence after the ticket", "race", "`last_block_half_fenced`") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block_half_fenced<<<4, 32>>>(partial, tickets, out);
}

__global__ void last_block_no_barrier(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = 1;  // <-
    __threadfence();
    if (threadIdx.x == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    if (!last) return;
    for (unsigned b = 0; b < gridDim.x; ++b) atomicAdd(out, partial[b * 64 + threadIdx.x]);  // <-
}
PLANTED("last block done: the ticket is drawn before all threads have written", "race", "two blocks") {
    Buffer<int> partial(256), out(1);
    Buffer<unsigned> tickets(1);
    last_block_no_barrier<<<4, 64>>>(partial, tickets, out);
}

__global__ void last_block_only_releases(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1;  // <-
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*tickets);
        last = ticket.fetch_add(1, cuda::memory_order_release) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);  // <-
}
PLANTED("last block done: the ticket releases, and a barrier follows", "race", "the reader's") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block_only_releases<<<4, 32>>>(partial, tickets, out);
}

__global__ void flag_plain(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;  // <-
    } else {
        *out = *flag;  // <-
    }
}
PLANTED("a flag that is not atomic", "race", "two blocks") {
    Buffer<int> data(1), flag(1), out(1);
    flag_plain<<<2, 1>>>(data, flag, out);
}

__global__ void message_relaxed(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;  // <-
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;  // <-
    }
}
PLANTED("a message that is stored without release", "race", "the writer's") {
    Buffer<int> data(1), flag(1), out(1);
    message_relaxed<<<2, 1>>>(data, flag, out);
}

__global__ void message_not_acquired(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;  // <-
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
        }
        *out = *data;  // <-
    }
}
PLANTED("a message that is loaded without acquire", "race", "the reader's") {
    Buffer<int> data(1), flag(1), out(1);
    message_not_acquired<<<2, 1>>>(data, flag, out);
}

__global__ void message_not_awaited(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;  // <-
        ready.store(1, cuda::memory_order_release);
    } else {
        ready.load(cuda::memory_order_acquire);
        *out = *data;  // <-
    }
}
KNOWN_GAP("a message that is read whether it has come or not",
          "a thread that does not wait goes one of two ways, and a schedule shows one of them") {
    Buffer<int> data(1), flag(1), out(1);
    message_not_awaited<<<2, 1>>>(data, flag, out);
}

__global__ void lock_without_fence(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += 1;  // <-
    atomicExch(lock, 0);
}
PLANTED("a spin lock without fences", "race", "the writer's") {
    Buffer<int> lock(1), sum(1);
    lock_without_fence<<<4, 1>>>(lock, sum);
}

__global__ void lock_unfenced_release(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;  // <-
    atomicExch(lock, 0);
}
PLANTED("a spin lock that is released without a fence", "race", "the writer's") {
    Buffer<int> lock(1), sum(1);
    lock_unfenced_release<<<4, 1>>>(lock, sum);
}

// ---- cooperative grids ----

__global__ void grid_without_sync(int* data, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    data[i] = 1;  // <-
    __syncthreads();
    out[i] = data[n - 1 - i];  // <-
}
PLANTED("__syncthreads() where grid.sync() is needed", "race", "two blocks") {
    Buffer<int> data(128), out(128);
    int *in = data, *to = out;
    void* arguments[] = {&in, &to};
    cudaLaunchCooperativeKernel(grid_without_sync, dim3(4), dim3(32), arguments);
}

__global__ void grid_step_in_place(int* data) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int step = 0; step < 2; ++step) {
        int right = data[(i + 1) % n];  // <-
        data[i] += right;               // <-
        cooperative_groups::this_grid().sync();
    }
}
PLANTED("one grid.sync() too few in each step", "race", "`grid_step_in_place`") {
    Buffer<int> data(128, 1);
    int* in = data;
    void* arguments[] = {&in};
    cudaLaunchCooperativeKernel(grid_step_in_place, dim3(4), dim3(32), arguments);
}

CHECKS_MAIN("planted_blocks")
