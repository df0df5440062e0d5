// 16_dynamic_parallelism/adaptive_spmv: a child for each dense row, and the case without one.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests adaptive_spmv.cu
//        ../../tests/16_dynamic_parallelism/adaptive_spmv_test.cu -o adaptive_spmv
// Run:   ./adaptive_spmv
//
//   v1  spmv_v1_thread_per_row: each thread computes one row (given)
//   v2  spmv_v2_warp_per_row: 32 lanes share a row (given)
//   v3  spmv_v3_adaptive: like v1, but a thread with a dense row launches a child for it
//   v4  spmv_v4_list_dense: like v3, but lists the dense rows, and the host launches one kernel for all (given)

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__device__ float walk_row(const Csr& a, int row, const float* x) {
    float sum = 0;
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) sum += a.value[k] * x[a.column[k]];
    return sum;
}

// v1: each thread computes one row.
// Mapping : one thread per row.
// Cost    : a warp takes as long as its longest row; adjacent threads read addresses far apart.
// Requires: nothing.
// Next    : let a warp share each row; see v2.
// [v1]
__global__ void spmv_v1_thread_per_row(Csr a, const float* x, float* y) {
    int row = blockIdx.x * kBlock + threadIdx.x;
    if (row < a.rows) y[row] = walk_row(a, row, x);
}
// [/v1]

void spmv_thread_per_row(Csr a, const float* x, float* y) {
    if (a.rows == 0) return;
    spmv_v1_thread_per_row<<<kit::ceil_div(a.rows, kBlock), kBlock>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

// v2: 32 lanes share a row.
// Mapping : one warp per row, one entry per lane and round.
// Cost    : adjacent lanes read adjacent entries; a row with few entries leaves most lanes idle.
// Requires: kBlock is a multiple of 32.
// Next    : rows differ in length, so decide for each row separately; see v3.
__global__ void spmv_v2_warp_per_row(Csr a, const float* x, float* y) {
    int row = blockIdx.x * (kBlock / 32) + threadIdx.x / 32;
    if (row >= a.rows) return;
    float sum = 0;
    for (int k = a.row_start[row] + threadIdx.x % 32; k < a.row_start[row + 1]; k += 32)
        sum += a.value[k] * x[a.column[k]];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) y[row] = sum;
}

void spmv_warp_per_row(Csr a, const float* x, float* y) {
    if (a.rows == 0) return;
    spmv_v2_warp_per_row<<<kit::ceil_div(a.rows, kBlock / 32), kBlock>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

/// Sums one row with a whole block, and returns the sum to thread 0. All threads must call it.
__device__ float share_row(const Csr& a, int row, const float* x) {
    __shared__ float sums[kBlock];
    int t = threadIdx.x;
    float sum = 0;
    // TODO(1): Let each thread sum every kBlock-th entry of the row, starting with entry t. The row can have any number
    // of entries. About 2 lines.
    KIT_TODO(1, a, row, x, t);
    sums[t] = sum;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // this step reads sums that other threads wrote in the previous step
        if (t < stride) sums[t] += sums[t + stride];
    }
    return sums[t];  // each thread reads a sum that it wrote itself; only thread 0 has the complete sum
}

/// The child: one dense row. The row is an argument, because blockIdx starts at 0 in a child, as in every grid.
// [child]
__global__ void dense_row(Csr a, int row, const float* x, float* y) {
    float sum = share_row(a, row, x);
    if (threadIdx.x == 0) y[row] = sum;
}
// [/child]

// v3: like v1, but a thread with a dense row launches a child for it.
// Mapping : one thread per row; one block of kBlock threads per dense row.
// Cost    : one launch per dense row; the launches of all threads go through one queue.
// Requires: -rdc=true. A launch can be refused.
// Next    : if children cost too much, use a list; see v4.
// [v3]
__global__ void spmv_v3_adaptive(Csr a, const float* x, float* y) {
    int row = blockIdx.x * kBlock + threadIdx.x;
    if (row >= a.rows) return;
    int entries = a.row_start[row + 1] - a.row_start[row];
    // TODO(2): If the row is dense, launch `dense_row` for it: one block of kBlock threads, fire and forget. If the launch
    // succeeds, the thread is done. In all other cases, compute the row with walk_row(). About 5 lines.
    KIT_TODO(2, entries, x, y);
}
// [/v3]

void adaptive_spmv(Csr a, const float* x, float* y) {
    // TODO(3): Launch one thread per row, or nothing if the matrix has no rows. Check the launch. 3 lines.
    KIT_TODO(3, a, x, y);
}

// v4: like v3, but the first kernel lists the dense rows, and the host launches one second kernel for all of them.
// Mapping : one thread per row; then each block takes one row after another from the list.
// Cost    : one atomic per dense row, and a second launch by the host, even if there is no dense row.
// Requires: list[0] is 0 when the first kernel starts.
// Next    : nothing; compare the four versions.
// [v4]
__global__ void spmv_v4_list_dense(Csr a, const float* x, float* y, int* list) {
    int row = blockIdx.x * kBlock + threadIdx.x;
    if (row >= a.rows) return;
    if (a.row_start[row + 1] - a.row_start[row] > kDense)
        list[1 + atomicAdd(&list[0], 1)] = row;
    else
        y[row] = walk_row(a, row, x);
}

__global__ void spmv_v4_take_dense(Csr a, const float* x, float* y, const int* list) {
    for (int i = blockIdx.x; i < list[0]; i += gridDim.x) {
        float sum = share_row(a, list[1 + i], x);
        if (threadIdx.x == 0) y[list[1 + i]] = sum;
        __syncthreads();  // thread 0 reads the sums before other threads overwrite them for the next row
    }
}
// [/v4]

void spmv_two_kernels(Csr a, const float* x, float* y, int* list) {
    if (a.rows == 0) return;
    CUDA_CHECK(cudaMemsetAsync(list, 0, sizeof(int)));
    spmv_v4_list_dense<<<kit::ceil_div(a.rows, kBlock), kBlock>>>(a, x, y, list);
    CUDA_CHECK_LAUNCH();
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    spmv_v4_take_dense<<<8 * multiprocessors, kBlock>>>(a, x, y, list);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested
