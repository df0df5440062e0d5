// Complete algorithms from textbooks that are correct, but similar to common mistakes. None of these
// algorithms may be reported.
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "checks.cuh"

using Ints = std::vector<int>;

constexpr int tile_width = 8;
__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float left[tile_width][tile_width], right[tile_width][tile_width];
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * tile_width + y;
    const int column = static_cast<int>(blockIdx.x) * tile_width + x;
    float sum = 0;
    for (int k = 0; k < n; k += tile_width) {
        left[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
        right[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < tile_width; ++i) sum += left[y][i] * right[i][x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
SILENT("a tiled matrix product of ragged size") {
    constexpr int n = 20;
    Buffer<float> a(n * n, 1.0f), b(n * n, 2.0f), c(n * n);
    multiply<<<dim3(3, 3), dim3(8, 8)>>>(a, b, c, n);
    CHECK_EQUAL(c.read(), std::vector<float>(n * n, 2.0f * n));
}

__global__ void bitonic(int* data) {
    __shared__ int keys[64];
    const unsigned i = threadIdx.x;
    keys[i] = data[i];
    for (unsigned size = 2; size <= 64; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const unsigned other = i ^ stride;
            if (other > i && (keys[i] > keys[other]) == ((i & size) == 0)) {
                const int swapped = keys[i];
                keys[i] = keys[other];
                keys[other] = swapped;
            }
        }
    }
    __syncthreads();
    data[i] = keys[i];
}
SILENT("a bitonic sort with one barrier a step") {
    Ints values(64);
    for (int i = 0; i < 64; ++i) values[i] = i * 37 % 64;
    Buffer<int> data(values);
    bitonic<<<1, 64>>>(data);
    CHECK_EQUAL(data.read()[10], 10);
}

__global__ void blelloch(int* data) {
    __shared__ int tree[64];
    const unsigned i = threadIdx.x;
    tree[2 * i] = data[2 * i];
    tree[2 * i + 1] = data[2 * i + 1];
    unsigned reach = 1;
    for (unsigned nodes = 32; nodes > 0; nodes /= 2, reach *= 2) {
        __syncthreads();
        if (i < nodes) tree[reach * (2 * i + 2) - 1] += tree[reach * (2 * i + 1) - 1];
    }
    if (i == 0) tree[63] = 0;
    for (unsigned nodes = 1; nodes <= 32; nodes *= 2) {
        reach /= 2;
        __syncthreads();
        if (i < nodes) {
            const int left = tree[reach * (2 * i + 1) - 1];
            tree[reach * (2 * i + 1) - 1] = tree[reach * (2 * i + 2) - 1];
            tree[reach * (2 * i + 2) - 1] += left;
        }
    }
    __syncthreads();
    data[2 * i] = tree[2 * i];
    data[2 * i + 1] = tree[2 * i + 1];
}
SILENT("a work-efficient scan") {
    Buffer<int> data(64, 1);
    blelloch<<<1, 32>>>(data);
    CHECK_EQUAL(data.read()[63], 63);
}

__global__ void warp_scan(const int* in, int* out) {
    __shared__ int totals[4];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = in[threadIdx.x];
    for (unsigned reach = 1; reach < 32; reach *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, sum, reach);
        if (lane >= reach) sum += left;
    }
    if (lane == 31) totals[warp] = sum;
    __syncthreads();
    if (warp == 0 && lane < 4) {
        int total = totals[lane];
        for (unsigned reach = 1; reach < 4; reach *= 2) {
            const int left = __shfl_up_sync(0xfu, total, reach);
            if (lane >= reach) total += left;
        }
        totals[lane] = total;
    }
    __syncthreads();
    out[threadIdx.x] = sum + (warp ? totals[warp - 1] : 0);
}
SILENT("a scan of warps and then of their totals, in place") {
    Buffer<int> in(128, 1), out(128);
    warp_scan<<<1, 128>>>(in, out);
    CHECK_EQUAL(out.read()[127], 128);
}

__global__ void compact(const int* in, int n, int* out, int* count) {
    __shared__ int found, base;
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    const bool keep = i < n && in[i] % 3 == 0;
    const int place = keep ? atomicAdd(&found, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, found);
    __syncthreads();
    if (keep) out[base + place] = in[i];
}
SILENT("compaction with one global atomic a block") {
    Ints values(100);
    for (int i = 0; i < 100; ++i) values[i] = i;
    Buffer<int> in(values), out(34, -1), count(1);
    compact<<<2, 64>>>(in, 100, out, count);
    CHECK_EQUAL(count.read(), Ints{34});
}

template <class T, unsigned Threads>
__global__ void reduce(const T* in, int n, T* out) {
    __shared__ T partial[Threads];
    T sum{};
    for (unsigned i = blockIdx.x * Threads + threadIdx.x; i < static_cast<unsigned>(n);
         i += gridDim.x * Threads)
        sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned stride = Threads / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
SILENT("a reduction template in two kernels") {
    Buffer<double> in(1000, 0.5), partial(4), out(1);
    reduce<double, 64><<<4, 64>>>(in, 1000, partial);
    reduce<double, 64><<<1, 64>>>(partial, 4, out);
    CHECK_EQUAL(out.read()[0], 500.0);
}

__global__ void relax(const float* from, float* to, int n) {
    __shared__ float tile[34];
    const int i = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
    tile[threadIdx.x + 1] = from[i];
    if (threadIdx.x == 0) tile[0] = i > 0 ? from[i - 1] : 0;
    if (threadIdx.x == 31) tile[33] = i + 1 < n ? from[i + 1] : 0;
    __syncthreads();
    to[i] = (tile[threadIdx.x] + tile[threadIdx.x + 2]) / 2;
}
SILENT("relaxation with a halo, buffers swapped between kernels") {
    Buffer<float> a(128, 1.0f), b(128);
    float *from = a, *to = b;
    for (int step = 0; step < 4; ++step) {
        relax<<<4, 32>>>(from, to, 128);
        std::swap(from, to);
    }
    CHECK_EQUAL(a.read()[64], 1.0f);
}

__global__ void private_histograms(const unsigned char* in, int n, int* out) {
    __shared__ int bins[2][16];
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 < 16) bins[warp][threadIdx.x % 32] = 0;
    __syncwarp();
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(n); i += blockDim.x)
        atomicAdd(&bins[warp][in[i] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[0][threadIdx.x] + bins[1][threadIdx.x];
}
SILENT("a histogram for each warp") {
    Buffer<unsigned char> in(std::vector<unsigned char>(200, 3));
    Buffer<int> out(16);
    private_histograms<<<1, 64>>>(in, 200, out);
    CHECK_EQUAL(out.read()[3], 200);
}

__global__ void float_maximum(const float* in, int* out) {
    atomicMax(out, __float_as_int(in[blockIdx.x * blockDim.x + threadIdx.x]));
}
SILENT("a maximum of floats as integers") {
    std::vector<float> values(128, 1.0f);
    values[77] = 9.0f;
    Buffer<float> in(values);
    Buffer<int> out(1);
    float_maximum<<<4, 32>>>(in, out);
    CHECK_EQUAL(out.read()[0], 0x41100000);
}

__global__ void work_queue(int* next, int tasks, int* done) {
    __shared__ int task;
    for (;;) {
        if (threadIdx.x == 0) task = atomicAdd(next, 1);
        __syncthreads();
        const int mine = task;
        __syncthreads();
        if (mine >= tasks) return;
        done[mine * 32 + static_cast<int>(threadIdx.x)] = mine;
    }
}
SILENT("blocks draw tasks from a queue") {
    Buffer<int> next(1), done(10 * 32, -1);
    work_queue<<<3, 32>>>(next, 10, done);
    CHECK_EQUAL(done.read()[319], 9);
}

__global__ void chain(int* sums, int* turn) {
    if (threadIdx.x != 0) return;
    const int me = atomicAdd(&turn[0], 1);
    while (atomicAdd(&turn[1], 0) != me) {
    }
    __threadfence();
    sums[me + 1] = sums[me] + 1;
    __threadfence();
    atomicAdd(&turn[1], 1);
}
SILENT("each block waits for the one with the ticket before") {
    Buffer<int> sums(9), turn(2);
    chain<<<8, 32>>>(sums, turn);
    CHECK_EQUAL(sums.read()[8], 8);
}

__global__ void split_arrival(int* out) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(Barrier) char storage[sizeof(Barrier)];
    __shared__ int tile[64];
    auto* barrier = reinterpret_cast<Barrier*>(storage);
    if (threadIdx.x == 0) init(barrier, blockDim.x);
    __syncthreads();
    tile[threadIdx.x] = static_cast<int>(threadIdx.x);
    auto token = barrier->arrive();
    barrier->wait(static_cast<Barrier::arrival_token&&>(token));
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
SILENT("a cuda::barrier, arrive and wait apart") {
    Buffer<int> out(64);
    split_arrival<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[0], 63);
}

__global__ void twice(int* data) {
    data[threadIdx.x] *= 2;
}
SILENT("two streams, ordered by an event") {
    Buffer<int> data(64, 1);
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    twice<<<1, 64, 0, first>>>(data);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    twice<<<1, 64, 0, second>>>(data);
    cudaStreamSynchronize(second);
    CHECK_EQUAL(data.read()[63], 4);
    cudaEventDestroy(event);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

__global__ void through_volatile(uint4* out) {
    __shared__ volatile unsigned mine[64];
    for (unsigned round = 0; round < 40; ++round) {
        mine[threadIdx.x] = threadIdx.x;
        const unsigned value = mine[threadIdx.x];
        out[round * 64 + threadIdx.x] = make_uint4(value, value, value, round);
    }
}
SILENT("volatile reads, so many that threads let each other go first") {
    Buffer<uint4> out(40 * 64);
    through_volatile<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[39 * 64 + 63].w, 39u);
}

CHECKS_MAIN("silent_idioms")
