// Correct programs with bulk copies (sm_90).
#include <cuda/barrier>
#include <cuda/ptx>

#include "checks.cuh"

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
constexpr int n = 64, tiles = 5;
constexpr int tile_bytes = n * static_cast<int>(sizeof(int));

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define BULK 1
#else
#define BULK 0  // the kernels are empty on a device without bulk copies
#endif

#define MOVE(token) static_cast<Barrier::arrival_token&&>(token)

static bool has_bulk_copies() {
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    CHECK(major > 0);
    return major >= 9;
}
static std::vector<int> input() {
    std::vector<int> values(tiles * n);
    for (int i = 0; i < tiles * n; ++i) values[i] = i;
    return values;
}

/// Keeps `Stages` tiles in flight. Each stage has a barrier, and one thread makes its phase expect the bytes.
template <int Stages, bool expects_first>
__global__ void staged(const int* in, int* out) {
#if BULK
    __shared__ alignas(16) int stage[Stages][n];
    __shared__ alignas(Barrier) unsigned char room[Stages * sizeof(Barrier)];
    Barrier* const barriers = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s) init(&barriers[s], blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    Barrier::arrival_token tokens[Stages];
    const auto begin = [&](int i) {
        Barrier& barrier = barriers[i % Stages];
        if (threadIdx.x == 0) {
            if (expects_first) cuda::device::barrier_expect_tx(barrier, tile_bytes);
            cuda::device::memcpy_async_tx(stage[i % Stages], in + i * n, cuda::aligned_size_t<16>(tile_bytes),
                                          barrier);
            tokens[i % Stages] =
                expects_first ? barrier.arrive() : cuda::device::barrier_arrive_tx(barrier, 1, tile_bytes);
        } else {
            tokens[i % Stages] = barrier.arrive();
        }
    };
    for (int i = 0; i < Stages - 1 && i < tiles; ++i) begin(i);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (i + Stages - 1 < tiles) begin(i + Stages - 1);
        barriers[i % Stages].wait(MOVE(tokens[i % Stages]));
        sum += stage[i % Stages][n - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
#endif
}
template <class Kernel>
static void check_staged(Kernel kernel) {
    Buffer<int> in(input()), out(n);
    if (!has_bulk_copies()) return;
    kernel<<<1, n>>>(in, out);
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t)
        for (int i = 0; i < tiles; ++i) want[t] += i * n + n - 1 - t;
    CHECK_EQUAL(out.read(), want);
}
SILENT("bulk copies in two stages") {
    check_staged(staged<2, false>);
}
SILENT("bulk copies in three stages") {
    check_staged(staged<3, false>);
}
SILENT("the bytes are expected before the copy begins") {
    check_staged(staged<2, true>);
}

/// Copies a tile in two parts, whose bytes one phase expects together.
__global__ void in_two_parts(const int* in, int* out) {
#if BULK
    __shared__ alignas(16) int tile[n];
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    Barrier* const barrier = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0) {
        init(barrier, 1);  // only the thread that copies will arrive
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        (void)cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
        for (int half = 0; half < 2; ++half)
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + half * n / 2, in + half * n / 2,
                               static_cast<unsigned>(tile_bytes / 2),
                               cuda::device::barrier_native_handle(*barrier));
    }
    barrier->wait_parity(false);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
#endif
}
SILENT("one arrival, two copies, and all wait by parity") {
    Buffer<int> in(input()), out(n);
    if (!has_bulk_copies()) return;
    in_two_parts<<<1, n>>>(in, out);
    CHECK_EQUAL(out.read()[0], 63);
}

__global__ void stored_in_turn(const int* in, int* out) {
#if BULK
    __shared__ alignas(16) int stage[2][n];
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        __syncthreads();
        stage[i % 2][threadIdx.x] = in[i * n + threadIdx.x] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * n, stage[i % 2], tile_bytes);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
#endif
}
SILENT("bulk stores from two stages in turn") {
    Buffer<int> in(input()), out(tiles * n);
    if (!has_bulk_copies()) return;
    stored_in_turn<<<1, n>>>(in, out);
    std::vector<int> want = input();
    for (int& value : want) ++value;
    CHECK_EQUAL(out.read(), want);
}

CHECKS_MAIN("silent_bulk")
