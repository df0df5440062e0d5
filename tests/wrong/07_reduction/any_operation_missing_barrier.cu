// wrong: No barrier between the steps of the tree.
// diagnosis: race on
// backends: cpu (on a GPU the warps may happen to run in step, and the sums come out right)

#include <algorithm>
#include <limits>

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"

namespace reduction {

template <class T>
T Sum::identity() const {
    return T{0};
}

template <class T>
T Product::identity() const {
    return T{1};
}

template <class T>
T Min::identity() const {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

template <class T>
T Max::identity() const {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

template <class T, class Operation>
__global__ void any_operation_v4(const T* in, int n, Operation operation, T identity, T* results) {
    static_assert((kBlock & (kBlock - 1)) == 0, "the tree halves the tile until one element is left");
    __shared__ T tile[kBlock];
    int t = threadIdx.x;

    T value = identity;
    for (int i = blockIdx.x * kBlock + t; i < n; i += gridDim.x * kBlock) value = operation(value, in[i]);
    tile[t] = value;

    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] = operation(tile[t], tile[t + stride]);
    }

    if (t == 0) results[blockIdx.x] = tile[0];
}

template <class T, class Operation>
void any_operation(const T* in, int n, Operation operation, T* partials, T* out) {
    T identity = operation.template identity<T>();
    int blocks = std::clamp(kit::ceil_div(n, kTile), 1, kMaxBlocks);
    any_operation_v4<<<blocks, kBlock>>>(in, n, operation, identity, partials);
    CUDA_CHECK_LAUNCH();
    // Launches of one stream run one after another: the second sees what the first wrote.
    any_operation_v4<<<1, kBlock>>>(partials, blocks, operation, identity, out);
    CUDA_CHECK_LAUNCH();
}

// What the contract promises; without these lines the functions would not exist for other source files.
template void any_operation(const float*, int, Sum, float*, float*);
template void any_operation(const double*, int, Product, double*, double*);
template void any_operation(const int*, int, Min, int*, int*);
template void any_operation(const float*, int, Max, float*, float*);
template void any_operation(const unsigned int*, int, ProductModulo, unsigned int*, unsigned int*);
template void any_operation(const Interval*, int, Cover, Interval*, Interval*);

}  // namespace reduction
