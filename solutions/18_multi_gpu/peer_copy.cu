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
    // BEGIN SOLUTION 1
    for (int device = 0; device < devices; ++device)
        for (int peer = 0; peer < devices; ++peer) {
            int possible = device == peer;
            if (device != peer) CUDA_CHECK(cudaDeviceCanAccessPeer(&possible, device, peer));
            if (!possible) return false;
        }
    // STARTER KIT_TODO(1, devices);
    // END SOLUTION 1

    // TODO(2): Each device must enable access to all others for its own kernels. If access is enabled already, that is not an
    // error, but the runtime records one: clear it. About 11 lines.
    // BEGIN SOLUTION 2
    for (int device = 0; device < devices; ++device) {
        CUDA_CHECK(cudaSetDevice(device));
        for (int peer = 0; peer < devices; ++peer) {
            if (peer == device) continue;
            cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
            if (error == cudaErrorPeerAccessAlreadyEnabled)
                cudaGetLastError();  // clears the recorded error
            else
                CUDA_CHECK(error);
        }
    }
    // STARTER KIT_TODO(2, devices);
    // END SOLUTION 2

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
        // BEGIN SOLUTION 3
        CUDA_CHECK(cudaSetDevice(chain.first));
        transform<<<kit::ceil_div(size, kBlock), kBlock, 0, chain.compute>>>(in + begin, made + begin, size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaEventRecord(chain.produced[piece], chain.compute));
        // STARTER KIT_TODO(3, chain, in, made, begin, size);
        // END SOLUTION 3

        // TODO(4): Send this piece over every link, in link.copy: from `made` over the first link, and from the previous link's
        // `arrived` over each other link. Each copy waits until its source is complete. About 11 lines, with cudaMemcpyPeerAsync.
        // BEGIN SOLUTION 4
        const unsigned* source = made;
        cudaEvent_t complete = chain.produced[piece];
        for (int i = 0; i < chain.count; ++i) {
            const Link& link = chain.links[i];
            CUDA_CHECK(cudaStreamWaitEvent(link.copy, complete, 0));
            CUDA_CHECK(cudaMemcpyPeerAsync(link.arrived + begin, link.to, source + begin, link.from,
                                           size * sizeof(unsigned), link.copy));
            CUDA_CHECK(cudaEventRecord(link.sent[piece], link.copy));
            source = link.arrived;
            complete = link.sent[piece];
        }
        // STARTER KIT_TODO(4, chain, made, begin, size);
        // END SOLUTION 4
    }

    // TODO(5): On the device at the end of each link, after all pieces have arrived there, launch transform() in link.consumer, from
    // `arrived` to `used`. About 7 lines.
    // BEGIN SOLUTION 5
    for (int i = 0; i < chain.count; ++i) {
        const Link& link = chain.links[i];
        CUDA_CHECK(cudaStreamWaitEvent(link.consumer, link.sent[count - 1], 0));
        CUDA_CHECK(cudaSetDevice(link.to));
        transform<<<kit::ceil_div(n, kBlock), kBlock, 0, link.consumer>>>(link.arrived, link.used, n);
        CUDA_CHECK_LAUNCH();
    }
    // STARTER KIT_TODO(5, chain, count);
    // END SOLUTION 5
}
// [/send]

}  // namespace multi_gpu
