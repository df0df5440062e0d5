// 22_unified_memory/advise: advice for a table and an inbox.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests advise.cu
//        ../../tests/22_unified_memory/advise_test.cu -o advise
// Run:   ./advise
//
//   v1  advise: a policy for each of two arrays

#include "22_unified_memory/22_unified_memory.hpp"
#include "kit.cuh"

namespace unified_memory {

// v1: advice for the table and the inbox, none for the totals.
// Cost    : a page of the table is copied once; an element of the inbox crosses the bus at each access.
// Requires: a device with concurrent access to managed memory.
// [advise]
void advise(const Arrays& arrays, int device) {
    cudaMemLocation on_device = {cudaMemLocationTypeDevice, device};
    cudaMemLocation on_host = {cudaMemLocationTypeHost, 0};

    // TODO(1): The host and the kernels read the table in every round. Let each of them have its own copy. 1 line.
    KIT_TODO(1, arrays, on_device);

    // TODO(2): The host changes the inbox in every round, and the kernels read only few of its elements. Let its pages stay on the
    // host, and let the device access them without page faults. 2 lines.
    KIT_TODO(2, arrays, on_host, on_device);
}
// [/advise]

void withdraw_advice(const Arrays& arrays, int device) {
    cudaMemLocation on_device = {cudaMemLocationTypeDevice, device};
    cudaMemLocation on_host = {cudaMemLocationTypeHost, 0};
    // TODO(3): Remove all advice that advise() has given. 3 lines.
    KIT_TODO(3, arrays, on_host, on_device);
}

}  // namespace unified_memory
