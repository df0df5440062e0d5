// For tests of asynchronous copies: a block of n threads, tiles of n elements, and barriers in shared memory.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "checks.cuh"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int n = 64, tiles = 6;

/// Declares shared memory for an object, without calling its constructor.
#define ROOM(Type, name)                                              \
    __shared__ alignas(Type) unsigned char name##_room[sizeof(Type)]; \
    Type* const name = reinterpret_cast<Type*>(name##_room)
#define BARRIER(name)                             \
    ROOM(Barrier, name);                          \
    if (threadIdx.x == 0) init(name, blockDim.x); \
    __syncthreads()
#define MOVE(token) static_cast<Barrier::arrival_token&&>(token)

/// Runs one block of the kernel on 16 tiles of input.
template <class Kernel>
void run(Kernel kernel) {
    Buffer<int> in(16 * n), out(n);
    kernel<<<1, n>>>(in, out);
}

/// Returns the input, in which in[i] is i. Each kernel adds the elements of its opposite thread: out[t] is
/// the sum of in[63 - t] over all tiles.
inline std::vector<int> input() {
    std::vector<int> values(16 * n);
    for (int i = 0; i < 16 * n; ++i) values[i] = i;
    return values;
}
template <class Kernel>
void check_sums(Kernel kernel, int of_tiles = tiles, int threads = n) {
    Buffer<int> in(input()), out(n);
    kernel<<<1, threads>>>(in, out);
    const std::vector<int> sums = out.read();
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t)
        for (int i = 0; i < of_tiles; ++i) want[t] += i * n + n - 1 - t;
    CHECK_EQUAL(sums, want);
}
