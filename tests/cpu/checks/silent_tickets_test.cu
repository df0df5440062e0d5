// Grids that only a ticket orders: each executes a fence and an atomic update of a counter. The grids run in
// two streams, or a kernel launches them.
#include "streams.cuh"

namespace {

/// The grid that draws the second of two tickets adds the values that both grids have written.
__global__ void last_one_adds(int* mine, const int* both, int* ticket, int* sum) {
    __shared__ bool last;
    mine[threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    for (unsigned i = threadIdx.x; i < 128; i += 64) atomicAdd(sum, both[i]);
}

__global__ void add_up(const int* both, const int* ticket, int* sum) {
    if (*ticket != 2) return;
    for (unsigned i = threadIdx.x; i < 128; i += 64) atomicAdd(sum, both[i]);
}

/// Each thread draws a ticket separately, without a barrier.
__global__ void each_lane(int* data, int* tickets, int* sum) {
    const unsigned t = threadIdx.x;
    data[2 * t + blockIdx.x] = 3;
    __threadfence();
    if (atomicAdd(&tickets[t], 1) == 1) {
        __threadfence();
        atomicAdd(sum, data[2 * t] + data[2 * t + 1]);
    }
}
__global__ void other_half(int* data, int* tickets, int* sum) {
    const unsigned t = threadIdx.x;
    data[2 * t + 1] = 3;
    __threadfence();
    if (atomicAdd(&tickets[t], 1) == 1) {
        __threadfence();
        atomicAdd(sum, data[2 * t] + data[2 * t + 1]);
    }
}

/// One lane of each warp draws a ticket for its warp.
__global__ void leader_draws(int* mine, const int* both, int* ticket, int* sum) {
    mine[threadIdx.x] = 1;
    __syncwarp();
    int last = 0;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1) == 1;
        __threadfence();
    }
    last = __shfl_sync(~0u, last, 0);
    __syncwarp();
    if (last) atomicAdd(sum, both[threadIdx.x] + both[threadIdx.x + 32]);
}

}  // namespace

SILENT("the last of two grids in two streams adds up what both wrote") {
    Buffer<int> data(128), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    last_one_adds<<<1, 64, 0, streams.a>>>(data, data, ticket, sum);
    last_one_adds<<<1, 64, 0, streams.b>>>(data + 64, data, ticket, sum);
    cudaDeviceSynchronize();
    CHECK_EQUAL(sum.read()[0], 128);
}

SILENT("three grids in three streams, and rounds of them") {
    Buffer<int> data(64), tickets(32), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int round = 0; round < 3; ++round) {
        cudaMemset(tickets, 0, 32 * sizeof(int));
        cudaDeviceSynchronize();
        each_lane<<<1, 32, 0, streams.a>>>(data, tickets, sum);
        other_half<<<1, 32, 0, streams.b>>>(data, tickets, sum);
        cudaDeviceSynchronize();
    }
    CHECK_EQUAL(sum.read()[0], 3 * 32 * 6);
}

SILENT("a lane draws the ticket for its warp") {
    Buffer<int> data(64), ticket(1), sum(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    leader_draws<<<1, 32, 0, streams.a>>>(data, data, ticket, sum);
    leader_draws<<<1, 32, 0, streams.b>>>(data + 32, data, ticket, sum);
    cudaDeviceSynchronize();
    CHECK_EQUAL(sum.read()[0], 64);
}

namespace {

__global__ void first_of_three(int* data, int* ticket) {
    data[0] = 5;
    __threadfence();
    atomicAdd(ticket, 1);
}
__global__ void second_of_three(int* data, int* ticket) {
    const bool there = atomicAdd(ticket, 1) % 10 == 1;
    __threadfence();
    if (there) data[1] = data[0];
    __threadfence();
    if (there) atomicAdd(ticket, 10);
}
/// A kernel that runs after second_of_three, which has stored the result in data[0].
__global__ void next_of_the_second(int* data) {
    if (data[1] == 5) data[2] = data[0];
}
__global__ void third_of_three(int* data, int* ticket) {
    const bool there = atomicAdd(ticket, 0) == 12;
    __threadfence();
    if (there) data[2] = data[0] + data[1];
}

}  // namespace

SILENT("a message that a second grid tells on to a third one") {
    Buffer<int> data(3), ticket(1);
    Streams streams(cudaStreamNonBlocking), more(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    first_of_three<<<1, 1, 0, streams.a>>>(data, ticket);
    second_of_three<<<1, 1, 0, streams.b>>>(data, ticket);
    third_of_three<<<1, 1, 0, more.a>>>(data, ticket);
    cudaDeviceSynchronize();
}

SILENT("what a grid has heard, the next grid of its stream knows") {
    Buffer<int> data(3), ticket(1);
    Streams streams(cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    first_of_three<<<1, 1, 0, streams.a>>>(data, ticket);
    second_of_three<<<1, 1, 0, streams.b>>>(data, ticket);
    next_of_the_second<<<1, 1, 0, streams.b>>>(data);
    cudaDeviceSynchronize();
}

SILENT("one stream with a ticket, used again after a copy") {
    Buffer<int> data(128), ticket(1), sum(1);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 2; ++i) {
        last_one_adds<<<1, 64, 0, stream>>>(data, data, ticket, sum);
        last_one_adds<<<1, 64, 0, stream>>>(data + 64, data, ticket, sum);
        cudaMemsetAsync(ticket, 0, sizeof(int), stream);
        add_up<<<1, 64, 0, stream>>>(data, ticket, sum);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    CHECK_EQUAL(sum.read()[0], 256);
}

CHECKS_MAIN("silent_tickets")
