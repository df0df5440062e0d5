// Values that a shuffle reads from a lane outside its mask, and that the kernel then computes with or stores.
#include "checks.cuh"

__global__ void sum_of_eight(int* sum) {
    int value = static_cast<int>(threadIdx.x);
    const unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x < 8);
    if (threadIdx.x >= 8) return;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(mask, value, offset);  // <-
    if (threadIdx.x == 0) *sum = value;
}
PLANTED("a sum over a part of the warp begins with half a warp", "warp",
        "took from lane 16: this lane is not in the mask 0x000000ff") {
    Buffer<int> sum(1);
    sum_of_eight<<<1, 32>>>(sum);
    CHECK_EQUAL(sum.read()[0] == 28, false);
}

__global__ void sum_of_floats(float* sums) {
    float value = 1.0f;
    if (threadIdx.x < 24)
        for (int offset = 16; offset > 0; offset /= 2)
            value += __shfl_down_sync(0x00ffffffu, value, offset);  // <-
    if (threadIdx.x == 0) atomicExch(sums, value);
    if (threadIdx.x == 3) sums[1] = 2.0f;
}
PLANTED("24 lanes do not fill a tree of 32", "warp", "so the value is undefined") {
    Buffer<float> sums(2);
    sum_of_floats<<<1, 32>>>(sums);
    CHECK_EQUAL(sums.read()[0] == 24.0f, false);
}

__global__ void largest(unsigned* most) {
    unsigned value = threadIdx.x;
    if (threadIdx.x < 5) {
        value = max(value, __shfl_xor_sync(0x1fu, value, 4));  // <-
        atomicMax(most, value);
    }
}
PLANTED("the partner is not among the lanes", "warp", "this lane is not in the mask 0x0000001f") {
    Buffer<unsigned> most(1);
    largest<<<1, 32>>>(most);
    CHECK_EQUAL(most.read()[0] == 4, false);
}

__global__ void added(int* sum) {
    const int other = __shfl_down_sync(0xffffffffu, static_cast<int>(threadIdx.x), 8);  // <-
    if (threadIdx.x == 15) atomicAdd(sum, other);
}
PLANTED("a block of half a warp: there is no lane 23", "warp", "took from lane 23") {
    Buffer<int> sum(1);
    added<<<1, 16>>>(sum);
    added<<<1, 16>>>(sum);
}

__global__ void sum_of_each_block(int* sums) {
    int value = static_cast<int>(threadIdx.x);
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffu, value, offset);  // <-
    if (threadIdx.x == 0) sums[blockIdx.x] = value;
}
PLANTED("the store is the last thing that a block does, and others follow it", "warp", "took from lane 16") {
    Buffer<int> sums(3);
    sum_of_each_block<<<3, 8>>>(sums);
    CHECK_EQUAL(sums.read()[0] == 28, false);
    CHECK_EQUAL(sums.read()[2] == 28, false);
}

CHECKS_MAIN("planted_shuffles")
