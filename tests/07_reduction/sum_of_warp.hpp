// Given to single_pass and fast: the sum over a warp, which warp_shuffle asks for. So look here only after you have written it.
#pragma once

#include <cuda_runtime.h>

namespace reduction {

/// Sums one value per lane of a full warp. Lane 0 gets the sum; the results of the other lanes are of no use.
template <class T>
__device__ T sum_of_warp(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

}  // namespace reduction
