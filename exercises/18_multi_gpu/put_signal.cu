// 18_multi_gpu/put_signal: kernels that send to their neighbour with signals.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests put_signal.cu
//        ../../tests/18_multi_gpu/put_signal_test.cu -lnvshmem_host -lnvshmem_device -o put_signal
// Run:   ./put_signal
//
//   v7  shift_right: a payload arrives together with its signal, and a signal back frees its slot

#include <nvshmem.h>
#include <nvshmemx.h>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "kit.cuh"

namespace multi_gpu {

// v7: like a copy for each piece, but the kernels themselves send, wait and continue.
// Mapping : block 0 sends to the right, block 1 receives from the left; one piece at a time, one value per thread.
// Cost    : one put and two signals per piece; the host is not involved.
// Requires: both blocks of all PEs run at the same time: nvshmemx_collective_launch().
// Next    : more slots hide a longer latency.
// [shift]
__global__ void shift(unsigned* slots, uint64_t* arrived, uint64_t* freed, const unsigned* mine,
                      unsigned* out, int n) {
    int me = nvshmem_my_pe();
    int right = (me + 1) % nvshmem_n_pes();
    int left = (me + nvshmem_n_pes() - 1) % nvshmem_n_pes();
    int t = threadIdx.x;
    for (int piece = 0; piece * kBlock < n; ++piece) {
        int slot = piece % kSlots;
        int begin = piece * kBlock;
        int size = min(kBlock, n - begin);
        uint64_t round = piece / kSlots;  // number of earlier uses of this slot
        unsigned* data = slots + slot * kBlock;

        if (blockIdx.x == 0) {
            // TODO(1): Wait until the right neighbour has freed this slot as many times as it has been used; freed[slot] is that
            // count. One thread waits, and the others wait for this thread. 2 lines.
            KIT_TODO(1, freed, slot, round);

            // TODO(2): Put the piece into the right neighbour's slot, and with it set arrived[slot] there to round + 1. 2 lines:
            // all threads call nvshmemx_uint_put_signal_block().
            KIT_TODO(2, data, mine, begin, size, arrived, round, right);
        } else {
            // TODO(3): Wait until the piece has arrived, as in task 1. Make sure that every thread then reads this piece, and not
            // the slot's previous one. About 5 lines.
            KIT_TODO(3, arrived, slot, round);

            if (t < size) out[begin + t] = 3 * data[t] + 1;

            // TODO(4): After all threads have read, give the slot back: add 1 to freed[slot] of the left neighbour. 2 lines.
            KIT_TODO(4, freed, slot, left);
        }
    }
}
// [/shift]

void shift_right(const Ring& ring, const unsigned* mine, unsigned* out, int n, cudaStream_t stream) {
    unsigned* slots = ring.slots;
    uint64_t *arrived = ring.arrived, *freed = ring.freed;
    void* arguments[] = {&slots, &arrived, &freed, &mine, &out, &n};
    nvshmemx_collective_launch(reinterpret_cast<const void*>(shift), 2, kBlock, arguments, 0, stream);
    CUDA_CHECK_LAUNCH();
}

}  // namespace multi_gpu
