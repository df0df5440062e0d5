// Mistakes behind more barriers, blocks, kernels and copies than a record of the checks can tell apart.
#include "checks.cuh"

__global__ void at_last(int* out, int rounds) {
    __shared__ int tile[34];
    for (int i = 0; i < rounds; ++i) __syncthreads();
    tile[threadIdx.x] = 1;                      // <-
    out[threadIdx.x] = tile[33 - threadIdx.x];  // <-
}
PLANTED("no barrier, after 100,000 of them", "race", "no barrier between line") {
    Buffer<int> out(34);
    at_last<<<1, 34>>>(out, 100000);
}

__global__ void across_renewal(int* data, int rounds) {
    if (blockIdx.x == 1) data[0] = 1;  // <-
    for (int i = 0; i < rounds; ++i) __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 0) data[0] = 2;  // <-
}
PLANTED("two blocks, one of them 100,000 barriers late", "race", "of block (2,0,0)") {
    Buffer<int> data(1);
    across_renewal<<<3, 1>>>(data, 100000);
}

__global__ void more_blocks_than_numbers(int* data) {
    if (blockIdx.x == 3 || blockIdx.x == gridDim.x - 1) *data = static_cast<int>(blockIdx.x);  // <-
}
PLANTED("two of more than a million blocks", "race", "one of the blocks") {
    Buffer<int> data(1);
    more_blocks_than_numbers<<<(1 << 20) + 9, 1>>>(data);
}

__global__ void nothing() {}
__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;  // <-
}
PLANTED("two streams, after 3,000 kernels", "race", "nothing orders the two kernels") {
    Buffer<int> data(32);
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3000; ++i) nothing<<<1, 1, 0, streams[i % 2]>>>();
    cudaDeviceSynchronize();
    put<<<1, 32, 0, streams[0]>>>(data, 1);
    put<<<1, 32, 0, streams[1]>>>(data, 2);
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

CHECKS_MAIN("planted_long")
