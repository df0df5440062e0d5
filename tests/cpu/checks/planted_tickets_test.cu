// Near misses of silent_tickets_test.cu: grids whose ticket orders less than the program needs.
#include "streams.cuh"

namespace {

__global__ void without_a_fence(int* mine, const int* both, int* ticket, int* sum) {
    mine[0] = 1;  // <-
    if (atomicAdd(ticket, 1) == 1) {
        __threadfence();
        *sum = both[0] + both[1];  // <-
    }
}

}  // namespace

PLANTED("two grids and a ticket, without a fence before it", "race", "nothing orders the two kernels") {
    Buffer<int> data(2), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    without_a_fence<<<1, 1, 0, streams.a>>>(data, data, ticket, sum);
    without_a_fence<<<1, 1, 0, streams.b>>>(data + 1, data, ticket, sum);
    cudaDeviceSynchronize();
}

namespace {

__global__ void no_fence_behind(int* mine, const int* both, int* ticket, int* sum) {
    mine[0] = 1;  // <-
    __threadfence();
    if (atomicAdd(ticket, 1) == 1) *sum = both[0] + both[1];  // <-
}

}  // namespace

PLANTED("two grids and a ticket, without a fence behind it", "race", "nothing orders the two kernels") {
    Buffer<int> data(2), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    no_fence_behind<<<1, 1, 0, streams.a>>>(data, data, ticket, sum);
    no_fence_behind<<<1, 1, 0, streams.b>>>(data + 1, data, ticket, sum);
    cudaDeviceSynchronize();
}

namespace {

__global__ void of_one_block(int* mine, const int* both, int* ticket, int* sum) {
    mine[0] = 1;  // <-
    __threadfence_block();
    if (atomicAdd(ticket, 1) == 1) {
        __threadfence();
        *sum = both[0] + both[1];  // <-
    }
}

}  // namespace

PLANTED("two grids and a fence that reaches one block", "race", "nothing orders the two kernels") {
    Buffer<int> data(2), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    of_one_block<<<1, 1, 0, streams.a>>>(data, data, ticket, sum);
    of_one_block<<<1, 1, 0, streams.b>>>(data + 1, data, ticket, sum);
    cudaDeviceSynchronize();
}

namespace {

__global__ void only_one_draws(int* mine, const int* both, int* ticket, int* sum) {
    mine[threadIdx.x] = 1;  // <-
    __threadfence();
    if (threadIdx.x > 0) return;  // without a barrier, other threads may store later
    if (atomicAdd(ticket, 1) == 1) {
        __threadfence();
        for (int i = 0; i < 66; ++i) *sum += both[i];  // <-
    }
}

}  // namespace

PLANTED("two grids whose first threads draw the ticket, without a barrier", "race", "no") {
    Buffer<int> data(66), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    only_one_draws<<<1, 33, 0, streams.a>>>(data, data, ticket, sum);
    only_one_draws<<<1, 33, 0, streams.b>>>(data + 33, data, ticket, sum);
    cudaDeviceSynchronize();
}

namespace {

__global__ void after_the_ticket(int* mine, const int* both, int* ticket, int* sum) {
    __threadfence();
    const bool last = atomicAdd(ticket, 1) == 1;
    mine[0] = 1;  // <-
    __threadfence();
    if (last) *sum = both[0] + both[1];  // <-
}

}  // namespace

PLANTED("two grids that write behind the ticket", "race", "nothing orders the two kernels") {
    Buffer<int> data(2), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    after_the_ticket<<<1, 1, 0, streams.a>>>(data, data, ticket, sum);
    after_the_ticket<<<1, 1, 0, streams.b>>>(data + 1, data, ticket, sum);
    cudaDeviceSynchronize();
}

namespace {

/// A kernel in which each block has its own counter in shared memory.
__global__ void counted_in_shared_memory(int* data, int* out) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    if (threadIdx.x == 0) data[blockIdx.x] = 1;  // <-
    __threadfence();
    atomicAdd(&counter, 1);
    __threadfence();
    if (threadIdx.x == 0) out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];  // <-
}

}  // namespace

PLANTED("blocks that count in their own shared memory", "race", "of block (") {
    Buffer<int> data(8), out(8);
    counted_in_shared_memory<<<8, 32>>>(data, out);
}

CHECKS_MAIN("planted_tickets")
