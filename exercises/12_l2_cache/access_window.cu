// 12_l2_cache/access_window: a window over a table that is read again and again.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests access_window.cu
//        ../../tests/12_l2_cache/access_window_test.cu -o access_window
// Run:   ./access_window
//
//   v1  look_up_v1: one key per thread, under a window over the table

#include <algorithm>

#include "12_l2_cache/12_l2_cache.hpp"
#include "kit.cuh"

namespace l2_cache {
namespace {

/// Returns an attribute of the current device that is a number of bytes.
std::size_t bytes_of_device(cudaDeviceAttr attribute) {
    int device = 0, bytes = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, attribute, device));
    return static_cast<std::size_t>(bytes);
}

}  // namespace

// [set_aside]
std::size_t set_aside(std::size_t bytes) {
    std::size_t most = bytes_of_device(cudaDevAttrMaxPersistingL2CacheSize);
    if (most == 0) return 0;
    std::size_t granted = 0;
    // TODO(1): Set the limit to `bytes`, but to no more than the maximum. Then query the limit that is in effect. 2 lines.
    KIT_TODO(1, bytes);
    return granted;
}
// [/set_aside]

// [window_for]
cudaAccessPolicyWindow window_for(void* base, std::size_t bytes, std::size_t aside) {
    std::size_t largest = bytes_of_device(cudaDevAttrMaxAccessPolicyWindowSize);
    cudaAccessPolicyWindow window = {};
    window.base_ptr = base;
    // TODO(2): Set the size, the two properties, and the fraction of the window that fits into the set-aside part. 7 lines.
    KIT_TODO(2, bytes, aside, largest);
    return window;
}
// [/window_for]

// v1: a gather. The keys and the output are used once, and stream through the cache; the table is used many times.
// Mapping : one thread per key.
// Cost    : 8 bytes that stream, and 4 bytes from a sector of the table, which may be in the cache or in memory.
// Requires: keys below the number of entries.
__global__ void look_up_v1(const float* table, const unsigned* keys, std::size_t n, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[keys[i]];
}

// [look_up]
void look_up(const float* table, std::size_t entries, const unsigned* keys, std::size_t n, float* out,
             cudaStream_t stream) {
    if (n == 0) return;
    unsigned blocks = static_cast<unsigned>(kit::ceil_div(n, std::size_t{256}));
    std::size_t aside = 0;
    CUDA_CHECK(cudaDeviceGetLimit(&aside, cudaLimitPersistingL2CacheSize));
    cudaLaunchAttribute attribute = {};
    // TODO(3): Describe a window over the table as an attribute of one launch: its id says which attribute it is, and its member
    // val has the window. A window takes its memory as void*. 3 lines.
    KIT_TODO(3, table, entries, aside, attribute);

    // TODO(4): Launch look_up_v1 with this attribute: fill a cudaLaunchConfig_t, and call cudaLaunchKernelEx. About 7 lines.
    KIT_TODO(4, blocks, keys, out, stream, attribute);
}
// [/look_up]

}  // namespace l2_cache
