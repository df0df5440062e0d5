// wrong: The loop is fired and forgotten beside its round, and looks at the result before there is one.
// diagnosis: race on
// backends: cpu (on a GPU the round may come first)
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"
#include "kit.cuh"

namespace nested {

__global__ void set_up(int* labels, int n, LoopState* state) {
    int v = blockIdx.x * kBlock + threadIdx.x;
    if (v < n) labels[v] = v;
    if (v == 0) *state = {1, 0};
}

__device__ int read_atomically(int* value) {
    return atomicAdd(value, 0);
}

__global__ void one_round(const Edge* edges, int m, int* labels, LoopState* state) {
    int e = blockIdx.x * kBlock + threadIdx.x;
    if (e >= m) return;
    Edge edge = edges[e];
    int a = read_atomically(&labels[edge.a]);
    int b = read_atomically(&labels[edge.b]);
    if (a == b) return;
    atomicMin(a < b ? &labels[edge.b] : &labels[edge.a], min(a, b));
    atomicExch(&state->changed, 1);
}

void loop_v1_by_host(const Edge* edges, int m, int* labels, int most_rounds, LoopState* state) {
    for (LoopState now = {1, 0}; now.changed != 0 && now.rounds < most_rounds;) {
        now = {0, now.rounds + 1};
        CUDA_CHECK(cudaMemcpyAsync(state, &now, sizeof now, cudaMemcpyHostToDevice));
        if (m > 0) one_round<<<kit::ceil_div(m, kBlock), kBlock>>>(edges, m, labels, state);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(&now, state, sizeof now, cudaMemcpyDeviceToHost));
    }
}

void host_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state) {
    set_up<<<kit::ceil_div(n, kBlock), kBlock>>>(labels, n, state);
    CUDA_CHECK_LAUNCH();
    loop_v1_by_host(edges, m, labels, most_rounds, state);
}

__global__ void loop_v2_by_tail(const Edge* edges, int m, int* labels, int most_rounds, LoopState* state) {
    if (state->changed == 0 || state->rounds == most_rounds) return;
    ++state->rounds;
    state->changed = 0;

    if (m > 0) one_round<<<kit::ceil_div(m, kBlock), kBlock>>>(edges, m, labels, state);
    if (cudaGetLastError() != cudaSuccess) __trap();
    loop_v2_by_tail<<<1, 1, 0, cudaStreamFireAndForget>>>(edges, m, labels, most_rounds, state);
    if (cudaGetLastError() != cudaSuccess) __trap();
}

void tail_loop(const Edge* edges, int m, int* labels, int n, int most_rounds, LoopState* state) {
    set_up<<<kit::ceil_div(n, kBlock), kBlock>>>(labels, n, state);
    CUDA_CHECK_LAUNCH();
    loop_v2_by_tail<<<1, 1>>>(edges, m, labels, most_rounds, state);
    CUDA_CHECK_LAUNCH();
}

}  // namespace nested
