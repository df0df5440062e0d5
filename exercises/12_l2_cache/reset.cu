// 12_l2_cache/reset: a cleanup of the L2 cache: nothing persists, nothing stays set aside.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests reset.cu
//        ../../tests/12_l2_cache/reset_test.cu -o reset
// Run:   ./reset
//
//   v4  add_v4, scale_v4: rounds under a window, and then a kernel that needs no window

#include <algorithm>

#include "12_l2_cache/12_l2_cache.hpp"
#include "kit.cuh"

namespace l2_cache {

// v4: one round of look-ups, and the kernel that runs after all rounds.
// Mapping : one thread per element.
// Cost    : a round reads and writes the sums, and reads the table; only the table is worth keeping in the cache.
// Requires: keys below the number of entries.
__global__ void add_v4(const float* table, const unsigned* keys, bool first, std::size_t n, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (first ? 0.0f : out[i]) + table[keys[i]];
}

__global__ void scale_v4(float factor, std::size_t n, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] *= factor;
}

namespace {

/// Sets aside as many bytes of the cache as the table needs, but at most as many as the device allows.
void set_aside_for(std::size_t bytes) {
    int device = 0, most = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::min(bytes, std::size_t(most))));
}

/// Returns the part of `bytes` that one window can cover.
std::size_t fits_a_window(std::size_t bytes) {
    int device = 0, largest = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxAccessPolicyWindowSize, device));
    return std::min(bytes, std::size_t(largest));
}

void set_window(cudaStream_t stream, const float* table, std::size_t bytes, float ratio) {
    cudaStreamAttrValue attribute = {};
    cudaAccessPolicyWindow& window = attribute.accessPolicyWindow;
    window.base_ptr = const_cast<float*>(table);
    window.num_bytes = bytes;
    window.hitRatio = ratio;
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    CUDA_CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
}

}  // namespace

// [reset]
void look_up_and_scale(const float* table, std::size_t entries, const unsigned* keys, int rounds,
                       std::size_t n, float factor, float* out, cudaStream_t stream) {
    std::size_t bytes = fits_a_window(entries * sizeof(float)), before = 0, aside = 0;
    unsigned blocks = static_cast<unsigned>(kit::ceil_div(n, std::size_t{256}));
    // TODO(1): Remember how much of the cache is set aside now. 1 line.
    KIT_TODO(1, before);

    set_aside_for(bytes);
    CUDA_CHECK(cudaDeviceGetLimit(&aside, cudaLimitPersistingL2CacheSize));
    float ratio = static_cast<float>(std::min(1.0, static_cast<double>(aside) / static_cast<double>(bytes)));
    set_window(stream, table, bytes, ratio);
    for (int round = 0; round < rounds; ++round) {
        const unsigned* of_round = keys + static_cast<std::size_t>(round) * n;
        add_v4<<<blocks, 256, 0, stream>>>(table, of_round, round == 0, n, out);
    }
    CUDA_CHECK_LAUNCH();

    // TODO(2): Remove the window, so that the scaling kernel runs without one. 1 line.
    KIT_TODO(2, stream);
    scale_v4<<<blocks, 256, 0, stream>>>(factor, n, out);
    CUDA_CHECK_LAUNCH();

    // TODO(3): Once no kernel is running that makes lines persist, reset these lines, and restore the old limit. 3 lines.
    KIT_TODO(3, before, stream);
}
// [/reset]

}  // namespace l2_cache
