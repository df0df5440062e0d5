// 18_multi_gpu/peer_copy: make values on one GPU and use them on another one; they travel while the next ones are made.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests peer_copy.cu
//        ../../tests/18_multi_gpu/peer_copy_test.cu -o peer_copy
// Run:   ./peer_copy
//
//   v1  produce_and_send: with one piece, everything waits for everything; with several, copies hide behind kernels

#include <algorithm>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "kit.cuh"

namespace multi_gpu {

__global__ void transform(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2654435761u * in[i] + 12345u;
}

// [open]
bool open_both_ways(int a, int b) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));

    // TODO(1): May each of the two touch the other's memory? If one may not, nothing is to be changed. 4 lines.
    // BEGIN SOLUTION 1
    int forth = 0, back = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&forth, a, b));
    CUDA_CHECK(cudaDeviceCanAccessPeer(&back, b, a));
    if (!forth || !back) return false;
    // STARTER KIT_TODO(1, a, b);
    // END SOLUTION 1

    // TODO(2): Open both directions. Each is opened by the device whose kernels shall look into the other one; that it is
    // open already is no error, but it is noted as one: take it away again. About 8 lines.
    // BEGIN SOLUTION 2
    for (int device : {a, b}) {
        CUDA_CHECK(cudaSetDevice(device));
        cudaError_t error = cudaDeviceEnablePeerAccess(device == a ? b : a, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();  // it is noted no longer
        else
            CUDA_CHECK(error);
    }
    // STARTER KIT_TODO(2, a, b);
    // END SOLUTION 2

    CUDA_CHECK(cudaSetDevice(current));
    return true;
}
// [/open]

// v1: one stream makes, another one sends, and events say when.
// Cost    : every value crosses the link once; all but the last piece cross it while kernels run.
// Requires: a kernel is launched while the device of its stream is current; a copy may be queued from anywhere.
// Next    : two devices that need something of each other, again and again; see halo_exchange.cu.
// [send]
void produce_and_send(const Link& link, const unsigned* in, unsigned* made, unsigned* arrived, unsigned* used,
                      int n, int pieces) {
    int current = 0;
    CUDA_CHECK(cudaGetDevice(&current));
    int most = kit::ceil_div(n, pieces);
    for (int piece = 0; piece < pieces && piece * most < n; ++piece) {
        int begin = piece * most;
        int size = std::min(most, n - begin);

        // TODO(3): Make this piece: transform() in link.compute, and an event behind it. 4 lines.
        // BEGIN SOLUTION 3
        CUDA_CHECK(cudaSetDevice(link.from));
        transform<<<kit::ceil_div(size, kBlock), kBlock, 0, link.compute>>>(in + begin, made + begin, size);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaEventRecord(link.produced[piece], link.compute));
        // STARTER KIT_TODO(3, link, in, made, begin, size);
        // END SOLUTION 3

        // TODO(4): Send it in link.copy, when it is made. 3 lines, with cudaMemcpyPeerAsync.
        // BEGIN SOLUTION 4
        CUDA_CHECK(cudaStreamWaitEvent(link.copy, link.produced[piece], 0));
        CUDA_CHECK(cudaMemcpyPeerAsync(arrived + begin, link.to, made + begin, link.from,
                                       size * sizeof(unsigned), link.copy));
        // STARTER KIT_TODO(4, link, made, arrived, begin, size);
        // END SOLUTION 4
    }

    // TODO(5): On link.to, when all has arrived: transform() in link.consumer, from `arrived` to `used`. 5 lines.
    // BEGIN SOLUTION 5
    CUDA_CHECK(cudaEventRecord(link.copied, link.copy));
    CUDA_CHECK(cudaStreamWaitEvent(link.consumer, link.copied, 0));
    CUDA_CHECK(cudaSetDevice(link.to));
    transform<<<kit::ceil_div(n, kBlock), kBlock, 0, link.consumer>>>(arrived, used, n);
    CUDA_CHECK_LAUNCH();
    // STARTER KIT_TODO(5, link, arrived, used);
    // END SOLUTION 5

    CUDA_CHECK(cudaSetDevice(current));
}
// [/send]

}  // namespace multi_gpu
