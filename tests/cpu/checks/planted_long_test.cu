// Mistakes that come after more barriers than a record of the checks can count (2^16).
#include "checks.cuh"

__global__ void at_last(int* out, int rounds) {
    __shared__ int tile[34];
    for (int i = 0; i < rounds; ++i) __syncthreads();
    tile[threadIdx.x] = 1;                       // <-
    out[threadIdx.x] = tile[33 - threadIdx.x];   // <-
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

CHECKS_MAIN("planted_long")
