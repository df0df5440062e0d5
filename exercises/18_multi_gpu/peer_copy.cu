// 18_multi_gpu/peer_copy: peer access, and pieces that travel along devices.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests peer_copy.cu
//        ../../tests/18_multi_gpu/peer_copy_test.cu -o peer_copy
// Run:   ./peer_copy
//
//   v1  produce_and_send: with one piece, all work runs in sequence; with several pieces, copies overlap kernels and each other

#include <algorithm>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/device_guard.hpp"
#include "kit.cuh"

namespace multi_gpu {

__global__ void transform(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2654435761u * in[i] + 12345u;
}

// [open]
bool open_all_ways(int devices) {
    DeviceGuard guard;  // this function makes other devices current

    // TODO(1): Check for all pairs of these devices, in both directions, whether one can access the other's memory. If one cannot,
    // change nothing. About 6 lines.
    KIT_TODO(1, devices);

    // TODO(2): Each device must enable access to all others for its own kernels. If access is enabled already, that is not an
    // error, but the runtime records one: clear it. About 11 lines.
    KIT_TODO(2, devices);

    return true;
}
// [/open]

// v1: one stream computes, one stream for each link sends, and events order them.
// Cost    : every value crosses each link once; all but the last piece cross the first link while kernels run.
// Requires: a kernel is launched while the device of its stream is current; a copy can be queued while any device is current.
// Next    : devices that exchange data in every step; see halo_exchange.cu.
// [send]
void produce_and_send(const Chain& chain, const unsigned* in, unsigned* made, int n, int pieces) {
    DeviceGuard guard;  // this function makes other devices current
    int most = kit::ceil_div(n, pieces);
    int count = kit::ceil_div(n, most);  // pieces that have values
    for (int piece = 0; piece < count; ++piece) {
        int begin = piece * most;
        int size = std::min(most, n - begin);

        // TODO(3): Compute this piece: launch transform() in chain.compute, and record an event after it. 4 lines.
        KIT_TODO(3, chain, in, made, begin, size);

        // TODO(4): Send this piece over every link, in link.copy: from `made` over the first link, and from the previous link's
        // `arrived` over each other link. Each copy waits until its source is complete. About 11 lines, with cudaMemcpyPeerAsync.
        KIT_TODO(4, chain, made, begin, size);
    }

    // TODO(5): On the device at the end of each link, after all pieces have arrived there, launch transform() in link.consumer, from
    // `arrived` to `used`. About 7 lines.
    KIT_TODO(5, chain, count);
}
// [/send]

}  // namespace multi_gpu
