// Asynchronous copies: their results with each of CUDA's interfaces, and what a wait guarantees.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "conformance.cuh"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

static std::vector<int> counted(int n) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = 3 * i + 1;
    return values;
}

/// Returns the input with each block of `tile` elements reversed.
static std::vector<int> reversed(const std::vector<int>& in, int tile) {
    std::vector<int> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i / tile * tile + tile - 1 - i % tile];
    return out;
}

constexpr int tile_size = 64;

template <class Copy>
__device__ void reverse_tile(const int* in, int* out, Copy copy) {
    __shared__ alignas(16) int tile[tile_size];
    const int first = static_cast<int>(blockIdx.x) * tile_size;
    copy(tile, in + first);
    for (unsigned i = threadIdx.x; i < tile_size; i += blockDim.x) out[first + i] = tile[tile_size - 1 - i];
}

__global__ void by_group(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        const auto block = cg::this_thread_block();
        cg::memcpy_async(block, tile, from, sizeof(int) * tile_size);
        cg::wait(block);
    });
}
__global__ void by_group_in_elements(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        const auto block = cg::this_thread_block();
        cg::memcpy_async(block, tile, +tile_size, from, tile_size + 5);
        cg::wait(block);
    });
}
__global__ void by_aligned_group(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        const auto block = cg::this_thread_block();
        cg::memcpy_async(block, tile, from, cuda::aligned_size_t<16>(sizeof(int) * tile_size));
        cg::wait(block);
    });
}
__global__ void by_barrier(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
        Barrier* const barrier = reinterpret_cast<Barrier*>(room);
        const auto block = cg::this_thread_block();
        if (threadIdx.x == 0) init(barrier, blockDim.x);
        block.sync();
        cuda::memcpy_async(block, tile, from, cuda::aligned_size_t<16>(sizeof(int) * tile_size), *barrier);
        barrier->arrive_and_wait();
    });
}
__global__ void by_threads_and_barrier(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
        Barrier* const barrier = reinterpret_cast<Barrier*>(room);
        if (threadIdx.x == 0) init(barrier, blockDim.x);
        __syncthreads();
        for (unsigned i = threadIdx.x; i < tile_size; i += blockDim.x)
            cuda::memcpy_async(tile + i, from + i, sizeof(int), *barrier);
        Barrier::arrival_token token = barrier->arrive();
        barrier->wait(static_cast<Barrier::arrival_token&&>(token));
    });
}
__global__ void by_thread_pipeline(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        auto pipe = cuda::make_pipeline();
        pipe.producer_acquire();
        for (unsigned i = threadIdx.x; i < tile_size; i += blockDim.x)
            cuda::memcpy_async(tile + i, from + i, cuda::aligned_size_t<4>(sizeof(int)), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        pipe.consumer_release();
    });
}
__global__ void by_primitives(const int* in, int* out) {
    reverse_tile(in, out, [](int* tile, const int* from) {
        for (unsigned i = threadIdx.x; i < tile_size; i += blockDim.x)
            __pipeline_memcpy_async(tile + i, from + i, sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    });
}

CASE("every interface copies the tile") {
    const std::vector<int> in = counted(4 * tile_size), want = reversed(in, tile_size);
    void (*const kernels[])(const int*, int*) = {by_group,     by_group_in_elements,   by_aligned_group,
                                                 by_barrier,   by_threads_and_barrier, by_thread_pipeline,
                                                 by_primitives};
    const Buffer<int> data(in);
    for (auto kernel : kernels) {
        Buffer<int> out(in.size());
        kernel<<<4, 32>>>(data, out);
        CHECK_EQUAL(out.read(), want);
    }
}

__global__ void zeros_at_the_end(const int* in, int* out, unsigned n) {
    __shared__ alignas(16) int tile[4 * 32];
    const unsigned mine = 4 * threadIdx.x;
    const unsigned left = mine < n ? n - mine : 0, zeros = left < 4 ? 4 - left : 0;
    __pipeline_memcpy_async(tile + mine, in + mine, 16, 4 * zeros);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (unsigned i = 0; i < 4; ++i) out[mine + i] = tile[mine + i];
}
CASE("__pipeline_memcpy_async fills the rest with zeros") {
    std::vector<int> want = counted(128);
    const Buffer<int> in(want);
    Buffer<int> out(128, 7);
    zeros_at_the_end<<<1, 32>>>(in, out, 101);
    for (int i = 101; i < 128; ++i) want[i] = 0;
    CHECK_EQUAL(out.read(), want);
}

__global__ void ragged(const char* in, char* out, int from, int n) {
    __shared__ char tile[256];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + from, n);
    cg::wait(block);
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) out[i] = tile[i];
}
CASE("any number of bytes from any address") {
    std::vector<char> in(300);
    for (int i = 0; i < 300; ++i) in[i] = static_cast<char>(i * 7);
    const Buffer<char> data(in);
    for (int from : {0, 1, 4, 8, 13})
        for (int n : {0, 1, 31, 64, 255}) {
            Buffer<char> out(256, 'x');
            ragged<<<1, 64>>>(data, out, from, n);
            std::vector<char> want(256, 'x');
            for (int i = 0; i < n; ++i) want[i] = in[from + i];
            CHECK_EQUAL(out.read(), want);
        }
}

/// Sums each column of the tiles with a pipeline of stages: the next tile is in flight while the current tile
/// is added.
template <int Stages>
__global__ void two_stages_of_groups(const int* in, int* out, int tiles) {
    __shared__ int stage[Stages][tile_size];
    const auto block = cg::this_thread_block();
    for (int i = 0; i < Stages - 1 && i < tiles; ++i)
        cg::memcpy_async(block, stage[i], in + i * tile_size, sizeof(int) * tile_size);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        const int next = i + Stages - 1;
        if (next < tiles) {
            cg::memcpy_async(block, stage[next % Stages], in + next * tile_size, sizeof(int) * tile_size);
            cg::wait_prior<Stages - 1>(block);
        } else {
            cg::wait(block);
        }
        sum += stage[i % Stages][tile_size - 1 - threadIdx.x];
        block.sync();
    }
    out[threadIdx.x] = sum;
}
template <int Stages>
__global__ void stages_of_a_block(const int* in, int* out, int tiles) {
    __shared__ int stage[Stages][tile_size];
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;
    __shared__ alignas(State) unsigned char room[sizeof(State)];
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, reinterpret_cast<State*>(room));
    int sum = 0;
    for (int i = 0, begun = 0; i < tiles; ++i) {
        for (; begun < tiles && begun < i + Stages; ++begun) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[begun % Stages], in + begun * tile_size, sizeof(int) * tile_size,
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[i % Stages][tile_size - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
template <int Stages>
__global__ void stages_of_a_thread(const int* in, int* out, int tiles) {
    __shared__ int stage[Stages][tile_size];
    auto pipe = cuda::make_pipeline();
    int sum = 0;
    for (int i = 0, begun = 0; i < tiles; ++i) {
        for (; begun < i + Stages; ++begun) {  // stages beyond the end stay empty, so that the count of
                                               // stages is right
            pipe.producer_acquire();
            if (begun < tiles)
                cuda::memcpy_async(&stage[begun % Stages][threadIdx.x], in + begun * tile_size + threadIdx.x,
                                   sizeof(int), pipe);
            pipe.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<Stages - 1>(pipe);
        __syncthreads();
        sum += stage[i % Stages][tile_size - 1 - threadIdx.x];
        __syncthreads();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
/// A kernel in which the first warp copies and the other warps add.
__global__ void producers_and_consumers(const int* in, int* out, int tiles) {
    constexpr int stages = 3;
    __shared__ int stage[stages][tile_size];
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
    __shared__ alignas(State) unsigned char room[sizeof(State)];
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, reinterpret_cast<State*>(room), 32);
    if (threadIdx.x < 32) {
        for (int i = 0; i < tiles; ++i) {
            pipe.producer_acquire();
            for (unsigned k = threadIdx.x; k < tile_size; k += 32)
                cuda::memcpy_async(&stage[i % stages][k], in + i * tile_size + k, sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; ++i) {
            pipe.consumer_wait();
            sum += stage[i % stages][tile_size - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
        out[threadIdx.x - 32] = sum;
    }
}

CASE("pipelines of two, three and four stages add the same tiles") {
    const int tiles = 9;
    const std::vector<int> in = counted(tiles * tile_size);
    std::vector<int> want(tile_size);
    for (int i = 0; i < tiles; ++i)
        for (int t = 0; t < tile_size; ++t) want[t] += in[i * tile_size + tile_size - 1 - t];
    void (*const kernels[])(const int*, int*, int) = {
        two_stages_of_groups<2>, two_stages_of_groups<3>, two_stages_of_groups<4>,
        stages_of_a_block<2>,    stages_of_a_block<3>,    stages_of_a_block<4>,
        stages_of_a_thread<2>,   stages_of_a_thread<3>,   stages_of_a_thread<4>};
    const Buffer<int> data(in);
    for (auto kernel : kernels) {
        Buffer<int> out(tile_size);
        kernel<<<1, tile_size>>>(data, out, tiles);
        CHECK_EQUAL(out.read(), want);
    }
    Buffer<int> out(tile_size);
    producers_and_consumers<<<1, tile_size + 32>>>(data, out, tiles);
    CHECK_EQUAL(out.read(), want);
}

CONFORMANCE_MAIN("async_copy")
