// Correct programs with asynchronous copies of groups and threads, some of them unusual: a pipeline of tiles
// with a few stages, with each of CUDA's interfaces.
#include "async.cuh"

__global__ void one_tile_at_a_time(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        cg::memcpy_async(block, tile, in + i * n, sizeof(int) * n);
        cg::wait(block);
        sum += tile[n - 1 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}
SILENT("one tile at a time") {
    check_sums(one_tile_at_a_time);
}

__global__ void no_barrier_behind_the_last(int* in, int* out) {
    __shared__ int stage[tiles][n];
    const auto block = cg::this_thread_block();
    for (int i = 0; i < tiles; ++i) cg::memcpy_async(block, stage[i], in + i * n, sizeof(int) * n);
    cg::wait(block);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) sum += stage[i][n - 1 - threadIdx.x];
    out[threadIdx.x] = sum;
}
SILENT("all tiles at once, one wait") {
    check_sums(no_barrier_behind_the_last);
}

template <int Stages>
__global__ void groups_in_flight(int* in, int* out) {
    __shared__ int stage[Stages][n];
    const auto block = cg::this_thread_block();
    for (int i = 0; i < Stages - 1; ++i) cg::memcpy_async(block, stage[i], in + i * n, sizeof(int) * n);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        const int next = i + Stages - 1;
        if (next < tiles)
            cg::memcpy_async(block, stage[next % Stages], in + next * n, sizeof(int) * n);
        else
            cg::memcpy_async(block, stage[0], in, 0);  // an empty group, so that the number of groups is
                                                       // right
        cg::wait_prior<Stages - 1>(block);
        sum += stage[i % Stages][n - 1 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}
SILENT("two stages of groups, with empty ones at the end") {
    check_sums(groups_in_flight<2>);
}
SILENT("three stages of groups") {
    check_sums(groups_in_flight<3>);
}
SILENT("four stages of groups") {
    check_sums(groups_in_flight<4>);
}

__global__ void copied_by_a_warp(int* in, int* out) {
    __shared__ int tile[2][32];
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int* const mine = tile[threadIdx.x / 32];
    cg::memcpy_async(warp, mine, in + threadIdx.x / 32 * 32, sizeof(int) * 32);
    cg::wait(warp);
    out[threadIdx.x] = mine[31 - threadIdx.x % 32];
}
SILENT("each warp copies for itself and waits for itself") {
    Buffer<int> in(input()), out(n);
    copied_by_a_warp<<<1, n>>>(in, out);
    CHECK_EQUAL(out.read()[0], 31);
    CHECK_EQUAL(out.read()[63], 32);
}

__global__ void other_memory_meanwhile(int* in, int* out) {
    __shared__ int tile[n], own[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);
    own[threadIdx.x] = in[threadIdx.x];  // the source may be read while the copy is in flight
    in[8 * n + threadIdx.x] = 1;         // elements next to the source may be written
    cg::wait(block);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x] + own[threadIdx.x] * 0;
}
SILENT("the source is read and its neighbours are written meanwhile") {
    check_sums(other_memory_meanwhile, 1);
}

__global__ void half_and_half(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n / 2);
    if (threadIdx.x < n / 2) tile[n / 2 + threadIdx.x] = in[n / 2 + threadIdx.x];
    cg::wait(block);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("half of the tile is copied, the other half written meanwhile") {
    check_sums(half_and_half, 1);
}

__global__ void source_overwritten_after(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);
    cg::wait(block);
    in[threadIdx.x] = -1;
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("the source is overwritten behind the wait") {
    check_sums(source_overwritten_after, 1);
}

__global__ void same_source_twice(int* in, int* out) {
    __shared__ int tile[2][n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], in, sizeof(int) * n);
    cg::memcpy_async(block, tile[1], in, sizeof(int) * n);
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x % 2][n - 1 - threadIdx.x];
}
SILENT("two copies read one source") {
    check_sums(same_source_twice, 1);
}

__global__ void never_read(int* in, int* out) {
    __shared__ int stage[2][n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage[0], in, sizeof(int) * n);
    cg::memcpy_async(block, stage[1], in + n, sizeof(int) * n);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = stage[0][n - 1 - threadIdx.x];
}
SILENT("what is fetched ahead is never read, nor waited for") {
    check_sums(never_read, 1);
}

__global__ void into_dynamic_memory(int* in, int* out) {
    extern __shared__ int stages[];
    const auto block = cg::this_thread_block();
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        int* const tile = stages + i % 2 * n;
        cg::memcpy_async(block, tile, in + i * n, sizeof(int) * n);
        cg::wait(block);
        sum += tile[n - 1 - threadIdx.x];  // the barrier in the next wait separates this read from the next
                                           // copy
    }
    out[threadIdx.x] = sum;
}
SILENT("two stages need one barrier for each tile") {
    Buffer<int> in(input()), out(n);
    into_dynamic_memory<<<1, n, 2 * n * sizeof(int)>>>(in, out);
    CHECK_EQUAL(out.read()[63], 5 * 6 / 2 * n);
}

// ---- threads ------------------------------------------------------------------------------------------------

__global__ void own_elements(int* in, int* out) {
    __shared__ int tile[n];
    __pipeline_memcpy_async(tile + threadIdx.x, in + n - 1 - threadIdx.x, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}
SILENT("a thread that reads its own elements needs no barrier") {
    check_sums(own_elements, 1);
}

__global__ void several_in_a_group(int* in, int* out) {
    __shared__ int stage[tiles][n];
    for (int i = 0; i < tiles; ++i) {
        __pipeline_memcpy_async(&stage[i][threadIdx.x], in + i * n + threadIdx.x, sizeof(int));
        if (i % 2) __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += stage[i][n - 1 - threadIdx.x];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 4; i < tiles; ++i) sum += stage[i][n - 1 - threadIdx.x];
    out[threadIdx.x] = sum;
}
SILENT("groups of two copies each") {
    check_sums(several_in_a_group);
}

__global__ void warp_barrier_is_enough(int* in, int* out) {
    __shared__ int tile[n];
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x ^ 31];
}
SILENT("within a warp __syncwarp behind the wait is enough") {
    Buffer<int> in(input()), out(n);
    warp_barrier_is_enough<<<1, n>>>(in, out);
    CHECK_EQUAL(out.read()[32], 63);
}

__global__ void wide_pieces(const int4* in, int* out) {
    __shared__ int4 tile[n / 4];
    if (threadIdx.x < n / 4) __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<const int*>(tile)[n - 1 - threadIdx.x];
}
SILENT("a quarter of the threads copies 16 bytes each") {
    Buffer<int> in(input()), out(n);
    wide_pieces<<<1, n>>>(reinterpret_cast<const int4*>(in.data()), out);
    CHECK_EQUAL(out.read()[0], 63);
}

template <int Stages>
__global__ void thread_pipelines(int* in, int* out) {
    __shared__ int stage[Stages][n];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int i = 0, begun = 0; i < tiles; ++i) {
        for (; begun < tiles && begun < i + Stages; ++begun) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[begun % Stages][threadIdx.x], in + begun * n + threadIdx.x, sizeof(int),
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        sum += stage[i % Stages][n - 1 - threadIdx.x];
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
SILENT("a thread's pipeline of two stages") {
    check_sums(thread_pipelines<2>);
}
SILENT("a thread's pipeline of three stages") {
    check_sums(thread_pipelines<3>);
}

// ---- many blocks --------------------------------------------------------------------------------------------

__global__ void blocks_share_a_source(const int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);
    cg::wait(block);
    out[blockIdx.x * n + threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("many blocks copy from one place") {
    Buffer<int> in(input()), out(50 * n);
    blocks_share_a_source<<<50, n>>>(in, out);
    CHECK_EQUAL(out.read()[49 * n], 63);
}

__global__ void ping_pong(int* a, int* b, int steps) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    const auto grid = cg::this_grid();
    const unsigned other = (blockIdx.x + 1) % gridDim.x;
    for (int i = 0; i < steps; ++i) {
        cg::memcpy_async(block, tile, a + other * n, sizeof(int) * n);
        cg::wait(block);
        b[blockIdx.x * n + threadIdx.x] = tile[threadIdx.x] + 1;
        grid.sync();
        int* const last = a;
        a = b;
        b = last;
    }
}
SILENT("the grid's barrier stands between a copy and who writes its source") {
    Buffer<int> a(4 * n, 0), b(4 * n, 0);
    int *first = a, *second = b, steps = 6;
    void* arguments[] = {&first, &second, &steps};
    CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(ping_pong), dim3(4), dim3(n),
                                           arguments, 0, nullptr),
               cudaSuccess);
    CHECK_EQUAL(a.read()[5], 6);
}

__global__ void handed_to_another_block(int* in, int* flag, int* out) {
    __shared__ int tile[n];
    if (blockIdx.x == 0) {
        const auto block = cg::this_thread_block();
        cg::memcpy_async(block, tile, in, sizeof(int) * n);
        cg::wait(block);
        out[threadIdx.x] = tile[n - 1 - threadIdx.x];
        __threadfence();
        block.sync();
        if (threadIdx.x == 0) atomicExch(flag, 1);
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0) {
            }
        __threadfence();
        __syncthreads();
        in[threadIdx.x] = -1;
    }
}
SILENT("another block overwrites the source when it is told that the copy is done") {
    Buffer<int> in(input()), flag(1), out(n);
    handed_to_another_block<<<2, n>>>(in, flag, out);
    CHECK_EQUAL(out.read()[0], 63);
}

CHECKS_MAIN("silent_async")
