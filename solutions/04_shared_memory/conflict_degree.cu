// 04_shared_memory/conflict_degree: the wavefronts of a warp's access, on the host.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests conflict_degree.cu
//        ../../tests/04_shared_memory/conflict_degree_test.cu -o conflict_degree
// Run:   ./conflict_degree
//
//   v1  wavefronts: accesses to different words of one bank wait for each other
//   and one_store, the kernel that performs an access, so that a profiler can count it (given)

#include <algorithm>

#include "04_shared_memory/04_shared_memory.hpp"
#include "kit.cuh"

namespace shared_memory {

// v1: how the hardware processes the addresses of one instruction.
// [bank_of]
int bank_of(int offset) {
    int bank = 0;
    // TODO(1): Compute which word of shared memory is at this offset, and which bank holds this word. 1 line.
    // BEGIN SOLUTION 1
    bank = offset / kWordBytes % kBanks;
    // STARTER KIT_TODO(1, offset, bank);
    // END SOLUTION 1
    return bank;
}
// [/bank_of]

// [degree]
int degree(const Access& access, int first, int count) {
    int words[kBanks][4 * kLanes];  // for each bank, the different words that the lanes access
    int wanted[kBanks] = {};        // for each bank, the number of these words
    int most = 0;
    // TODO(2): Go through the words of each active lane of the group: one word, or two or four consecutive words. Add
    // each word to the list of its bank, unless the list contains it. Set `most` to the longest length. About 11 lines.
    // BEGIN SOLUTION 2
    int words_each = std::max(access.bytes / kWordBytes, 1);
    for (int lane = first; lane < first + count; ++lane) {
        if ((access.active >> lane & 1) == 0) continue;
        for (int k = 0; k < words_each; ++k) {
            int offset = access.offset[lane] + k * kWordBytes;
            int word = offset / kWordBytes, bank = bank_of(offset);
            int* end = words[bank] + wanted[bank];
            if (std::find(words[bank], end, word) == end) *end = word, ++wanted[bank];
            most = std::max(most, wanted[bank]);
        }
    }
    // STARTER KIT_TODO(2, access, first, count, words, wanted, most);
    // END SOLUTION 2
    return most;
}
// [/degree]

// [wavefronts]
int wavefronts(const Access& access) {
    int sum = 0;
    // TODO(3): How many lanes does the hardware serve together? Add up the wavefronts of all such groups. 2 lines.
    // BEGIN SOLUTION 3
    int together = access.bytes <= kWordBytes ? kLanes : kLanes * kWordBytes / access.bytes;
    for (int first = 0; first < kLanes; first += together) sum += degree(access, first, together);
    // STARTER KIT_TODO(3, access, sum);
    // END SOLUTION 3
    return sum;
}
// [/wavefronts]

// ---- given: one warp performs the access, and touches no other shared memory ----

template <class T>
__global__ void one_store(Access access, T value) {
    extern __shared__ __align__(16) char bytes[];
    if (access.active >> threadIdx.x & 1) *reinterpret_cast<T*>(bytes + access.offset[threadIdx.x]) = value;
}

void make_store(const Access& access) {
    switch (access.bytes) {
        case 1:
            one_store<<<1, kLanes, kSharedBytes>>>(access, char{1});
            break;
        case 2:
            one_store<<<1, kLanes, kSharedBytes>>>(access, short{1});
            break;
        case 4:
            one_store<<<1, kLanes, kSharedBytes>>>(access, 1.0f);
            break;
        case 8:
            one_store<<<1, kLanes, kSharedBytes>>>(access, float2{1, 2});
            break;
        default:
            one_store<<<1, kLanes, kSharedBytes>>>(access, float4{1, 2, 3, 4});
    }
    CUDA_CHECK_LAUNCH();
}

}  // namespace shared_memory
