// Correct programs that are similar to planted_results_test.cu, and assignments in unusual forms.
#include "checks.cuh"

struct alignas(16) Four {
    float x[4];
    __device__ static Four of(float v) { return {v, v, v, v}; }
    Four() = default;
    __device__ Four(float a, float b, float c, float d) : x{a, b, c, d} {}
};
struct Plain {
    float x[4];
    int tag;
};

__device__ __noinline__ Plain make(const float* p, int tag = static_cast<int>(sizeof(Plain))) {
    Plain plain;
    for (int k = 0; k < 4; ++k) plain.x[k] = p[k];
    plain.tag = tag;
    return plain;
}
template <class T, int N>
__device__ T* offset(T* p) {
    return p + N;
}

__global__ void all_written(const float* in, Plain* mid, float* out) {
    __shared__ Plain tile[32];
    tile[threadIdx.x] = make(in + 4 * threadIdx.x);
    mid[threadIdx.x] = make(in + 4 * threadIdx.x, 2);
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1].x[0];
}
SILENT("returned structs in shared and in global memory") {
    Buffer<float> in(128, 1), out(32);
    Buffer<Plain> mid(32);
    all_written<<<1, 32>>>(in, mid, out);
    CHECK_EQUAL(out.read()[5], 1.0f);
    CHECK_EQUAL(mid.read()[31].tag, 2);
}

__global__ void forms(const float* in, Plain* out, Four* fours, int* flags) {
    const int i = static_cast<int>(threadIdx.x);
    int least = 0, most = 0, x = max(i, 3);
    const Plain& bound = make(in);
    Plain copy = make(in), braced{make(in)}, *p = offset<Plain, 1>(out);
    (p - 1)[2 * i] = copy;
    if (i == 0) *(p - 1) = *p = make(in, 5);
    least = most = min(x, i), x >>= abs(1), x += abs(x);
    for (int k = abs(i); k < 40; k = max(k + 1, 35)) least = k >= abs(i) ? max(k, 1) : min(k, 2);
    const auto twice = [v = abs(i)](int w) { return v + w; };
    int (*pointer)(int) = nullptr;
    pointer = static_cast<int (*)(int)>(nullptr);
    fours[i] = Four::of(1.0f);
    fours[i] = {sqrtf(4.0f), fmaxf(1.0f, 2.0f), 0.0f, copy.x[0]};
    switch (i) {
        case 0:
            x = twice(most);
            break;
        default:
            x = pointer ? pointer(1) : twice(least);
    }
    flags[i] = bound.tag + braced.tag + x;
    unsigned long long wide;
    wide = static_cast<unsigned long long>(clock64()) ? 0 : 1;
    flags[i] += static_cast<int>(wide);
}
SILENT("assignments, declarations and lists of many forms") {
    Buffer<float> in(4, 2);
    Buffer<Plain> out(64);
    Buffer<Four> fours(32);
    Buffer<int> flags(32);
    forms<<<1, 32>>>(in, out, fours, flags);
    CHECK_EQUAL(out.read()[0].tag, 5);
    CHECK_EQUAL(out.read()[62].x[3], 2.0f);
    CHECK_EQUAL(fours.read()[31].x[0], 2.0f);
}

CHECKS_MAIN("silent_results")
