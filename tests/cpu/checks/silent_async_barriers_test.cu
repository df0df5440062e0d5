// Correct programs with asynchronous copies that a barrier or a block's pipeline tracks, some of them
// unusual.
#include "async.cuh"

// ---- barriers -----------------------------------------------------------------------------------------------

__global__ void two_phases_for_each_tile(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        cuda::memcpy_async(cg::this_thread_block(), tile, in + i * n, sizeof(int) * n, *barrier);
        barrier->arrive_and_wait();
        sum += tile[n - 1 - threadIdx.x];
        barrier->arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}
SILENT("a phase for the copy and one for its readers") {
    check_sums(two_phases_for_each_tile);
}

__global__ void work_between_arrival_and_wait(int* in, int* out) {
    __shared__ int tile[n], own[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);
    auto token = barrier->arrive();
    own[threadIdx.x] = 2;
    out[threadIdx.x] = own[threadIdx.x] - 2;
    barrier->wait(MOVE(token));
    out[threadIdx.x] += tile[n - 1 - threadIdx.x];
}
SILENT("work that has nothing to do with the copy, between arrive() and wait()") {
    check_sums(work_between_arrival_and_wait, 1);
}

__global__ void one_thread_copies(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    if (threadIdx.x == 7) cuda::memcpy_async(tile, in, sizeof(int) * n, *barrier);
    barrier->arrive_and_wait();
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("one thread copies for all, all wait for the phase") {
    check_sums(one_thread_copies, 1);
}

__global__ void one_waits_for_the_others(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);
    auto token = barrier->arrive();
    if (threadIdx.x == 0) barrier->wait(MOVE(token));
    __syncthreads();
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("one thread waits for the phase, the others for that thread") {
    check_sums(one_waits_for_the_others, 1);
}

__global__ void a_barrier_for_each_stage(int* in, int* out) {
    __shared__ int stage[2][n];
    BARRIER(even);
    BARRIER(odd);
    int sum = 0;
    cuda::memcpy_async(cg::this_thread_block(), stage[0], in, sizeof(int) * n, *even);
    Barrier::arrival_token tokens[2];
    tokens[0] = even->arrive();
    for (int i = 0; i < tiles; ++i) {
        if (i + 1 < tiles) {
            Barrier* const next = i % 2 ? even : odd;
            cuda::memcpy_async(cg::this_thread_block(), stage[(i + 1) % 2], in + (i + 1) * n, sizeof(int) * n,
                               *next);
            tokens[(i + 1) % 2] = next->arrive();
        }
        (i % 2 ? odd : even)->wait(MOVE(tokens[i % 2]));
        sum += stage[i % 2][n - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
SILENT("two stages, a barrier for each, tokens in an array") {
    check_sums(a_barrier_for_each_stage);
}

__global__ void waits_by_parity(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        cuda::memcpy_async(tile + threadIdx.x, in + i * n + threadIdx.x, sizeof(int), *barrier);
        (void)barrier->arrive();
        barrier->wait_parity(i % 2 != 0);
        sum += tile[n - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
SILENT("the token is dropped, and the parity of the phase known") {
    check_sums(waits_by_parity);
}

__global__ void token_of_the_phase_before(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), *barrier);
    auto token = barrier->arrive();
    if (threadIdx.x < 32) {
        barrier->wait(MOVE(token));
        (void)barrier->arrive();  // the next phase has begun
    }
    __syncthreads();
    if (threadIdx.x >= 32) barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
SILENT("who waits late has the token of the phase before") {
    check_sums(token_of_the_phase_before, 1);
}

// ---- pipelines of a block -----------------------------------------------------------------------------------

template <int Stages>
__global__ void block_pipelines(int* in, int* out) {
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;
    __shared__ int stage[Stages][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int sum = 0;
    for (int i = 0, begun = 0; i < tiles; ++i) {
        for (; begun < tiles && begun < i + Stages; ++begun) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[begun % Stages], in + begun * n, sizeof(int) * n, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[i % Stages][n - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
SILENT("a block's pipeline of one stage") {
    check_sums(block_pipelines<1>);
}
SILENT("a block's pipeline of two stages") {
    check_sums(block_pipelines<2>);
}
SILENT("a block's pipeline of three stages") {
    check_sums(block_pipelines<3>);
}
SILENT("a block's pipeline of four stages") {
    check_sums(block_pipelines<4>);
}

enum class Roles { count, each };
template <int Stages, Roles roles>
__global__ void producers_and_consumers(int* in, int* out) {
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;
    __shared__ int stage[Stages][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = roles == Roles::count ? cuda::make_pipeline(block, state, 32)
                                      : cuda::make_pipeline(block, state, role);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        if (produces) {
            pipe.producer_acquire();
            for (unsigned k = threadIdx.x; k < n; k += 32)
                cuda::memcpy_async(&stage[i % Stages][k], in + i * n + k, sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += stage[i % Stages][n - 1 - (threadIdx.x - 32)];
            pipe.consumer_release();
        }
    }
    if (!produces) out[threadIdx.x - 32] = sum;
}
SILENT("one warp produces, the others consume") {
    check_sums(producers_and_consumers<2, Roles::count>, tiles, n + 32);
}
SILENT("each thread says whether it produces") {
    check_sums(producers_and_consumers<3, Roles::each>, tiles, n + 32);
}

__global__ void written_in_place(int* in, int* out) {
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
    __shared__ int stage[2][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, stage[i % 2], in + i * n, sizeof(int) * n, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        stage[i % 2][threadIdx.x] += 1;
        block.sync();
        sum += stage[i % 2][n - 1 - threadIdx.x] - 1;
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
SILENT("a stage is changed before it is released") {
    check_sums(written_in_place);
}

CHECKS_MAIN("silent_async_barriers")
