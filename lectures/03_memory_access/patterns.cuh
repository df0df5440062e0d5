// The accesses that the demo of 03_memory_access measures: threads 0 to n - 1 each read one element of an array. A rule chooses
// the element. Each thread has four loads in flight, so the bandwidth of memory is the limit, not its latency.
#pragma once

#include <cstddef>

namespace patterns {

constexpr int kThreads = 256;
constexpr int kLoads = 4;

/// Thread i accesses element first + i * stride.
struct Strided {
    std::size_t first, stride;
    __host__ __device__ std::size_t operator()(std::size_t i) const { return first + i * stride; }
};

/// Accesses each element of an array once, in scattered groups of `group` neighbours. `count` is a power of two.
struct Scattered {
    std::size_t count, group;
    __host__ __device__ std::size_t operator()(std::size_t i) const {
        const std::size_t at = (i / group * 0x9e3779b1u) & (count / group - 1);
        return at * group + i % group;
    }
};

/// The lanes of a warp access its 32 elements in permuted order.
struct Permuted {
    __host__ __device__ std::size_t operator()(std::size_t i) const { return i ^ 21; }
};

/// All lanes of a warp access the same element.
struct Alike {
    __host__ __device__ std::size_t operator()(std::size_t i) const { return i / 32 * 8; }
};

/// Each lane of a warp accesses a different sector. The sectors are not in the order of the lanes.
struct Indexed {
    __host__ __device__ std::size_t operator()(std::size_t i) const {
        return i / 32 * 256 + 5 * (i % 32) % 32 * 8;
    }
};

// Without the factor, the compiler would know that no integer equals 0.1234, and remove the load.
inline __device__ float value_of(char v) {
    return 0.3f * static_cast<float>(v);
}
inline __device__ float value_of(short v) {
    return static_cast<float>(v);
}
inline __device__ float value_of(float v) {
    return v;
}
inline __device__ float value_of(double v) {
    return static_cast<float>(v);
}
inline __device__ float value_of(float2 v) {
    return v.x + v.y;
}
inline __device__ float value_of(float4 v) {
    return (v.x + v.y) + (v.z + v.w);
}

/// Makes one access per thread and does nothing else, so that a profiler shows only this access.
// [one_access]
template <class T, class Rule>
__global__ void one_access(const T* in, Rule rule, float* out) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    const float value = value_of(in[rule(i)]);
    if (value == 0.1234f) *out = value;
}
// [/one_access]

/// Reads n elements, and computes a sum that the compiler cannot remove. n is a multiple of kThreads * kLoads.
// [gather]
template <class T, class Rule>
__global__ void gather(const T* in, std::size_t n, Rule rule, float* out) {
    float sum = 0;
    const std::size_t step = std::size_t{gridDim.x} * kThreads * kLoads;
    for (std::size_t base = std::size_t{blockIdx.x} * kThreads * kLoads; base < n; base += step) {
        T value[kLoads];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) value[j] = in[rule(base + j * kThreads + threadIdx.x)];
#pragma unroll
        for (int j = 0; j < kLoads; ++j) sum += value_of(value[j]);
    }
    if (sum == 0.1234f) *out = sum;
}
// [/gather]

/// Writes n elements: out[rule(i)] = i.
template <class Rule>
__global__ void scatter(float* out, std::size_t n, Rule rule) {
    const std::size_t step = std::size_t{gridDim.x} * kThreads;
    for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step)
        out[rule(i)] = static_cast<float>(i);
}

/// Reads all n elements `rounds` times, in passes: pass j reads the elements j, j + stride, j + 2 * stride, ...
/// n / stride is a multiple of kThreads * LOADS.
template <int LOADS>
__global__ void in_passes(const float* in, std::size_t n, std::size_t stride, int rounds, float* out) {
    float sum = 0;
    const std::size_t count = n / stride, step = std::size_t{gridDim.x} * kThreads * LOADS;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t pass = 0; pass < stride; ++pass) {
            for (std::size_t base = std::size_t{blockIdx.x} * kThreads * LOADS; base < count; base += step) {
                float value[LOADS];
#pragma unroll
                for (int j = 0; j < LOADS; ++j)
                    value[j] = in[(base + j * kThreads + threadIdx.x) * stride + pass];
#pragma unroll
                for (int j = 0; j < LOADS; ++j) sum += value[j];
            }
        }
    }
    if (sum == 0.1234f) *out = sum;
}

/// Adds an entry of a small table to each value. Values and results are used once, the table by all warps.
// [hints]
__global__ void add_table(const float* __restrict__ values, std::size_t n, const float* __restrict__ table,
                          float* __restrict__ out) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= n) return;
    const float value = __ldcs(values + i);  // read once: its line may leave the cache first
    __stcs(out + i, value + table[i % 32]);  // written once, and not read again
}
// [/hints]

// [aligned]
struct alignas(16) Pixel {  // without alignas, the alignment of a float: 4
    float red, green, blue, weight;
};

__global__ void darken(const Pixel* in, std::size_t n, Pixel* out) {
    const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= n) return;
    Pixel p = in[i];  // one load of 16 bytes
    out[i] = {0.5f * p.red, 0.5f * p.green, 0.5f * p.blue, p.weight};
}
// [/aligned]

}  // namespace patterns
