// Near misses between blocks of a grid and between kernels: fences, scopes and launches that are just
// sufficient.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "checks.cuh"

using Ints = std::vector<int>;

__global__ void sum_atomically(int* sum) {
    if (threadIdx.x == 0) atomicAdd(sum, 1);
}
SILENT("each block adds to one sum atomically") {
    Buffer<int> sum(1);
    sum_atomically<<<4, 32>>>(sum);
    CHECK_EQUAL(sum.read(), Ints{4});
}

__global__ void blocks_abut(int* data) {
    data[blockIdx.x * 32 + threadIdx.x] = static_cast<int>(blockIdx.x);
}
SILENT("blocks write next to each other") {
    Buffer<int> data(128);
    blocks_abut<<<4, 32>>>(data);
    CHECK_EQUAL(data.read()[32], 1);
}

__global__ void bytes_abut(char* text) {
    text[blockIdx.x * 3 + threadIdx.x] = static_cast<char>(blockIdx.x);
}
SILENT("blocks write different bytes of one word") {
    Buffer<char> text(12);
    bytes_abut<<<4, 3>>>(text);
    CHECK_EQUAL(static_cast<int>(text.read()[11]), 3);
}

__global__ void grid_stride(const int* in, int* out, int n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n);
         i += gridDim.x * blockDim.x)
        out[i] = 2 * in[i];
}
SILENT("a grid-stride loop over a ragged length") {
    Buffer<int> in(1000, 1), out(1000);
    grid_stride<<<3, 64>>>(in, out, 1000);
    CHECK_EQUAL(out.read()[999], 2);
}

__global__ void stencil(const int* in, int* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = in[i] + (i + 1 < n ? in[i + 1] : 0);
}
SILENT("a stencil from one array to another, four kernels in a row") {
    Buffer<int> a(128, 1), b(128);
    for (int step = 0; step < 2; ++step) {
        stencil<<<4, 32>>>(a, b, 128);
        stencil<<<4, 32>>>(b, a, 128);
    }
    CHECK_EQUAL(a.read()[0], 16);
}

__global__ void store_partial(int* partial) {
    if (threadIdx.x == 0) partial[blockIdx.x] = 1;
}
__global__ void add_partial(const int* partial, int count, int* out) {
    int sum = 0;
    for (int b = 0; b < count; ++b) sum += partial[b];
    *out = sum;
}
SILENT("a second kernel adds up what the first one wrote") {
    Buffer<int> partial(4), out(1);
    store_partial<<<4, 32>>>(partial);
    add_partial<<<1, 1>>>(partial, 4, out);
    CHECK_EQUAL(out.read(), Ints{4});
}

__device__ int total;
__global__ void clear_total() {
    total = 0;
}
__global__ void raise_total() {
    atomicAdd(&total, 1);
}
__global__ void read_total(int* out) {
    *out = total;
}
SILENT("a __device__ variable: cleared, raised, read by three kernels") {
    Buffer<int> out(1);
    clear_total<<<1, 1>>>();
    raise_total<<<4, 32>>>();
    read_total<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), Ints{128});
}

__global__ void found_somewhere(const int* in, int* found) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0) *found = 1;
}
SILENT("all blocks write the same value") {
    Buffer<int> in(128, 1), found(1);
    found_somewhere<<<4, 32>>>(in, found);
    CHECK_EQUAL(found.read(), Ints{1});
}

__global__ void read_only(const int* in, int* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[0] + in[threadIdx.x];
}
SILENT("all blocks read the same elements") {
    Buffer<int> in(32, 1), out(128);
    read_only<<<4, 32>>>(in, out);
    CHECK_EQUAL(out.read()[127], 2);
}

__global__ void last_block(int* partial, unsigned* tickets, int* out) {
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = 1;
    __threadfence();
    const unsigned ticket = atomicInc(tickets, gridDim.x - 1);
    __threadfence();
    if (ticket != gridDim.x - 1) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *out = sum;
}
SILENT("last block done, a fence on both sides of the ticket") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block<<<4, 32>>>(partial, tickets, out);
    last_block<<<4, 32>>>(partial, tickets, out);
    CHECK_EQUAL(out.read(), Ints{4});
}

__global__ void last_block_of_all(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    for (unsigned b = 0; b < gridDim.x; ++b) atomicAdd(out, partial[b * 64 + threadIdx.x]);
}
SILENT("last block done, all threads write, a barrier before the ticket") {
    Buffer<int> partial(256), out(1);
    Buffer<unsigned> tickets(1);
    last_block_of_all<<<4, 64>>>(partial, tickets, out);
    CHECK_EQUAL(out.read(), Ints{256});
}

__global__ void last_block_writer_fences(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 40) {
        partial[blockIdx.x] = 1;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    if (threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
SILENT("last block done: one thread writes and fences, another draws the ticket") {
    Buffer<int> partial(4), out(1);
    Buffer<unsigned> tickets(1);
    last_block_writer_fences<<<4, 64>>>(partial, tickets, out);
    CHECK_EQUAL(out.read(), Ints{4});
}

__global__ void last_block_one_fence(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    partial[blockIdx.x * 64 + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    for (unsigned b = 0; b < gridDim.x; ++b) atomicAdd(out, partial[b * 64 + threadIdx.x]);
}
SILENT("last block done: the fences of thread 0 speak for the block") {
    Buffer<int> partial(256), out(1);
    Buffer<unsigned> tickets(1);
    last_block_one_fence<<<4, 64>>>(partial, tickets, out);
    CHECK_EQUAL(out.read(), Ints{256});
}

__global__ void last_block_releases_then_fence(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*tickets);
        last = ticket.fetch_add(1, cuda::memory_order_release) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    if (threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
__global__ void last_block_releases_and_acquires(int* partial, unsigned* tickets, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*tickets);
        last = ticket.fetch_add(1, cuda::memory_order_release) == gridDim.x - 1;
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
SILENT("last block done: the ticket releases, and a fence acquires, before or after the barrier") {
    for (const auto kernel : {last_block_releases_then_fence, last_block_releases_and_acquires}) {
        Buffer<int> partial(4), out(1);
        Buffer<unsigned> tickets(1);
        kernel<<<4, 32>>>(partial, tickets, out);
        CHECK_EQUAL(out.read(), Ints{4});
    }
}

__global__ void message(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}
SILENT("a message by release and acquire") {
    Buffer<int> data(1), flag(1), out(1);
    message<<<2, 1>>>(data, flag, out);
    CHECK_EQUAL(out.read(), Ints{42});
}

__global__ void message_fenced(int* data, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
SILENT("a message by fence and atomic") {
    Buffer<int> data(1), flag(1), out(1);
    message_fenced<<<2, 1>>>(data, flag, out);
    CHECK_EQUAL(out.read(), Ints{42});
}

__global__ void message_passed_on(int* data, int* flags, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> first(flags[0]), second(flags[1]);
    if (blockIdx.x == 0) {
        *data = 42;
        first.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1) {
        while (first.load(cuda::memory_order_acquire) == 0) {
        }
        second.store(1, cuda::memory_order_release);
    } else {
        while (second.load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}
SILENT("a message that a third block passes on") {
    Buffer<int> data(1), flags(2), out(1);
    message_passed_on<<<3, 1>>>(data, flags, out);
    CHECK_EQUAL(out.read(), Ints{42});
}

__global__ void message_to_block(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0) ready.store(1, cuda::memory_order_release);
    } else {
        if (threadIdx.x == 0)
            while (ready.load(cuda::memory_order_acquire) == 0) {
            }
        __syncthreads();
        out[threadIdx.x] = data[63 - threadIdx.x];
    }
}
SILENT("one thread speaks for its block, one listens for its block") {
    Buffer<int> data(64), flag(1), out(64);
    message_to_block<<<2, 64>>>(data, flag, out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void lock(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}
SILENT("a spin lock with both fences") {
    Buffer<int> mutex(1), sum(1);
    lock<<<4, 1>>>(mutex, sum);
    CHECK_EQUAL(sum.read(), Ints{4});
}

__global__ void reserve_slots(const int* in, int* count, int* out) {
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value % 2) out[atomicAdd(count, 1)] = value;
}
SILENT("an atomic counter gives each thread a slot of its own") {
    Buffer<int> in(128, 1), count(1), out(128);
    reserve_slots<<<4, 32>>>(in, count, out);
    CHECK_EQUAL(out.read()[127], 1);
}

__global__ void grid_reversed(int* data, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    data[i] = static_cast<int>(i);
    cooperative_groups::this_grid().sync();
    out[i] = data[n - 1 - i];
}
SILENT("grid.sync() orders all blocks") {
    Buffer<int> data(128), out(128);
    int *in = data, *to = out;
    void* arguments[] = {&in, &to};
    cudaLaunchCooperativeKernel(grid_reversed, dim3(4), dim3(32), arguments);
    CHECK_EQUAL(out.read()[0], 127);
}

__global__ void grid_steps(int* data) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int step = 0; step < 2; ++step) {
        const int right = data[(i + 1) % n];
        cooperative_groups::this_grid().sync();
        data[i] += right;
        cooperative_groups::this_grid().sync();
    }
}
SILENT("two grid.sync() in each step") {
    Buffer<int> data(128, 1);
    int* in = data;
    void* arguments[] = {&in};
    cudaLaunchCooperativeKernel(grid_steps, dim3(4), dim3(32), arguments);
    CHECK_EQUAL(data.read()[127], 4);
}

CHECKS_MAIN("silent_blocks")
