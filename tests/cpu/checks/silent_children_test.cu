// Correct programs whose kernels launch kernels, which must not be reported. Needs relocatable device code:
// nvcc -rdc=true.
#include "checks.cuh"

__global__ void consume(const int* data, int* sum, int n) {
    int mine = 0;
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) mine += data[i];
    atomicAdd(sum, mine);
}
__global__ void produce(int* data) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}
__global__ void produce_then_consume(int* data, int* sum, int n) {
    if (threadIdx.x != 0) return;
    produce<<<n / 64, 32, 0, cudaStreamFireAndForget>>>(data);
    produce<<<n / 64, 32, 0, cudaStreamFireAndForget>>>(data + n / 2);
    consume<<<1, 32, 0, cudaStreamTailLaunch>>>(data, sum, n);
}
SILENT("a tail launch sees what all children wrote") {
    int* data;
    cudaMalloc(&data, 256 * sizeof(int));
    Buffer<int> sum(1);
    produce_then_consume<<<1, 32>>>(data, sum, 256);
    CHECK_EQUAL(sum.read()[0], 512);
    cudaFree(data);
}

__global__ void by_barrier(int* data, int* sum) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x == 0)
        consume<<<1, 32>>>(data + blockIdx.x * blockDim.x, sum, static_cast<int>(blockDim.x));
}
SILENT("a barrier before the launch") {
    Buffer<int> data(256), sum(1);
    by_barrier<<<4, 64>>>(data, sum);
    CHECK_EQUAL(sum.read()[0], 768);
}

__global__ void by_warp(int* data, int* sum) {
    data[threadIdx.x] = 1;
    __syncwarp();
    if (threadIdx.x % 32 == 0) consume<<<1, 32>>>(data + threadIdx.x, sum, 32);
}
SILENT("__syncwarp() before the launch of a warp's leader") {
    Buffer<int> data(128), sum(1);
    by_warp<<<1, 128>>>(data, sum);
    CHECK_EQUAL(sum.read()[0], 128);
}

__device__ unsigned tickets;
__global__ void by_ticket(int* data, int* sum) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(&tickets, 1u) + 1 < gridDim.x) return;
    __threadfence();
    tickets = 0;
    consume<<<1, 32>>>(data, sum, static_cast<int>(gridDim.x * blockDim.x));
}
SILENT("the last block launches for all") {
    Buffer<int> data(256), sum(1);
    by_ticket<<<4, 64>>>(data, sum);
    by_ticket<<<4, 64>>>(data, sum);
    CHECK_EQUAL(sum.read()[0], 512);
}

__global__ void increment(int* cell) {
    ++*cell;
}
__global__ void in_one_stream(int* cell) {
    for (int i = 0; i < 5; ++i) increment<<<1, 1>>>(cell);
}
SILENT("plain updates one after another in one stream") {
    Buffer<int> cell(1);
    in_one_stream<<<1, 1>>>(cell);
    in_one_stream<<<1, 1>>>(cell);
    CHECK_EQUAL(cell.read()[0], 10);
}

__global__ void increment_nested(int* cell, int depth) {
    ++*cell;
    if (depth) increment_nested<<<1, 1>>>(cell, depth - 1);
}
SILENT("a recursion that changes a cell on its way down") {
    Buffer<int> cell(1);
    increment_nested<<<1, 1>>>(cell, 40);
    CHECK_EQUAL(cell.read()[0], 41);
}

__global__ void tail_loop(int* cell, int* left) {
    if (threadIdx.x == 0) ++*cell;
    __syncthreads();
    if (threadIdx.x != 0) return;
    increment<<<1, 1>>>(left);
    if (*cell < 20) tail_loop<<<1, 32, 0, cudaStreamTailLaunch>>>(cell, left);
}
SILENT("a loop of tail launches with children") {
    Buffer<int> cell(1), left(1);
    tail_loop<<<1, 32>>>(cell, left);
    CHECK_EQUAL(left.read()[0], 20);
}

/// Divides a range into halves until the pieces are small. Sibling kernels access different halves.
__global__ void split(int* data, int n) {
    if (n <= 8) {
        if (static_cast<int>(threadIdx.x) < n) data[threadIdx.x] += 1;
        return;
    }
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) data[i] += 1;
    __syncthreads();
    if (threadIdx.x != 0) return;
    split<<<1, 32, 0, cudaStreamFireAndForget>>>(data, n / 2);
    split<<<1, 32, 0, cudaStreamFireAndForget>>>(data + n / 2, n - n / 2);
}
SILENT("divide and conquer") {
    Buffer<int> data(100);
    split<<<1, 32>>>(data, 100);
    for (const int value : data.read()) CHECK(value == 5);
}

__global__ void by_event(int* data, int* sum) {
    cudaStream_t a, b;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    produce<<<2, 32, 0, a>>>(data);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    consume<<<1, 32, 0, b>>>(data, sum, 64);
    cudaMemsetAsync(data, 0, 64 * sizeof(int), b);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(event);
}
SILENT("two device streams and an event") {
    Buffer<int> data(64), sum(1);
    by_event<<<1, 1>>>(data, sum);
    CHECK_EQUAL(sum.read()[0], 128);
    CHECK_EQUAL(data.read()[5], 0);
}

struct Node {
    int* values;
    int n;
};
__global__ void fill_node(Node* node) {
    if (static_cast<int>(threadIdx.x) < node->n) node->values[threadIdx.x] = 4;
}
__global__ void sum_node(Node* node, int* sum) {
    for (int i = 0; i < node->n; ++i) *sum += node->values[i];
    cudaFree(node->values);
}
__global__ void allocate_node(Node* node, int* sum) {
    node->n = 16;
    cudaMalloc(reinterpret_cast<void**>(&node->values), 16 * sizeof(int));
    if (!node->values) return;
    fill_node<<<1, 32>>>(node);
    sum_node<<<1, 1, 0, cudaStreamTailLaunch>>>(node, sum);
}
SILENT("device memory, allocated through a pointer in global memory") {
    Node* node;
    cudaMalloc(&node, sizeof *node);
    Buffer<int> sum(1);
    allocate_node<<<1, 1>>>(node, sum);
    CHECK_EQUAL(sum.read()[0], 64);
    cudaFree(node);
}

__global__ void after_the_family(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
SILENT("the next kernel of the host's stream comes after the family") {
    Buffer<int> data(64), out(64), sum(1);
    produce_then_consume<<<1, 32>>>(data, sum, 64);
    after_the_family<<<1, 64>>>(data, out);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 2));
}

/// Makes more launches than can be pending. Some are refused, and the thread then does their work itself.
__global__ void mark(int* cell) {
    *cell = 1;
}
__global__ void launch_or_do(int* cells, int n) {
    for (int i = 0; i < n; ++i) {
        mark<<<1, 1, 0, cudaStreamFireAndForget>>>(cells + i);
        if (cudaGetLastError() != cudaSuccess) cells[i] = 1;
    }
}
SILENT("a fallback for refused launches") {
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32);
    Buffer<int> cells(100);
    launch_or_do<<<1, 1>>>(cells, 100);
    CHECK_EQUAL(cells.read(), std::vector<int>(100, 1));
    cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048);
}

/// Of two children that no stream orders, the one that finishes last adds the values that both have written.
__global__ void sibling(int* mine, const int* both, int* ticket, int* sum) {
    __shared__ bool last;
    mine[threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    atomicAdd(sum, both[threadIdx.x] + both[threadIdx.x + 32]);
}
__global__ void launch_siblings(int* data, int* ticket, int* sum) {
    sibling<<<1, 32, 0, cudaStreamFireAndForget>>>(data, data, ticket, sum);
    sibling<<<1, 32, 0, cudaStreamFireAndForget>>>(data + 32, data, ticket, sum);
}
SILENT("a ticket orders two children") {
    Buffer<int> data(64), ticket(1), sum(1);
    launch_siblings<<<1, 1>>>(data, ticket, sum);
    CHECK_EQUAL(sum.read()[0], 64);
}

__global__ void read_cell(const int* cell, int* sum) {
    atomicAdd(sum, *cell);
}
/// A child of the last of the two also sees everything that the last one has acquired.
__global__ void sibling_that_launches(int* mine, const int* both, int* ticket, int* sum) {
    *mine = 1;
    __threadfence();
    if (atomicAdd(ticket, 1) == 0) return;
    __threadfence();
    read_cell<<<1, 1>>>(both, sum);
    read_cell<<<1, 1>>>(both + 1, sum);
}
__global__ void launch_launching_siblings(int* data, int* ticket, int* sum) {
    sibling_that_launches<<<1, 1, 0, cudaStreamFireAndForget>>>(data, data, ticket, sum);
    sibling_that_launches<<<1, 1, 0, cudaStreamFireAndForget>>>(data + 1, data, ticket, sum);
}
SILENT("a grandchild after a ticket") {
    Buffer<int> data(2), ticket(1), sum(1);
    launch_launching_siblings<<<1, 1>>>(data, ticket, sum);
    CHECK_EQUAL(sum.read()[0], 2);
}

CHECKS_MAIN("silent_children")
