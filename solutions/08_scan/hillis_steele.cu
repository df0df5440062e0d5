// 08_scan/hillis_steele: the scan with few steps, in place and with two buffers.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests hillis_steele.cu
//        ../../tests/08_scan/hillis_steele_test.cu -o hillis_steele
// Run:   ./hillis_steele
//
//   v1  hillis_steele_v1_two_barriers: each element adds the element 1, 2, 4, ... places before it, in place
//   v2  hillis_steele_v2_double_buffered: like v1, but a step reads one array and writes another

#include "08_scan/08_scan.hpp"
#include "kit.cuh"

namespace scan {

// v1: after the step with stride s, each element holds the sum of up to 2s elements, and is the last of them.
// Mapping : one thread per element, one block per kBlock elements.
// Cost    : log2(kBlock) steps of up to kBlock additions; 2 barriers per step.
// Requires: any n; T{} is the identity.
// Next    : one of the two barriers is needed only because a step overwrites the values that it reads; see v2.
// [v1]
template <class T>
__global__ void hillis_steele_v1_two_barriers(const T* in, int n, T* out) {
    __shared__ T tile[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;

    // TODO(1): Put element i into the tile. Past the end of `in`, put the identity instead. 1 line.
    // BEGIN SOLUTION 1
    tile[t] = i < n ? in[i] : T{};
    // STARTER KIT_TODO(1, in, n, i, t, tile);
    // END SOLUTION 1

    // TODO(2): For stride = 1, 2, 4, ... below kBlock: wait until every thread has written the previous step. Compute
    // element t - stride plus element t, in this order, or keep element t if there is no element t - stride. Wait
    // until every thread has read. Write the result to element t. About 7 lines.
    // BEGIN SOLUTION 2
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();  // this step reads values that other threads wrote in the previous step
        T sum = tile[t];
        if (t >= stride) sum = tile[t - stride] + sum;
        __syncthreads();  // other threads have read the value that this thread overwrites
        tile[t] = sum;
    }
    // STARTER KIT_TODO(2, t, tile);
    // END SOLUTION 2

    if (i < n) out[i] = tile[t];  // the value that this thread wrote itself
}
// [/v1]

template <class T>
void hillis_steele(const T* in, int n, T* out) {
    if (n == 0) return;
    hillis_steele_v1_two_barriers<<<kit::ceil_div(n, kBlock), kBlock>>>(in, n, out);
    CUDA_CHECK_LAUNCH();
}

// v2: like v1, but a step reads buffers[from] and writes buffers[1 - from], so it never overwrites a value that it reads.
// Mapping : one thread per element, one block per kBlock elements.
// Cost    : as v1, with 1 barrier per step and twice the shared memory.
// Requires: any n; T{} is the identity.
// Next    : still n log2(n) additions, although n - 1 are enough; see v3 in blelloch.cu.
// [v2]
template <class T>
__global__ void hillis_steele_v2_double_buffered(const T* in, int n, T* out) {
    __shared__ T buffers[2][kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    int from = 0;
    buffers[from][t] = i < n ? in[i] : T{};

    // TODO(3): Perform the same steps with one barrier each: read buffers[from], write the other buffer, and
    // exchange the two for the next step. About 7 lines.
    // BEGIN SOLUTION 3
    for (int stride = 1; stride < kBlock; stride *= 2) {
        __syncthreads();  // all threads have finished the previous step, both its reads and its writes
        T sum = buffers[from][t];
        if (t >= stride) sum = buffers[from][t - stride] + sum;
        buffers[1 - from][t] = sum;
        from = 1 - from;
    }
    // STARTER KIT_TODO(3, t, from, buffers);
    // END SOLUTION 3

    if (i < n) out[i] = buffers[from][t];
}
// [/v2]

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
