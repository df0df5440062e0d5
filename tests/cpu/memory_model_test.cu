// Fences and messages between threads, warps and blocks.
#include <cuda/atomic>

#include "conformance.cuh"

__device__ unsigned finished_blocks;

__global__ void last_block_sums(const int* in, int n, int* partial, int* out) {
    __shared__ int tile[64];
    __shared__ bool last;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < static_cast<unsigned>(n) ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned k = 0; k < blockDim.x; ++k) sum += tile[k];
        partial[blockIdx.x] = sum;
        __threadfence();  // orders the partial sum before the count
        last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += *const_cast<volatile int*>(&partial[b]);
        *out = sum;
    }
}

CASE("last block done: a fence, a counter, and the last block sums up") {
    const int n = 64 * 41 - 13;
    std::vector<int> in(n);
    int want = 0;
    for (int i = 0; i < n; ++i) want += in[i] = i % 17 - 3;
    Buffer<int> data(in), partial(41), out(1);
    for (int round = 0; round < 3; ++round) {  // the counter has wrapped to 0 after each round
        cudaMemset(out, 0, sizeof(int));
        last_block_sums<<<41, 64>>>(data, n, partial, out);
        CHECK_EQUAL(out.read()[0], want);
    }
}

__global__ void pass_on(int* payload, int* flag, int* out) {
    if (blockIdx.x == 0) {
        payload[0] = 17;
        payload[1] = 18;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        out[0] = *const_cast<volatile int*>(&payload[0]);
        out[1] = *const_cast<volatile int*>(&payload[1]);
    }
}

CASE("a block waits for a message of a block that is resident with it") {
    Buffer<int> payload(2), flag(1), out(2);
    pass_on<<<2, 1>>>(payload, flag, out);
    CHECK_EQUAL(out.read(), std::vector<int>{17, 18});
}

__global__ void warp_to_warp(int* out) {
    __shared__ int payload;
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        payload = 99;
        __threadfence_block();
        atomicExch(&flag, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence_block();
        *out = *const_cast<volatile int*>(&payload);
    }
}

CASE("a warp waits for a message of another warp of its block") {
    Buffer<int> out(1);
    warp_to_warp<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 99);
}

__global__ void locked(int* lock, int* counter) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile int* shared_counter = counter;
    *shared_counter = *shared_counter + 1;
    __threadfence();
    atomicExch(lock, 0);
}

CASE("a spin lock, one thread per warp") {
    Buffer<int> lock(1), counter(1);
    locked<<<20, 96>>>(lock, counter);
    CHECK_EQUAL(counter.read()[0], 60);
}

__global__ void lane_to_lane(int* flag, int* out) {
    // The threads of one warp make progress independently of each other (sm_70 and later).
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        *out = 1;
    } else {
        atomicExch(flag, 1);
    }
}

CASE("a lane may wait for another lane of its own warp") {
    Buffer<int> flag(1), out(1);
    lane_to_lane<<<1, 2>>>(flag, out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void produce(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] = i + 1;
}

__global__ void consume(const int* data, int n, int* out) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = data[n - 1 - i];
}

CASE("a kernel sees everything that the kernel before it wrote") {
    const int n = 5000;
    Buffer<int> data(n), out(n);
    produce<<<40, 128>>>(data, n);
    consume<<<20, 256>>>(data, n, out);
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = n - i;
    CHECK_EQUAL(out.read(), want);
}

__global__ void dynamic_numbers(unsigned* next, unsigned* processed) {
    __shared__ unsigned number;
    if (threadIdx.x == 0) number = atomicAdd(next, 1u);  // blocks can start in any order
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&processed[number], 1u);
}

CASE("blocks draw numbers: each number once") {
    Buffer<unsigned> next(1), processed(100);
    dynamic_numbers<<<100, 32>>>(next, processed);
    CHECK_EQUAL(processed.read(), std::vector<unsigned>(100, 1u));
}

__global__ void sleepers(int* flag, int* out) {
    if (blockIdx.x == 1) {
        atomicExch(flag, 1);
        return;
    }
    while (atomicAdd(flag, 0) == 0) __nanosleep(100);
    *out = 1;
}

CASE("__nanosleep in a waiting loop") {
    Buffer<int> flag(1), out(1);
    sleepers<<<2, 1>>>(flag, out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void system_fence(int* out) {
    out[0] = 1;
    __threadfence_system();
    out[1] = 2;
}

CASE("__threadfence_system") {
    Buffer<int> out(2);
    system_fence<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 2});
}

__global__ void warp_waits_with_a_vote(int* flags) {
    if (blockIdx.x > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[blockIdx.x - 1]);
        int seen;
        do {
            seen = before.load(cuda::memory_order_acquire);
        } while (!__all_sync(0xffffffffu, seen != 0));
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::atomic_ref<int, cuda::thread_scope_device>(flags[blockIdx.x])
            .store(1, cuda::memory_order_release);
}
CASE("whole warps wait for the block before, with a vote in the loop") {
    Buffer<int> flags(4, 0);
    warp_waits_with_a_vote<<<4, 64>>>(flags);
    CHECK_EQUAL(flags.read()[3], 1);
}

CONFORMANCE_MAIN("memory_model")
