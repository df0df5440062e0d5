// Litmus tests: up to four threads, two or three plain or atomic variables, and the values that each thread
// reads.
//
//   LITMUS(mp_relaxed, { *x = 1; at_device(y).store(1, relaxed); }, { if (at_device(y).load(relaxed)) out[0] = *x; })  // <-
//   PLANTED("MP, both sides relaxed", "race", "no fence") {
//       apart(mp_relaxed);
//   }
//
// All threads of a shape are on one line, because the harness marks lines. The names are those of the
// literature: MP is message passing, SB store buffering, LB load buffering, IRIW independent reads of
// independent writes, 2+2W two plus two writes; R, S, WRC and ISA2 have no longer name. The expected results
// follow the PTX memory model (PTX ISA, "Memory Consistency Model"): two accesses, one of them a write, race
// unless causality orders them or both are atomic with scopes that include each other's thread.
#pragma once

#include <cuda/atomic>

#include "checks.cuh"

constexpr auto relaxed = cuda::memory_order_relaxed;
constexpr auto acquire = cuda::memory_order_acquire;
constexpr auto release = cuda::memory_order_release;
constexpr auto acq_rel = cuda::memory_order_acq_rel;
constexpr auto seq_cst = cuda::memory_order_seq_cst;

__device__ inline cuda::atomic_ref<int, cuda::thread_scope_block> at_block(int* variable) {
    return cuda::atomic_ref<int, cuda::thread_scope_block>(*variable);
}
__device__ inline cuda::atomic_ref<int, cuda::thread_scope_device> at_device(int* variable) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(*variable);
}
__device__ inline cuda::atomic_ref<int, cuda::thread_scope_system> at_system(int* variable) {
    return cuda::atomic_ref<int, cuda::thread_scope_system>(*variable);
}

/// Returns the number of the thread in the shape: its block, or its warp if the grid has one block.
__device__ inline unsigned role() {
    return blockIdx.x + threadIdx.x / 32;
}

#define LITMUS(kernel, ...) LITMUS_PICK(__VA_ARGS__, LITMUS_4, LITMUS_3, LITMUS_2, )(kernel, __VA_ARGS__)
#define LITMUS_PICK(a, b, c, d, which, ...) which
#define LITMUS_2(kernel, a, b) LITMUS_4(kernel, a, b, {}, {})
#define LITMUS_3(kernel, a, b, c) LITMUS_4(kernel, a, b, c, {})
#define LITMUS_4(kernel, a, b, c, d)                                                                         \
    static __global__ void kernel([[maybe_unused]] int* x, [[maybe_unused]] int* y, [[maybe_unused]] int* z, \
                                  [[maybe_unused]] int* out) {                                               \
        if (threadIdx.x % 32 != 0) return;                                                                   \
        if (role() == 0) a;                                                                                  \
        if (role() == 1) b;                                                                                  \
        if (role() == 2) c;                                                                                  \
        if (role() == 3) d;                                                                                  \
    }

/// The values that the threads have read, and the final values of the variables.
struct Outcome {
    int out[4];
    int x, y, z;
};

using Shape = void (*)(int*, int*, int*, int*);

inline Outcome run_shape(Shape kernel, unsigned blocks, unsigned threads) {
    Buffer<int> memory(3 * 64 + 4);  // each variable is in its own cache line
    int* const first = memory;
    kernel<<<blocks, threads>>>(first, first + 64, first + 128, first + 192);
    const std::vector<int> after = memory.read();
    return {{after[192], after[193], after[194], after[195]}, after[0], after[64], after[128]};
}
/// Runs each thread of the shape in its own block.
inline Outcome apart(Shape kernel) {
    return run_shape(kernel, 4, 32);
}
/// Runs each thread of the shape in its own warp of one block.
inline Outcome together(Shape kernel) {
    return run_shape(kernel, 1, 128);
}
