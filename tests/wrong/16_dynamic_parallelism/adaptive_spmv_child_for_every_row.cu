// wrong: Every row gets a child, also the short ones.
// diagnosis: launched by kernels for 4 dense rows
// backends: cpu (only the executor counts who launched)
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__device__ float walk_row(const Csr& a, int row, const float* x) {
    float sum = 0;
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) sum += a.value[k] * x[a.column[k]];
    return sum;
}

__global__ void spmv_v1_thread_per_row(Csr a, const float* x, float* y) {
    int row = blockIdx.x * kBlock + threadIdx.x;
    if (row < a.rows) y[row] = walk_row(a, row, x);
}

void spmv_thread_per_row(Csr a, const float* x, float* y) {
    if (a.rows == 0) return;
    spmv_v1_thread_per_row<<<kit::ceil_div(a.rows, kBlock), kBlock>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

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

__device__ float share_row(const Csr& a, int row, const float* x) {
    __shared__ float sums[kBlock];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = a.row_start[row] + t; k < a.row_start[row + 1]; k += kBlock)
        sum += a.value[k] * x[a.column[k]];
    sums[t] = sum;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();  // other threads wrote, in the step before, what this step reads
        if (t < stride) sums[t] += sums[t + stride];
    }
    return sums[t];  // a thread reads what it wrote itself; only that of thread 0 is complete
}

__global__ void dense_row(Csr a, int row, const float* x, float* y) {
    float sum = share_row(a, row, x);
    if (threadIdx.x == 0) y[row] = sum;
}

__global__ void spmv_v3_adaptive(Csr a, const float* x, float* y) {
    int row = blockIdx.x * kBlock + threadIdx.x;
    if (row >= a.rows) return;
    int entries = a.row_start[row + 1] - a.row_start[row];
    if (entries >= 0) {
        dense_row<<<1, kBlock, 0, cudaStreamFireAndForget>>>(a, row, x, y);
        if (cudaGetLastError() == cudaSuccess) return;
    }
    y[row] = walk_row(a, row, x);
}

void adaptive_spmv(Csr a, const float* x, float* y) {
    if (a.rows == 0) return;
    spmv_v3_adaptive<<<kit::ceil_div(a.rows, kBlock), kBlock>>>(a, x, y);
    CUDA_CHECK_LAUNCH();
}

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
        __syncthreads();  // the next row overwrites the sums that thread 0 has read
    }
}

void spmv_two_kernels(Csr a, const float* x, float* y, int* list) {
    if (a.rows == 0) return;
    CUDA_CHECK(cudaMemsetAsync(list, 0, sizeof(int)));
    spmv_v4_list_dense<<<kit::ceil_div(a.rows, kBlock), kBlock>>>(a, x, y, list);
    CUDA_CHECK_LAUNCH();
    spmv_v4_take_dense<<<8 * 132, kBlock>>>(a, x, y, list);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested
