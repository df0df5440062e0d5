// 18_multi_gpu/peer_copy: peer access, and pieces that travel while the next one is computed.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests peer_copy.cu
//        ../../tests/18_multi_gpu/peer_copy_test.cu -o peer_copy
// Run:   ./peer_copy
//
//   v1  produce_and_send: with one piece, all work runs in sequence; with several pieces, copies overlap kernels

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
bool open_both_ways(int a, int b) {
    DeviceGuard guard;  // this function makes other devices current

    // TODO(1): Check whether each of the two devices can access the other's memory. If one cannot, change nothing. 4 lines.
    // BEGIN SOLUTION 1
    int forth = 0, back = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&forth, a, b));
    CUDA_CHECK(cudaDeviceCanAccessPeer(&back, b, a));
    if (!forth || !back) return false;
    // STARTER KIT_TODO(1, a, b);
    // END SOLUTION 1

    // TODO(2): Enable both directions. Each device must enable access to the other for its own kernels. If access is
    // enabled already, that is not an error, but the runtime records one: clear it. About 8 lines.
    // BEGIN SOLUTION 2
    for (int device : {a, b}) {
        CUDA_CHECK(cudaSetDevice(device));
        cudaError_t error = cudaDeviceEnablePeerAccess(device == a ? b : a, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();  // clears the recorded error
        else
            CUDA_CHECK(error);
    }
    // STARTER KIT_TODO(2, a, b);
    // END SOLUTION 2

    return true;
}
// [/open]

// v1: one stream computes, a second one sends, and events order them.
// Cost    : every value crosses the link once; all but the last piece cross it while kernels run.
// Requires: a kernel is launched while the device of its stream is current; a copy can be queued while any device is current.
// Next    : two devices that exchange data in every step; see halo_exchange.cu.
// [send]
void produce_and_send(const Link& link, const unsigned* in, unsigned* made, unsigned* arrived, unsigned* used,
                      int n, int pieces) {
    DeviceGuard guard;  // this function makes other devices current
    int most = kit::ceil_div(n, pieces);
    for (int piece = 0; piece < pieces && piece * most < n; ++piece) {
        int begin = piece * most;
        int size = std::min(most, n - begin);

        // TODO(3): Compute this piece: launch transform() in link.compute, and record an event after it. 4 lines.
        // BEGIN SOLUTION 3
        CUDA_CHECK(cudaSetDevice(link.from));
        transform<<<kit::ceil_div(size, kBlock), kBlock, 0, link.compute>>>(in + begin, made + begin, size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaEventRecord(link.produced[piece], link.compute));
        // STARTER KIT_TODO(3, link, in, made, begin, size);
        // END SOLUTION 3

        // TODO(4): Send this piece in link.copy after it is computed. 3 lines, with cudaMemcpyPeerAsync.
        // BEGIN SOLUTION 4
        CUDA_CHECK(cudaStreamWaitEvent(link.copy, link.produced[piece], 0));
        CUDA_CHECK(cudaMemcpyPeerAsync(arrived + begin, link.to, made + begin, link.from,
                                       size * sizeof(unsigned), link.copy));
        // STARTER KIT_TODO(4, link, made, arrived, begin, size);
        // END SOLUTION 4
    }

    // TODO(5): On link.to, after all pieces have arrived, launch transform() in link.consumer, from `arrived` to `used`. 5 lines.
    // BEGIN SOLUTION 5
    CUDA_CHECK(cudaEventRecord(link.copied, link.copy));
    CUDA_CHECK(cudaStreamWaitEvent(link.consumer, link.copied, 0));
    CUDA_CHECK(cudaSetDevice(link.to));
    transform<<<kit::ceil_div(n, kBlock), kBlock, 0, link.consumer>>>(arrived, used, n);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(5, link, arrived, used);
    // END SOLUTION 5
}
// [/send]

}  // namespace multi_gpu
