// 07_reduction/any_operation: identities, and a reduction of anything to one value.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests any_operation.cu
//        ../../tests/07_reduction/any_operation_test.cu -o any_operation
// Run:   ./any_operation
//
//   v4  any_operation_v4: like v3, but a block takes as many elements as needed, and a second launch finishes

#include <algorithm>
#include <limits>

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

// TODO(1): Return the identity of each operation: combined with any value of type T, it gives that value back. Consider
// the types: Max is used for floats, and a float can be minus infinity
// (std::numeric_limits<T>::has_infinity). 4 functions, about 6 lines.
// [identity]
template <class T>
T Sum::identity() const {
    KIT_TODO(1);
    return T{};
}

template <class T>
T Product::identity() const {
    KIT_TODO(1);
    return T{};
}

template <class T>
T Min::identity() const {
    KIT_TODO(1);
    return T{};
}

template <class T>
T Max::identity() const {
    KIT_TODO(1);
    return T{};
}
// [/identity]

// v4: like v3, but with the operation as a parameter; and each thread first reduces, in a register, all
//     elements that the grid assigns to it, so that the number of blocks does not grow with n.
// Mapping : grid-stride; one result per block, one value per thread in the tree.
// Cost    : 1 global read per element; log2(kBlock) + 1 barriers per *block*, not per 512 elements.
// Requires: associative and commutative; T is copied byte by byte; kBlock is a power of two.
// Next    : the tree still has one barrier per step, and a second launch costs microseconds; see v5 and v7.
// [kernel]
template <class T, class Operation>
__global__ void any_operation_v4(const T* in, int n, Operation operation, T identity, T* results) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    __shared__ T tile[kBlock];
    int t = threadIdx.x;

    // TODO(2): Reduce the elements blockIdx.x * kBlock + t and further, in steps of gridDim.x * kBlock, and put
    // the result into the tile. A thread without elements puts the identity there. About 3 lines.
    KIT_TODO(2, in, n, operation, identity, t, tile);

    // TODO(3): Write the tree of `tree`, with the operation instead of the sum. About 4 lines.
    KIT_TODO(3, operation, t, tile);

    if (t == 0) results[blockIdx.x] = tile[0];
}
// [/kernel]

template <class T, class Operation>
void any_operation(const T* in, int n, Operation operation, T* partials, T* out) {
    // TODO(4): Launch the kernel twice: let 1 to kMaxBlocks blocks reduce `in` to one partial result each, and then
    // let one block reduce these to `out`. Launch at least one block even for n = 0, because a block must write the identity.
    // 7 lines.
    KIT_TODO(4, in, n, operation, partials, out);
}

// The contract requires these. Without them, the functions would not exist for other source files.
template void any_operation(const float*, int, Sum, float*, float*);
template void any_operation(const double*, int, Product, double*, double*);
template void any_operation(const int*, int, Min, int*, int*);
template void any_operation(const float*, int, Max, float*, float*);
template void any_operation(const unsigned int*, int, ProductModulo, unsigned int*, unsigned int*);
template void any_operation(const Interval*, int, Cover, Interval*, Interval*);

}  // namespace reduction
