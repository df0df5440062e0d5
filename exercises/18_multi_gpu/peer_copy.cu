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
    KIT_TODO(1, a, b);

    // TODO(2): Open both directions. Each is opened by the device whose kernels shall look into the other one; that it is
    // open already is no error, but it is noted as one: take it away again. About 8 lines.
    KIT_TODO(2, a, b);

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
        KIT_TODO(3, link, in, made, begin, size);

        // TODO(4): Send it in link.copy, when it is made. 3 lines, with cudaMemcpyPeerAsync.
        KIT_TODO(4, link, made, arrived, begin, size);
    }

    // TODO(5): On link.to, when all has arrived: transform() in link.consumer, from `arrived` to `used`. 5 lines.
    KIT_TODO(5, link, arrived, used);

    CUDA_CHECK(cudaSetDevice(current));
}
// [/send]

}  // namespace multi_gpu
