// Atomics of different sizes on the same bytes, which are not atomic with respect to each other (the memory
// model requires complete overlap).
#include <cuda/atomic>

#include "checks.cuh"

__device__ unsigned* low_half(unsigned long long* counter) {
    return reinterpret_cast<unsigned*>(counter);
}

__global__ void half_of_a_counter(unsigned long long* counter) {
    if (threadIdx.x < 32)
        atomicAdd(counter, 1ull);  // <-
    else
        atomicAdd(low_half(counter), 1u);  // <-
}
PLANTED("the lower half of an 8-byte counter is updated as 4 bytes", "race", "different sizes") {
    Buffer<unsigned long long> counter(1);
    half_of_a_counter<<<1, 64>>>(counter);
}

__global__ void other_half_in_shared_memory(unsigned* out) {
    __shared__ unsigned long long both;
    if (threadIdx.x == 0) both = 0;
    __syncthreads();
    if (threadIdx.x == 1) atomicMax(&both, 7ull);              // <-
    if (threadIdx.x == 40) atomicOr(low_half(&both) + 1, 1u);  // <-
    __syncthreads();
    if (threadIdx.x == 0) *out = static_cast<unsigned>(both);
}
PLANTED("the upper half of an 8-byte word in shared memory", "race", "8 bytes") {
    Buffer<unsigned> out(1);
    other_half_in_shared_memory<<<1, 64>>>(out);
}

__global__ void by_blocks(unsigned long long* best) {
    if (blockIdx.x % 2 == 0)
        atomicCAS(best, 0ull, 1ull);  // <-
    else
        atomicExch(low_half(best) + 1, 1u);  // <-
}
PLANTED("two blocks, one with a compare-and-swap of 8 bytes", "race", "4 bytes") {
    Buffer<unsigned long long> best(1);
    by_blocks<<<4, 1>>>(best);
}

__global__ void read_whole(unsigned long long* pair, unsigned long long* out) {
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> whole(*pair);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> half(*low_half(pair));
    if (threadIdx.x == 0) half.store(3, cuda::memory_order_relaxed);         // <-
    if (threadIdx.x == 40) out[0] = whole.load(cuda::memory_order_relaxed);  // <-
}
PLANTED("an atomic load of 8 bytes beside an atomic store of 4", "race", "different sizes") {
    Buffer<unsigned long long> pair(1), out(1);
    read_whole<<<1, 64>>>(pair, out);
}

__global__ void both_by_one_thread(unsigned long long* counter) {
    if (threadIdx.x == 0) {
        atomicAdd(counter, 1ull);  // <-
        atomicAdd(low_half(counter), 1u);
    }
    if (threadIdx.x == 40) atomicAdd(low_half(counter), 1u);  // <-
}
PLANTED("a thread with both sizes, and another one with the smaller", "race", "different sizes") {
    Buffer<unsigned long long> counter(1);
    both_by_one_thread<<<1, 64>>>(counter);
}

__global__ void count_wide(unsigned long long* counter) {
    atomicAdd(counter, 1ull);  // <-
}
__global__ void count_narrow(unsigned long long* counter) {
    atomicAdd(low_half(counter), 1u);  // <-
}
PLANTED("two kernels in two streams", "race", "different sizes") {
    Buffer<unsigned long long> counter(1);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    count_wide<<<1, 1, 0, streams[0]>>>(counter);
    count_narrow<<<1, 1, 0, streams[1]>>>(counter);
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

CHECKS_MAIN("planted_atomic_sizes")
