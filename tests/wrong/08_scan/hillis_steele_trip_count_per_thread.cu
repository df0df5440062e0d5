// wrong: The loop runs while stride <= threadIdx.x, so that threads leave it one after the other, barriers and all.
// diagnosis: __syncthreads()
// diagnosis: threads
// backends: cpu (on a GPU threads that have left the loop stand at no barrier, and the block may hang)
// sanitizer.all: the threads that have left the loop return, and hardware counts them as arrived

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

template <class T>
__global__ void hillis_steele_v1_two_barriers(const T* in, int n, T* out) {
    __shared__ T tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;

    tile[t] = i < n ? in[i] : T{};

    for (int stride = 1; stride <= t; stride *= 2) {
        __syncthreads();
        T sum = tile[t - stride] + tile[t];
        __syncthreads();  // other threads have read what this thread overwrites
        tile[t] = sum;
    }

    if (i < n) out[i] = tile[t];  // what this thread wrote itself
}

template <class T>
void hillis_steele(const T* in, int n, T* out) {
    if (n == 0) return;
    hillis_steele_v1_two_barriers<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

template <class T>
__global__ void hillis_steele_v2_double_buffered(const T* in, int n, T* out) {
    __shared__ T buffers[2][kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    int from = 0;
    buffers[from][t] = i < n ? in[i] : T{};

    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();  // the step before is written, and nobody reads any more what this step overwrites
        T sum = buffers[from][t];
        if (t >= stride) sum = buffers[from][t - stride] + sum;
        buffers[1 - from][t] = sum;
        from = 1 - from;
    }

    if (i < n) out[i] = buffers[from][t];
}

template <class T>
void double_buffered(const T* in, int n, T* out) {
    if (n == 0) return;
    hillis_steele_v2_double_buffered<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

template void hillis_steele(const int*, int, int*);
template void hillis_steele(const Segmented*, int, Segmented*);
template void hillis_steele(const Counted*, int, Counted*);
template void double_buffered(const int*, int, int*);
template void double_buffered(const Segmented*, int, Segmented*);
template void double_buffered(const Counted*, int, Counted*);

}  // namespace scan
