// Block barriers, with and without a vote, and __syncwarp.
#include "conformance.cuh"

__global__ void reverse(int* data) {
    __shared__ int tile[256];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

CASE("a barrier orders shared memory") {
    for (int n : {1, 31, 33, 256}) {
        std::vector<int> in(n), want(n);
        for (int i = 0; i < n; ++i) {
            in[i] = i * i + 1;
            want[n - 1 - i] = in[i];
        }
        Buffer<int> data(in);
        reverse<<<1, n>>>(data);
        CHECK_EQUAL(data.read(), want);
    }
}

__global__ void rotate(int* data, int steps) {
    const unsigned i = threadIdx.x;
    for (int step = 0; step < steps; ++step) {
        const int mine = data[(i + 1) % blockDim.x];
        __syncthreads();  // all threads have read
        data[i] = mine;
        __syncthreads();  // all threads have written
    }
}

CASE("barriers in a loop; a barrier orders global memory within the block too") {
    const int n = 96;
    std::vector<int> in(n), want(n);
    for (int i = 0; i < n; ++i) in[i] = 3 * i;
    for (int i = 0; i < n; ++i) want[i] = in[(i + 50) % n];
    Buffer<int> data(in);
    rotate<<<1, n>>>(data, 50);
    CHECK_EQUAL(data.read(), want);
}

__device__ int hidden_barrier(int* shared, int value) {
    shared[threadIdx.x] = value;
    __syncthreads();
    return shared[(threadIdx.x + 32) % blockDim.x];
}

__global__ void barrier_in_function(int* out) {
    __shared__ int cells[64];
    out[threadIdx.x] = hidden_barrier(cells, static_cast<int>(threadIdx.x));
}

CASE("a barrier inside a device function") {
    Buffer<int> out(64);
    barrier_in_function<<<1, 64>>>(out);
    std::vector<int> want(64);
    for (int i = 0; i < 64; ++i) want[i] = (i + 32) % 64;
    CHECK_EQUAL(out.read(), want);
}

__global__ void uniform_branch(int* out) {
    __shared__ int cell;
    if (blockIdx.x % 2 == 0) {  // the condition is the same for all threads of the block
        if (threadIdx.x == 40) cell = 40;
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = cell;
    } else {
        out[blockIdx.x * blockDim.x + threadIdx.x] = -1;
    }
}

CASE("a barrier in a branch that the whole block takes") {
    Buffer<int> out(4 * 64);
    uniform_branch<<<4, 64>>>(out);
    std::vector<int> want(4 * 64);
    for (int i = 0; i < 4 * 64; ++i) want[i] = i / 64 % 2 == 0 ? 40 : -1;
    CHECK_EQUAL(out.read(), want);
}

__global__ void three_dimensions(int* out) {
    __shared__ int sum;
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (rank == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, static_cast<int>(rank));
    __syncthreads();
    out[rank] = sum;
}

CASE("the barrier spans all dimensions of the block") {
    Buffer<int> out(5 * 4 * 3);
    three_dimensions<<<1, dim3(5, 4, 3)>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>(60, 59 * 60 / 2));
}

__global__ void votes(int* count, int* conjunction, int* disjunction, int threshold) {
    const int i = static_cast<int>(threadIdx.x);
    // Any non-zero predicate counts as one.
    count[i] = __syncthreads_count(i < threshold ? 1 << (i % 20) : 0);
    conjunction[i] = __syncthreads_and(i < threshold) != 0;
    disjunction[i] = __syncthreads_or(i < threshold) != 0;
}

CASE("__syncthreads_count, _and, _or: every thread gets the block's answer") {
    const int n = 77;
    for (int threshold : {0, 1, 40, 76, 77}) {
        Buffer<int> count(n), conjunction(n), disjunction(n);
        votes<<<1, n>>>(count, conjunction, disjunction, threshold);
        CHECK_EQUAL(count.read(), std::vector<int>(n, threshold));
        CHECK_EQUAL(conjunction.read(), std::vector<int>(n, threshold == n));
        CHECK_EQUAL(disjunction.read(), std::vector<int>(n, threshold > 0));
    }
}

__global__ void vote_publishes(int* out) {
    __shared__ int cells[128];
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads_or(0);
    out[threadIdx.x] = cells[127 - threadIdx.x];
}

CASE("a barrier with a vote orders memory as well") {
    Buffer<int> out(128);
    vote_publishes<<<1, 128>>>(out);
    std::vector<int> want(128);
    for (int i = 0; i < 128; ++i) want[i] = 127 - i;
    CHECK_EQUAL(out.read(), want);
}

__global__ void shared_per_block(int* out) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = static_cast<int>(blockIdx.x) * 1000;
    __syncthreads();
    atomicAdd(&counter, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = counter;
}

CASE("every block has shared memory of its own") {
    Buffer<int> out(50);
    shared_per_block<<<50, 70>>>(out);
    std::vector<int> want(50);
    for (int b = 0; b < 50; ++b) want[b] = 1000 * b + 70;
    CHECK_EQUAL(out.read(), want);
}

__global__ void warp_exchange(int* out) {
    __shared__ int cells[96];
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncwarp();
    out[threadIdx.x] = cells[threadIdx.x ^ 1];
}

CASE("__syncwarp orders memory within the warp") {
    Buffer<int> out(96);
    warp_exchange<<<1, 96>>>(out);
    std::vector<int> want(96);
    for (int i = 0; i < 96; ++i) want[i] = i ^ 1;
    CHECK_EQUAL(out.read(), want);
}

__global__ void half_warp_exchange(int* out) {
    __shared__ int cells[32];
    const int lane = static_cast<int>(threadIdx.x);
    cells[lane] = lane;
    if (lane < 16) {
        __syncwarp(0x0000ffffu);
        out[lane] = cells[15 - lane];
    } else {
        __syncwarp(0xffff0000u);
        out[lane] = cells[47 - lane];
    }
}

CASE("__syncwarp with a mask: two halves in two branches") {
    Buffer<int> out(32);
    half_warp_exchange<<<1, 32>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = i < 16 ? 15 - i : 47 - i;
    CHECK_EQUAL(out.read(), want);
}

__global__ void tree_sum(const int* in, int* out) {
    __shared__ int tile[256];
    const unsigned i = threadIdx.x;
    tile[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (i < stride) tile[i] += tile[i + stride];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = tile[0];
}

CASE("the textbook's tree reduction") {
    std::vector<int> in(8 * 256), want(8);
    for (int i = 0; i < 8 * 256; ++i) {
        in[i] = i * 7 % 1013 - 500;
        want[i / 256] += in[i];
    }
    Buffer<int> data(in), out(8);
    tree_sum<<<8, 256>>>(data, out);
    CHECK_EQUAL(out.read(), want);
}

__global__ void leavers(int* out) {
    __shared__ int cells[64];
    if (threadIdx.x >= 32) return;  // a barrier does not wait for whole warps that have returned
    cells[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = cells[31 - threadIdx.x];
}

CASE_MISUSE("a barrier does not wait for warps that have returned") {
    Buffer<int> out(32);
    leavers<<<1, 64>>>(out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) want[i] = 31 - i;
    CHECK_EQUAL(out.read(), want);
}

CONFORMANCE_MAIN("barrier")
