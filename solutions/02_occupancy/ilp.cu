// 02_occupancy/ilp: a quarter of the threads, with four elements each.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests ilp.cu
//        ../../tests/02_occupancy/ilp_test.cu -o ilp
// Run:   ./ilp
//
//   v4  one_each_v4  one element per thread, as many threads as elements (given)
//   v5  ilp_v5       like v4, but with a quarter of the threads, each with four elements in flight

#include <algorithm>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"

namespace occupancy {

// v4: each thread has one load in flight, and nothing else to do until its value arrives.
// Mapping : one thread per element.
// Cost    : 1 read and 1 write per element; the device is full of threads that wait.
// Requires: n can be any size.
// Next    : the threads are needed only to have loads in flight; see v5.
__global__ void one_each_v4(const float* in, std::size_t n, float a, float b, float* out) {
    std::size_t i = std::size_t{blockIdx.x} * kIlpBlock + threadIdx.x;
    if (i < n) out[i] = a * in[i] + b;
}

void one_each(const float* in, std::size_t n, float a, float b, float* out) {
    if (n == 0) return;
    one_each_v4<<<static_cast<unsigned int>(kit::ceil_div(n, kIlpBlock)), kIlpBlock>>>(in, n, a, b, out);
    CUDA_CHECK_LAUNCH();
}

// v5: like v4, but each thread issues four independent loads before it uses the first value.
// Mapping : blocks stride over tiles of kIlp * kIlpBlock elements; thread t takes t, t + 256, t + 512, t + 768 of a tile.
// Cost    : as v4, with a quarter of the threads.
// Requires: n can be any size; the last tile is loaded and stored with guards.
// Next    : section 5 of the lecture shows how many bytes must be in flight; see also v8 of 07_reduction.
// [v5]
__global__ void ilp_v5(const float* in, std::size_t n, float a, float b, float* out) {
    constexpr std::size_t tile = kIlp * kIlpBlock;
    for (std::size_t base = blockIdx.x * tile; base < n; base += gridDim.x * tile) {
        std::size_t first = base + threadIdx.x;
        float value[kIlp] = {};
        // TODO(1): Load the kIlp elements first + j * kIlpBlock into `value`, if they exist. 5 lines.
        // BEGIN SOLUTION 1
#pragma unroll
        for (int j = 0; j < kIlp; ++j) {
            std::size_t i = first + j * kIlpBlock;
            if (i < n) value[j] = in[i];
        }
        // STARTER KIT_TODO(1, in, first, value);
        // END SOLUTION 1

        // TODO(2): Only after all loads, compute and store the kIlp results, if they exist. 5 lines.
        // BEGIN SOLUTION 2
#pragma unroll
        for (int j = 0; j < kIlp; ++j) {
            std::size_t i = first + j * kIlpBlock;
            if (i < n) out[i] = a * value[j] + b;
        }
        // STARTER KIT_TODO(2, a, b, out, first, value);
        // END SOLUTION 2
    }
}
// [/v5]

// [launch]
void ilp(const float* in, std::size_t n, float a, float b, float* out) {
    if (n == 0) return;
    int device = 0;
    int multiprocessors = 0;
    int blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one_each_v4, kIlpBlock, 0));
    std::size_t quarter = std::max(multiprocessors * blocks / 4, 1);
    // TODO(3): Launch a quarter of the blocks that the device holds, or one per tile if that is fewer. 3 lines.
    // BEGIN SOLUTION 3
    std::size_t tiles = kit::ceil_div(n, std::size_t{kIlp * kIlpBlock});
    ilp_v5<<<static_cast<unsigned int>(std::min(tiles, quarter)), kIlpBlock>>>(in, n, a, b, out);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(3, in, n, a, b, out, quarter);
    // END SOLUTION 3
}
// [/launch]

}  // namespace occupancy
