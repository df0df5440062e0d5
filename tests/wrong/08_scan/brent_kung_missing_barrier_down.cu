// wrong: No barrier between the steps on the way down.
// diagnosis: race on
// diagnosis: `tile` (shared)
// backends: cpu (on a GPU the warps may happen to run in step, and the results come out right)
// sanitizer.says: race on

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

template <class T>
__global__ void brent_kung_v5(const T* in, int n, T* out) {
    static_assert((kTile & (kTile - 1)) == 0, "the steps double and halve the stride");
    __shared__ T tile[kTile];
    int t = threadIdx.x;
    int first = blockIdx.x * kTile;
    for (int k = t; k < kTile; k += kBlock) tile[k] = first + k < n ? in[first + k] : T{};

    for (int stride = 1; stride < kTile; stride *= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        int right = (t + 1) * 2 * stride - 1;
        if (right < kTile) tile[right] = tile[right - stride] + tile[right];
    }

    __syncthreads();
    for (int stride = kTile / 4; stride > 0; stride /= 2) {
        int right = (t + 1) * 2 * stride - 1;
        if (right + stride < kTile) tile[right + stride] = tile[right] + tile[right + stride];
    }
    __syncthreads();  // each thread reads below what others wrote

    for (int k = t; k < kTile; k += kBlock) {
        if (first + k < n) out[first + k] = tile[k];
    }
}

template <class T>
void brent_kung(const T* in, int n, T* out) {
    if (n == 0) return;
    brent_kung_v5<<<kit::ceil_div(n, kTile), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

template void brent_kung(const int*, int, int*);
template void brent_kung(const Segmented*, int, Segmented*);
template void brent_kung(const Counted*, int, Counted*);

}  // namespace scan
