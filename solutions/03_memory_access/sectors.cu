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
    // BEGIN SOLUTION 1
    switch (pattern) {
        case Pattern::bytes_4:
            return 4;
        case Pattern::bytes_1:
            return 1;
        case Pattern::bytes_8:
            return 8;
        case Pattern::bytes_16:
            return 16;
        case Pattern::shifted:
            return 5;
        case Pattern::stride_2:
            return 8;
        case Pattern::permuted:
            return 4;
        case Pattern::alike:
            return 1;
        case Pattern::indexed:
            return 32;
    }
    // STARTER KIT_TODO(1, pattern);
    // END SOLUTION 1
    return 0;
}
// [/by_hand]

// The number of sectors depends on all lanes of the warp together, not on each lane alone.
// [sectors]
int sectors(const Request& request) {
    std::uint64_t touched[kLanes];  // the number of a lane's sector: address / kSectorBytes
    int lanes = 0;
    // TODO(2): Store the sector of each active lane (why does no lane touch two?), and count the different ones. About 4 lines.
    // BEGIN SOLUTION 2
    for (int l = 0; l < kLanes; ++l)
        if (request.active[l]) touched[lanes++] = request.address[l] / kSectorBytes;
    std::sort(touched, touched + lanes);
    return static_cast<int>(std::unique(touched, touched + lanes) - touched);
    // STARTER KIT_TODO(2, request, touched);
    // STARTER return lanes;
    // END SOLUTION 2
}

int ideal(const Request& request) {
    std::uint64_t different[kLanes];  // addresses of the active lanes
    int lanes = 0;
    // TODO(3): Count the different addresses, compute how many bytes they have together, and return the smallest number of
    // sectors that can hold that many bytes. About 5 lines.
    // BEGIN SOLUTION 3
    for (int l = 0; l < kLanes; ++l)
        if (request.active[l]) different[lanes++] = request.address[l];
    std::sort(different, different + lanes);
    int addresses = static_cast<int>(std::unique(different, different + lanes) - different);
    return kit::ceil_div(addresses * request.bytes, kSectorBytes);
    // STARTER KIT_TODO(3, request, different);
    // STARTER return lanes;
    // END SOLUTION 3
}
// [/sectors]

// [traffic]
Traffic traffic(std::size_t n, std::size_t first, std::size_t stride, int bytes) {
    Traffic all = {};
    for (std::size_t warp = 0; warp * kLanes < n; ++warp) {
        Request request = {};
        request.bytes = bytes;
        // TODO(4): Fill in the active lanes and their addresses (the array begins at 0). Add the request to `all`. About 7 lines.
        // BEGIN SOLUTION 4
        for (std::size_t l = 0; l < kLanes; ++l) {
            std::size_t i = warp * kLanes + l;
            request.active[l] = i < n;
            request.address[l] = (first + i * stride) * static_cast<std::size_t>(bytes);
        }
        ++all.requests;
        all.sectors += static_cast<unsigned long long>(sectors(request));
        // STARTER KIT_TODO(4, first, stride, request);
        // END SOLUTION 4
    }
    return all;
}
// [/traffic]

}  // namespace memory_access
