// For the demo of 12_l2_cache on a GPU: kernels that are not numbered versions, and control of the set-aside part of the cache.
#pragma once

#include <cuda/annotated_ptr>
#include <functional>

#include "12_l2_cache/12_l2_cache.hpp"
#include "kit.cuh"

namespace {

inline std::size_t most_aside() {
    int bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxPersistingL2CacheSize, 0));
    return static_cast<std::size_t>(bytes);
}

inline void set_aside_bytes(std::size_t bytes) {
    CUDA_CHECK(
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes < most_aside() ? bytes : most_aside()));
}

inline int resident_threads() {
    int processors = 0, threads = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    return processors * threads;
}

/// Times one launch between two events.
inline double event_us(const std::function<void()>& launch) {
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    launch();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return 1000.0 * static_cast<double>(ms);
}

/// Fills `keys` with numbers below `entries` in random order: a hash of the index.
__global__ void make_keys(unsigned* keys, std::size_t n, unsigned entries) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x) {
        unsigned hash = static_cast<unsigned>(i) * 2654435761u;
        hash ^= hash >> 15;
        hash *= 2246822519u;
        hash ^= hash >> 13;
        keys[i] = static_cast<unsigned>(static_cast<unsigned long long>(hash) * entries >> 32);
    }
}

/// The same kernel as v1.
__global__ void gather(const float* table, const unsigned* keys, std::size_t n, float* out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[keys[i]];
}

/// Like v3, but with only the hints that the template arguments select.
template <bool STREAMING, bool PERSISTING, bool DISCARD>
__global__ void sweep_some(const float* in, float* scratch, float* out, l2_cache::Stack stack, float a) {
    using cuda::access_property;
    using Once = std::conditional_t<STREAMING, access_property::streaming, access_property::global>;
    using Kept = std::conditional_t<PERSISTING, access_property::persisting, access_property::global>;
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const bool has_column = x < stack.columns;
    const cuda::annotated_ptr<const float, Once> from(in);
    const cuda::annotated_ptr<float, Kept> kept(scratch);
    const cuda::annotated_ptr<float, Once> to(out);
    float value = 0.0f;
    for (int z = 0; has_column && z < stack.planes; ++z) {
        const std::size_t i = std::size_t(z) * stack.pitch + x;
        value = from[i] + a * value;
        kept[i] = value;
    }
    value = 0.0f;
    for (int z = stack.planes - 1; z >= 0; --z) {
        const std::size_t i = std::size_t(z) * stack.pitch + x;
        if (has_column) {
            value = kept[i] + a * value;
            to[i] = value;
        }
        if constexpr (DISCARD) {
            __syncwarp();
            if (has_column && x % l2_cache::kLine == 0)
                cuda::discard_memory(scratch + i, l2_cache::kLine * sizeof(float));
        }
    }
}

template <bool STREAMING, bool PERSISTING, bool DISCARD>
void sweep_with(const float* in, float* scratch, float* out, const l2_cache::Stack& stack, float a) {
    sweep_some<STREAMING, PERSISTING, DISCARD>
        <<<kit::ceil_div(stack.columns, 128), 128>>>(in, scratch, out, stack, a);
}

/// Makes all lines of the array persist.
__global__ void persist(float* data, std::size_t n) {
    const cuda::annotated_ptr<float, cuda::access_property::persisting> kept(data);
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x)
        kept[i] = 1.0f;
}

__global__ void fill(float* out, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x)
        out[i] = 1.0f;
}

__global__ void copy_all(const float* in, float* out, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
         i += std::size_t{gridDim.x} * blockDim.x)
        out[i] = in[i];
}

__global__ void read_again(const float* in, std::size_t n, int times, float* out) {
    float sum = 0;
    for (int round = 0; round < times; ++round)
        for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
             i += std::size_t{gridDim.x} * blockDim.x)
            sum += __ldcg(in + i);  // reads from L2, past the L1 cache
    if (sum == 0.1234f) *out = sum;
}

}  // namespace
