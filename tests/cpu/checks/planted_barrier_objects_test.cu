// Mistakes with cuda::barrier: a read before the wait, a missing arrival, a barrier that is initialized too
// late.
#include <cuda/barrier>

#include "checks.cuh"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

#define BARRIER(name)                                                       \
    __shared__ alignas(Barrier) unsigned char name##_room[sizeof(Barrier)]; \
    Barrier* const name = reinterpret_cast<Barrier*>(name##_room)

__global__ void read_too_early(int* out) {
    BARRIER(barrier);
    __shared__ int tile[64];
    if (threadIdx.x == 0) init(barrier, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = 1;  // <-
    auto token = barrier->arrive();
    out[threadIdx.x] = tile[63 - threadIdx.x];  // <-
    barrier->wait(static_cast<Barrier::arrival_token&&>(token));
}
PLANTED("between arriving and waiting nothing of the others may be read", "race", "no barrier between line") {
    Buffer<int> out(64);
    read_too_early<<<1, 64>>>(out);
}

__global__ void written_too_late(int* out) {
    BARRIER(barrier);
    __shared__ int tile[64];
    if (threadIdx.x == 0) init(barrier, blockDim.x);
    __syncthreads();
    auto token = barrier->arrive();
    tile[threadIdx.x] = 1;  // <-
    barrier->wait(static_cast<Barrier::arrival_token&&>(token));
    out[threadIdx.x] = tile[63 - threadIdx.x];  // <-
}
PLANTED("what is written after arriving is not ordered by the phase", "race", "no barrier between line") {
    Buffer<int> out(64);
    written_too_late<<<1, 64>>>(out);
}

__global__ void one_too_few() {
    BARRIER(barrier);
    if (threadIdx.x == 0) init(barrier, blockDim.x + 1);
    __syncthreads();
    barrier->arrive_and_wait();  // <-
}
PLANTED("a phase that misses an arrival", "deadlock", "1 of 65 arrivals is missing") {
    one_too_few<<<1, 64>>>();
}

__global__ void set_up_too_late(int* out) {
    BARRIER(barrier);
    if (threadIdx.x == 0) init(barrier, 64);         // <-
    if (threadIdx.x >= 64) (void)barrier->arrive();  // <-
    out[threadIdx.x] = 1;
}
PLANTED("nothing orders the set-up before the first arrival", "race", "there is no barrier between line") {
    Buffer<int> out(128);
    set_up_too_late<<<1, 128>>>(out);
}

__global__ void three_each() {
    BARRIER(barrier);
    if (threadIdx.x == 0) init(barrier, 32);
    __syncthreads();
    (void)barrier->arrive(3);  // <-
}
PLANTED("arrivals that add up to more than the barrier expects", "barrier",
        "expects only 2 more of 32 arrivals") {
    three_each<<<1, 64>>>();
}

CHECKS_MAIN("planted_barrier_objects")
