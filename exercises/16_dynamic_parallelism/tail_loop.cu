// 16_dynamic_parallelism/tail_loop: a loop until nothing changes, without the host.
//
// Build: nvcc -std=c++17 -rdc=true -I../../common -I../../tests tail_loop.cu
//        ../../tests/16_dynamic_parallelism/tail_loop_test.cu -o tail_loop
// Run:   ./tail_loop
//
//   v1  loop_v1_by_host: the host launches each round, and waits for its result (given)
//   v2  loop_v2_by_tail: a kernel of one thread launches a round, and itself into its tail

#include <cuda/atomic>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__global__ void set_up(int* labels, int n, LoopState* state) {
    int v = blockIdx.x * kBlock + threadIdx.x;
    if (v < n) labels[v] = v;
    if (v == 0) *state = {1, 0};
}

/// Returns a value that other threads may be changing at the same time.
__device__ int read_atomically(int* value) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(*value).load(cuda::memory_order_relaxed);
}

/// One round: gives the smaller of the two labels to both ends of each edge.
__global__ void one_round(const Edge* edges, int m, int* labels, LoopState* state) {
    int e = blockIdx.x * kBlock + threadIdx.x;
    if (e >= m) return;
    Edge edge = edges[e];
    int a = read_atomically(&labels[edge.a]);
    int b = read_atomically(&labels[edge.b]);
    if (a == b) return;
    // TODO(1): Give the smaller label to the other end. Threads of other edges may be updating the same label; make sure that
    // the smallest one remains. Then set state->changed to 1, also atomically. About 2 lines.
    KIT_TODO(1, a, b, labels, state);
}

// v1: the host launches each round, and waits for its result.
// Mapping : one thread per edge.
// Cost    : per round, one launch and one copy of four bytes, and the host waits for the copy.
// Requires: nothing.
// Next    : the host only forwards a result from the device; see v2.
// [v1]
void loop_v1_by_host(const Edge* edges, int m, int* labels, int most_rounds, LoopState* state) {
    for (LoopState now = {1, 0}; now.changed != 0 && now.rounds < most_rounds;) {
        now = {0, now.rounds + 1};
        CUDA_CHECK(cudaMemcpyAsync(state, &now, sizeof now, cudaMemcpyHostToDevice));
        if (m > 0) one_round<<<kit::ceil_div(m, kBlock), kBlock>>>(edges, m, labels, state);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost));
    }
}
// [/v1]

void host_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state) {
    set_up<<<kit::ceil_div(n, kBlock), kBlock>>>(labels, n, state);
    CUDA_CHECK_LAUNCH();
    loop_v1_by_host(edges, m, labels, most_rounds, state);
}

// v2: one thread decides, launches a round, and launches itself into its tail, which runs after the round.
// Mapping : one thread; each round has one thread per edge.
// Cost    : two launches per round, none of them by the host.
// Requires: -rdc=true. state->changed is 1 before the first round.
// Next    : a graph with a WHILE node does the same without -rdc; see lecture 17.
// [v2]
__global__ void loop_v2_by_tail(const Edge* edges, int m, int* labels, int most_rounds, LoopState* state) {
    // TODO(2): Stop if the last round changed nothing, or if most_rounds have run. Otherwise count one more round, and assume
    // that it will change nothing. About 3 lines.
    KIT_TODO(2, most_rounds, state);

    // TODO(3): Launch one_round (unless there are no edges), then loop_v2_by_tail so that it runs after the round. If a launch
    // is refused, call __trap(). About 4 lines.
    KIT_TODO(3, edges, m, labels, state);
}
// [/v2]

void tail_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state) {
    set_up<<<kit::ceil_div(n, kBlock), kBlock>>>(labels, n, state);
    CUDA_CHECK_LAUNCH();
    loop_v2_by_tail<<<1, 1>>>(edges, m, labels, most_rounds, state);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested
