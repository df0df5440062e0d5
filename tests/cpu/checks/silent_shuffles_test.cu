// Values that a shuffle reads from a lane outside its mask, and that no thread then uses.
#include "checks.cuh"

__global__ void sum_of_sixteen(int* out) {
    int value = static_cast<int>(threadIdx.x);
    if (threadIdx.x < 16) {
        for (int offset = 8; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffu, value, offset);
        if (threadIdx.x == 0) out[16] = value;
    }
    out[threadIdx.x % 16] = 7;
}
SILENT("the upper lanes of a tree take what is not there, and only lane 0 stores") {
    Buffer<int> out(17);
    sum_of_sixteen<<<1, 16>>>(out);
    CHECK_EQUAL(out.read()[16], 120);
}

__global__ void guarded(const int* in, int n, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
    if (lane >= n) return;
    int value = in[lane];
    for (int offset = 16; offset > 0; offset /= 2) {
        const int other = __shfl_down_sync(mask, value, offset);
        if (lane + offset < n) value += other;
    }
    out[lane] = value;
}
SILENT("a value from beyond the end is taken and dropped") {
    Buffer<int> in(32, 1), out(32);
    guarded<<<1, 32>>>(in, 21, out);
    CHECK_EQUAL(out.read()[0], 21);
}

__global__ void scan(float* out) {
    const int lane = static_cast<int>(threadIdx.x);
    float value = 1.0f;
    for (int offset = 1; offset < 32; offset *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) value += before;
    }
    out[lane] = value;
}
SILENT("a scan by half a warp with the full mask") {
    Buffer<float> out(16);
    scan<<<1, 16>>>(out);
    CHECK_EQUAL(out.read()[15], 16.0f);
}

__global__ void other_things(int* out, const int* in) {
    const int took = __shfl_down_sync(0xffffffffu, in[threadIdx.x], 4);
    const int mine = threadIdx.x < 4 ? took : in[threadIdx.x] * 3;
    out[threadIdx.x] = mine + static_cast<int>(threadIdx.x);
}
SILENT("the last lanes store something else") {
    Buffer<int> in(8, 5), out(8);
    other_things<<<1, 8>>>(out, in);
    CHECK_EQUAL(out.read()[7], 22);
}

CHECKS_MAIN("silent_shuffles")
