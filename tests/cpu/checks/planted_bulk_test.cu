// Mistakes with bulk copies (sm_90): bytes that no phase expects, addresses that are not multiples of 16, no
// wait.
#include <cuda/barrier>
#include <cuda/ptx>

#include "checks.cuh"

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
constexpr int n = 64;
constexpr int tile_bytes = n * static_cast<int>(sizeof(int));

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define BULK 1
#else
#define BULK 0  // the kernels are empty on a device without bulk copies
#endif

#define MOVE(token) static_cast<Barrier::arrival_token&&>(token)
#define TILE_AND_BARRIER                                             \
    __shared__ alignas(16) int tile[2 * n];                          \
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)]; \
    Barrier* const barrier = reinterpret_cast<Barrier*>(room);       \
    if (threadIdx.x == 0) init(barrier, blockDim.x);                 \
    __syncthreads()

template <class Kernel>
static void run(Kernel kernel) {
    Buffer<int> in(16 * n), out(16 * n);
    kernel<<<1, n>>>(in, out);
}

#if BULK

__global__ void not_expected(const int* in, int* out) {
    TILE_AND_BARRIER;
    if (threadIdx.x == 0)
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
    barrier->arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("a phase does not wait for bytes that nobody expects", "race", "may still be writing it") {
    run(not_expected);
}

__global__ void elements_expected(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);
        token = cuda::device::barrier_arrive_tx(*barrier, 1, n);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));  // <-
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("elements are expected, bytes come", "deadlock",
        "the barrier expects 64 bytes, and the bulk copies of this phase bring 256 bytes") {
    run(elements_expected);
}

__global__ void elements_copied(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(n), *barrier);
        token = cuda::device::barrier_arrive_tx(*barrier, 1, n);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("as many bytes as there are elements", "uninitialised",
        "It copied 64 bytes, but 64 elements of 4 bytes have 256 bytes") {
    run(elements_copied);
}

__global__ void expected_by_all(const int* in, int* out) {
    TILE_AND_BARRIER;
    if (threadIdx.x == 0)
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);
    Barrier::arrival_token token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    barrier->wait(MOVE(token));  // <-
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("one thread copies, all expect the bytes", "deadlock", "the barrier expects 16384 bytes") {
    run(expected_by_all);
}

__global__ void source_misaligned(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in + 1, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the source is no multiple of 16", "misaligned", "its source is 4 bytes after a multiple of 16") {
    run(source_misaligned);
}

__global__ void destination_misaligned(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile + 2, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the destination is no multiple of 16", "misaligned", "its destination is 8 bytes after") {
    run(destination_misaligned);
}

__global__ void size_misaligned(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes - 4), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes - 4);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the size is no multiple of 16", "misaligned", "its size of 252 bytes is not a multiple of 16") {
    run(size_misaligned);
}

__global__ void read_before_the_wait(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    } else {
        token = barrier->arrive();
    }
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    barrier->wait(MOVE(token));
}
PLANTED("a bulk copy is read before the wait", "race", "asynchronous copy") {
    run(read_before_the_wait);
}

__global__ void only_one_waits(const int* in, int* out) {
    TILE_AND_BARRIER;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        auto token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
        barrier->wait(MOVE(token));
    } else {
        (void)barrier->arrive();
    }
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("only the thread that copies waits", "race", "asynchronous copy") {
    run(only_one_waits);
}

__global__ void stored_without_barrier(const int* in, int* out) {
    __shared__ alignas(16) int tile[n];
    tile[threadIdx.x] = in[threadIdx.x];  // <-
    ptx::fence_proxy_async(ptx::space_shared);
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, tile_bytes);  // <-
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
PLANTED("no barrier between writing the tile and its bulk store", "race", "asynchronous copy") {
    run(stored_without_barrier);
}

__global__ void tile_reused(const int* in, int* out) {
    __shared__ alignas(16) int tile[n];
    for (int i = 0; i < 3; ++i) {
        tile[threadIdx.x] = in[i * n + threadIdx.x];  // <-
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + i * n, tile, tile_bytes);  // <-
            ptx::cp_async_bulk_commit_group();
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
PLANTED("the tile is written again while its bulk store reads it", "race", "may still be reading it") {
    run(tile_reused);
}

__global__ void left_too_early(const int* in, int* out) {
    __shared__ alignas(16) int tile[n];
    tile[threadIdx.x] = in[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, tile_bytes);  // <-
        ptx::cp_async_bulk_commit_group();
    }
}
PLANTED("the block ends while its bulk store reads its memory", "address",
        "the block ends before this copy") {
    run(left_too_early);
}

__global__ void from_global_to_global(const int* in, int* out) {
    TILE_AND_BARRIER;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(out, in, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("a bulk copy from global to global memory", "address", "its destination is not shared memory") {
    run(from_global_to_global);
}

__global__ void beyond_the_source(const int* in, int* out) {
    TILE_AND_BARRIER;
    const int* const end = in + 16 * n - 4;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, end, cuda::aligned_size_t<16>(tile_bytes), *barrier);  // <-
        token = cuda::device::barrier_arrive_tx(*barrier, 1, tile_bytes);
    } else {
        token = barrier->arrive();
    }
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("a bulk copy beyond the end of its source", "address", "reads") {
    run(beyond_the_source);
}

#endif

CHECKS_MAIN("planted_bulk")
