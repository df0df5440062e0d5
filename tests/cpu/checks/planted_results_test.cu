// Structs that a function returns and device code stores. The compiler would let the function write directly
// to the destination.
#include "checks.cuh"

struct Four {
    float x[4];
};
struct Pair {
    Four first;
    int second;
};

__device__ __noinline__ Four make(int v) {
    Four four;
    for (int k = 0; k < 4; ++k) four.x[k] = static_cast<float>(v + k);
    return four;
}

__global__ void all_into_one(Four* out) {
    out[0] = make(threadIdx.x);  // <-
}
PLANTED("every thread stores a returned struct into one place", "race", "writes it") {
    Buffer<Four> out(1);
    all_into_one<<<1, 32>>>(out);
}

__global__ void past_the_end(Four* out) {
    out[threadIdx.x + 1] = make(threadIdx.x);  // <-
}
PLANTED("a returned struct is stored behind the end", "address", "out of bounds") {
    Buffer<Four> out(32);
    past_the_end<<<1, 32>>>(out);
}

__global__ void through_member(Pair* out) {
    out->first = threadIdx.x < 40 ? make(1) : make(2);  // <-
}
PLANTED("a returned struct is stored into a member, by two warps", "race", "no barrier") {
    Buffer<Pair> out(1);
    through_member<<<1, 64>>>(out);
}

__global__ void in_a_list(Pair* out) {
    *out = {make(static_cast<int>(threadIdx.x)), 3};  // <-
}
PLANTED("a returned struct in a braced list", "race", "writes it") {
    Buffer<Pair> out(1);
    in_a_list<<<1, 64>>>(out);
}

__global__ void shared_without_barrier(Four* out) {
    __shared__ Four tile[64];
    tile[threadIdx.x] = make(threadIdx.x);      // <-
    out[threadIdx.x] = tile[63 - threadIdx.x];  // <-
}
PLANTED("returned structs in shared memory, without a barrier", "race", "no barrier between line") {
    Buffer<Four> out(64);
    shared_without_barrier<<<1, 64>>>(out);
}

CHECKS_MAIN("planted_results")
