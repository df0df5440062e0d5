// 03_memory_access/sectors: how many sectors an access takes: by hand, as a rule, for a launch.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests sectors.cu
//        ../../tests/03_memory_access/sectors_test.cu -o sectors
// Run:   ./sectors
//
//   v1  read_once_v1  one access per thread (given), whose sectors the functions below predict

#include <algorithm>

#include "03_memory_access/03_memory_access.hpp"
#include "kit.cuh"

namespace memory_access {

// v1: a strided read, whose sectors you predict.
// Mapping : one thread per element; thread i reads element first + i * stride.
// Cost    : traffic() below computes it for the loads. The stores of a warp go to neighbours.
// Requires: n may be ragged.
// Next    : a kernel that requests too many sectors; see v2.
// [v1]
template <class T>
__global__ void read_once_v1(const T* in, std::size_t n, std::size_t first, std::size_t stride, T* out) {
    std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i < n) out[i] = in[first + i * stride];
}
// [/v1]

template <class T>
void launch_v1(const T* in, std::size_t n, std::size_t first, std::size_t stride, T* out) {
    if (n == 0) return;
    auto blocks = static_cast<unsigned int>(kit::ceil_div(n, std::size_t{kBlock}));
    read_once_v1<T><<<blocks, kBlock>>>(in, n, first, stride, out);
    CUDA_CHECK_LAUNCH();
}

void read_once(const float* in, std::size_t n, std::size_t first, std::size_t stride, float* out) {
    launch_v1(in, n, first, stride, out);
}

void read_once(const double* in, std::size_t n, std::size_t first, std::size_t stride, double* out) {
    launch_v1(in, n, first, stride, out);
}

// [by_hand]
int by_hand(Pattern pattern) {
    // TODO(1): Draw the 32 lanes over boxes of 32 bytes, and count boxes. Write a switch with one number per pattern. 20 lines.
    KIT_TODO(1, pattern);
    return 0;
}
// [/by_hand]

// The number of sectors depends on all lanes of the warp together, not on each lane alone.
// [sectors]
int sectors(const Request& request) {
    std::uint64_t touched[kLanes];  // the number of a lane's sector: address / kSectorBytes
    int lanes = 0;
    // TODO(2): Store the sector of each active lane (why does no lane touch two?), and count the different ones. About 4 lines.
    KIT_TODO(2, request, touched);
    return lanes;
}

int ideal(const Request& request) {
    std::uint64_t different[kLanes];  // addresses of the active lanes
    int lanes = 0;
    // TODO(3): Count the different addresses, compute how many bytes they have together, and return the smallest number of
    // sectors that can hold that many bytes. About 5 lines.
    KIT_TODO(3, request, different);
    return lanes;
}
// [/sectors]

// [traffic]
Traffic traffic(std::size_t n, std::size_t first, std::size_t stride, int bytes) {
    Traffic all = {};
    for (std::size_t warp = 0; warp * kLanes < n; ++warp) {
        Request request = {};
        request.bytes = bytes;
        // TODO(4): Fill in the active lanes and their addresses (the array begins at 0). Add the request to `all`. About 7 lines.
        KIT_TODO(4, first, stride, request);
    }
    return all;
}
// [/traffic]

}  // namespace memory_access
