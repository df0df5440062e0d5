// A program with one mistake of each kind that the profile shows: a transpose through an unpadded tile, a
// naive transpose, a tree whose lanes become idle, and atomics on one address. The last kernel has shuffles
// and votes. The program contains no code for the option --profile.
#include <cooperative_groups.h>

#include <cstdio>
#ifdef KIT_CPU
#include <kit_cpu/profile.hpp>
#endif

constexpr int kTile = 32;

// Reads rows and writes columns, so that it uses only 4 bytes of each sector that it writes.
__global__ void transpose_naive(float* out, const float* in, int n) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

// With a tile, both sides are coalesced, but the lanes of a warp read one column of the tile, which is in one
// bank.
__global__ void transpose_tile(float* out, const float* in, int n) {
    __shared__ float tile[kTile][kTile];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();  // the tile is complete
    const int to_x = blockIdx.y * kTile + threadIdx.x, to_y = blockIdx.x * kTile + threadIdx.y;
    if (to_x < n && to_y < n)
        out[to_y * n + to_x] = tile[threadIdx.x][threadIdx.y];  // </script><b> "x" & 'y' é
}

__global__ void sum_tree(int* sum, const int* in) {
    __shared__ int part[128];
    part[threadIdx.x] = in[threadIdx.x];
    for (int stride = 1; stride < 128; stride *= 2) {
        __syncthreads();  // the sums of the previous step are complete
        if (threadIdx.x % (2 * stride) == 0) part[threadIdx.x] += part[threadIdx.x + stride];
    }
    __syncthreads();  // all threads have finished the previous sum
    if (threadIdx.x < 8) atomicAdd(sum, part[0]);
}

// The lanes access 8 bytes with a stride of 128, 16 consecutive bytes, and the same 16 bytes.
__global__ void wide_lanes(double* eight, int4* sixteen, const int4* in) {
    __shared__ double doubles[32 * 16];
    __shared__ int4 fours[32];
    for (int i = threadIdx.x; i < 32 * 16; i += 32) doubles[i] = i;
    fours[threadIdx.x] = in[threadIdx.x];
    __syncthreads();  // both arrays are filled
    eight[threadIdx.x] = doubles[threadIdx.x * 16];
    sixteen[threadIdx.x] = fours[31 - threadIdx.x];
    sixteen[threadIdx.x + 32] = fours[5];
}

// Performs each kind of exchange once. In the first vote the even lanes vote yes, in the second all lanes but
// lane 3, and in the third only lane 7.
__global__ void exchanges(int* out) {
    constexpr unsigned all = 0xffffffffu;
    const int lane = static_cast<int>(threadIdx.x);
    const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    int sum = __shfl_down_sync(all, lane, 8);
    sum += __shfl_up_sync(all, lane, 1);
    sum += __shfl_xor_sync(all, lane, 4);
    sum += __shfl_sync(all, lane, 5);
    sum += static_cast<int>(__ballot_sync(all, lane % 2 == 0));
    sum += __all_sync(all, lane != 3);
    if (lane < 16) sum += tile.any(lane == 7);
    __syncwarp();  // for a barrier of the warp in the list of steps
    sum += static_cast<int>(__match_any_sync(all, lane / 8));
    out[lane] = sum;
}

int main(int, char**) {
    constexpr int n = 64;
    float *in, *out;
    int *values, *sum, *results;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMalloc(&values, 128 * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMalloc(&results, 32 * sizeof(int));
    cudaMemset(in, 0, n * n * sizeof(float));
    cudaMemset(values, 0, 128 * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    const dim3 blocks(n / kTile, n / kTile), threads(kTile, kTile);
    transpose_naive<<<blocks, threads>>>(out, in, n);
    transpose_tile<<<blocks, threads>>>(out, in, n);
    sum_tree<<<1, 128>>>(sum, values);
#ifdef KIT_CPU
    cudaDeviceSynchronize();
    kit::cpu::take_profile();  // as in a test that demands counts: the kernel must still be reported once
#endif
    sum_tree<<<1, 128>>>(sum, values);
    wide_lanes<<<1, 32>>>(reinterpret_cast<double*>(out), reinterpret_cast<int4*>(out) + 64,
                          reinterpret_cast<int4*>(in));
    exchanges<<<1, 32>>>(results);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("the program: %s\n", cudaGetErrorString(error));
    for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(values),
                         static_cast<void*>(sum), static_cast<void*>(results)})
        cudaFree(memory);
    return error == cudaSuccess ? 5 : 1;  // 5 shows that this line ended the program
}
