// Mistakes after more barriers, blocks, kernels or copies than a record of the checks can distinguish.
#include <cuda/barrier>

#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

__global__ void at_last(int* out, int rounds) {
    __shared__ int tile[34];
    for (int i = 0; i < rounds; ++i) __syncthreads();
    tile[threadIdx.x] = 1;                      // <-
    out[threadIdx.x] = tile[33 - threadIdx.x];  // <-
}
PLANTED("no barrier, after 100,000 of them", "race", "no barrier between line") {
    Buffer<int> out(34);
    at_last<<<1, 34>>>(out, 100000);
}

__global__ void rounds_of_a_tile(int* out, int rounds) {
    __shared__ int tile[2];
    const unsigned t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        tile[t] = i;
        __syncthreads();
        sum += tile[(t + 1) % 2];
        __syncthreads();
    }
    tile[t] = sum;         // <-
    out[t] = tile[1 - t];  // <-
}
PLANTED("no barrier, after 10,000,000 rounds with two", "race", "no barrier between line") {
    static int calls = 0;
    const bool all = calls++ == 0;  // takes 4 s, so only in the first order
    Buffer<int> out(2);
#ifdef KIT_CPU
    kit::cpu::set_kernel_time_limit(all ? 60 : 10);
#endif
    rounds_of_a_tile<<<1, 2>>>(out, all ? 10'000'000 : 100'000);
}

__global__ void after_warp_barriers(int* out, int rounds) {
    __shared__ int tile[32];
    for (int i = 0; i < rounds; ++i) {
        tile[threadIdx.x] = i;
        __syncwarp(3);
        if (tile[1 - threadIdx.x] != i) __trap();
        __syncwarp(3);
    }
    tile[threadIdx.x] = 1;                     // <-
    out[threadIdx.x] = tile[1 - threadIdx.x];  // <-
}
PLANTED("no __syncwarp, after 200,000 of them", "race", "no barrier between line") {
    Buffer<int> out(2);
    after_warp_barriers<<<1, 2>>>(out, 100000);
}

__global__ void after_phases(int* out, int rounds) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    __shared__ int tile[2];
    auto* const barrier = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) init(barrier, 2);
    __syncthreads();
    for (int i = 0; i < rounds; ++i) {
        tile[threadIdx.x] = i;
        barrier->arrive_and_wait();
        if (tile[1 - threadIdx.x] != i) __trap();
        barrier->arrive_and_wait();
    }
    tile[threadIdx.x] = 1;                     // <-
    out[threadIdx.x] = tile[1 - threadIdx.x];  // <-
}
PLANTED("no barrier, after 200,000 phases of a cuda::barrier", "race", "no barrier between line") {
    Buffer<int> out(2);
    after_phases<<<1, 2>>>(out, 100000);
}

__global__ void after_fences(int* value, int* flag, int rounds) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < rounds; ++i) __threadfence();
        atomicExch(flag, 1);
        *value = 1;  // <-
    } else if (threadIdx.x == 32) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *value = 2;  // <-
    }
}
PLANTED("a write behind its flag, after 200,000 fences", "race", "") {
    Buffer<int> value(1), flag(1);
    after_fences<<<1, 64>>>(value, flag, 200000);
}

__global__ void across_renewal(int* data, int rounds) {
    if (blockIdx.x == 1) data[0] = 1;  // <-
    for (int i = 0; i < rounds; ++i) __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 0) data[0] = 2;  // <-
}
PLANTED("two blocks, one of them 100,000 barriers late", "race", "of block (2,0,0)") {
    Buffer<int> data(1);
    across_renewal<<<3, 1>>>(data, 100000);
}

__global__ void more_blocks_than_numbers(int* data) {
    if (blockIdx.x == 3 || blockIdx.x == gridDim.x - 1) *data = static_cast<int>(blockIdx.x);  // <-
}
PLANTED("two of more than a million blocks", "race", "one of the blocks") {
    Buffer<int> data(1);
    more_blocks_than_numbers<<<(1 << 20) + 9, 1>>>(data);
}

__global__ void nothing() {}
__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;  // <-
}
PLANTED("two streams, after 3,000 kernels", "race", "nothing orders the two kernels") {
    Buffer<int> data(32);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3000; ++i) nothing<<<1, 1, 0, streams[i % 2]>>>();
    cudaDeviceSynchronize();
    put<<<1, 32, 0, streams[0]>>>(data, 1);
    put<<<1, 32, 0, streams[1]>>>(data, 2);
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

__global__ void put_again(int* data, int value) {
    data[threadIdx.x] = value;  // <-
}
PLANTED("two streams, found again and again", "race", "nothing orders the two kernels") {
    Buffer<int> data(32);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 1500; ++i) {
        if (i % 600 == 0) nothing<<<1, 1>>>();
        cudaDeviceSynchronize();
#ifdef KIT_CPU
        // Otherwise no finding would be left for the end.
        if (i > 0 && kit::cpu::take_findings().empty()) break;
#endif
        put_again<<<1, 32, 0, streams[0]>>>(data, 1);
        put_again<<<1, 32, 0, streams[1]>>>(data, 2);
    }
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

CHECKS_MAIN("planted_long")
