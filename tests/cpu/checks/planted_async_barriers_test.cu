// Mistakes with asynchronous copies that a barrier or a block's pipeline tracks: a read before the phase
// ends, a token that is lost or old, a stage that is not released.
#include "async.cuh"

// ---- barriers -----------------------------------------------------------------------------------------------

__global__ void read_before_the_wait(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);  // <-
    auto token = barrier->arrive();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    barrier->wait(MOVE(token));
}
PLANTED("between arrive() and wait() the tile is not there", "race", "may still be writing it") {
    run(read_before_the_wait);
}

__global__ void arrived_twice(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), *barrier);  // <-
    (void)barrier->arrive();
    barrier->wait(barrier->arrive());
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];  // <-
}
PLANTED("the token is dropped, and another arrival made for the wait", "race", "asynchronous copy") {
    run(arrived_twice);
}

__global__ void another_thread_waits(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);  // <-
    auto token = barrier->arrive();
    if (threadIdx.x < 32) barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("each thread must wait, not only the first warp", "race", "may still be writing it") {
    run(another_thread_waits);
}

__global__ void block_barrier_for_the_wait(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);  // <-
    (void)barrier->arrive();
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("__syncthreads() behind the arrival is no wait for the phase", "race", "may still be writing it") {
    run(block_barrier_for_the_wait);
}

__global__ void barrier_object_and_source(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *barrier);  // <-
    auto token = barrier->arrive();
    in[threadIdx.x] = 0;  // <-
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the source is written between arrive() and wait()", "race", "may still be reading it") {
    run(barrier_object_and_source);
}

__global__ void wrong_barrier(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(first);
    BARRIER(second);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof(int) * n, *second);  // <-
    first->arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    second->arrive_and_wait();
}
PLANTED("another barrier than that of the copy", "race", "may still be writing it") {
    run(wrong_barrier);
}

__global__ void old_token(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    auto token = barrier->arrive();
    barrier->wait(MOVE(token));
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        cuda::memcpy_async(tile + threadIdx.x, in + i * n + threadIdx.x, sizeof(int), *barrier);
        (void)barrier->arrive();
        __syncthreads();
        barrier->wait(MOVE(token));  // <-
        __syncthreads();
        sum += tile[threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
PLANTED("the token of the first phase for all of them", "barrier",
        "Wait with the token of the latest arrive()") {
    run(old_token);
}

__global__ void foreign_token(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(first);
    BARRIER(second);
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), *first);
    auto token = first->arrive();
    second->wait(MOVE(token));  // <-
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the token of another barrier", "barrier", "that no arrive() of this barrier has returned") {
    run(foreign_token);
}

__global__ void stage_overwritten(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        cuda::memcpy_async(cg::this_thread_block(), tile, in + i * n, sizeof(int) * n, *barrier);  // <-
        barrier->arrive_and_wait();
        sum += tile[n - 1 - threadIdx.x];  // <-
    }
    out[threadIdx.x] = sum;
}
PLANTED("one phase for each tile, none for its readers", "race", "asynchronous copy") {
    run(stage_overwritten);
}

__global__ void barrier_elements_for_bytes(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    cuda::memcpy_async(cg::this_thread_block(), tile, in, n, *barrier);
    barrier->arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("elements where bytes are meant, with a barrier", "uninitialised",
        "Give the size of a copy in bytes") {
    run(barrier_elements_for_bytes);
}

__global__ void arrived_before_the_copy(int* in, int* out) {
    __shared__ int tile[n];
    BARRIER(barrier);
    auto token = barrier->arrive();
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), *barrier);  // <-
    barrier->wait(MOVE(token));
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("a copy begun behind the arrival may belong to the next phase", "race", "may still be writing it") {
    run(arrived_before_the_copy);
}

// ---- pipelines of a block -----------------------------------------------------------------------------------

using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;

__global__ void without_wait(const int* in, int* out) {
    __shared__ int stage[2][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int sum = 0;
    for (int i = 0, begun = 0; i < 6; ++i) {
        for (; begun < 6 && begun < i + 2; ++begun) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[begun % 2], in + begun * n, sizeof(int) * n, pipe);  // <-
            pipe.producer_commit();
        }
        sum += stage[i % 2][n - 1 - threadIdx.x];  // <-
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
PLANTED("a pipeline without consumer_wait", "race", "asynchronous copy") {
    run(without_wait);
}

__global__ void without_acquire(const int* in, int* out) {
    __shared__ int stage[2][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int sum = 0;
    for (int i = 0, begun = 0; i < 6; ++i) {
        for (; begun < 6 && begun < i + 2; ++begun) {
            cuda::memcpy_async(block, stage[begun % 2], in + begun * n, sizeof(int) * n, pipe);  // <-
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[i % 2][n - 1 - threadIdx.x];  // <-
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
PLANTED("a pipeline without producer_acquire", "race", "asynchronous copy") {
    run(without_acquire);
}

template <int Stages>
__global__ void released_too_early(const int* in, int* out) {
    using Shared = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;
    __shared__ int stage[Stages][n];
    ROOM(Shared, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    int sum = 0;
    for (int i = 0, begun = 0; i < 8; ++i) {
        for (; begun < 8 && begun < i + Stages; ++begun) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[begun % Stages], in + begun * n, sizeof(int) * n, pipe);  // <-
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        pipe.consumer_release();
        sum += stage[i % Stages][n - 1 - threadIdx.x];  // <-
    }
    out[threadIdx.x] = sum;
}
PLANTED("a stage is released before it is read", "race", "starts an asynchronous copy that writes it") {
    run(released_too_early<2>);
}
__global__ void pipeline_not_committed(const int* in, int* out) {
    __shared__ int tile[n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, in, sizeof(int) * n, pipe);
    pipe.consumer_wait();  // <-
    out[threadIdx.x] = tile[threadIdx.x];
    pipe.consumer_release();
}
PLANTED("a stage that is never committed", "deadlock", "64 of 64 calls of producer_commit() are missing") {
    run(pipeline_not_committed);
}

__global__ void pipeline_elements(const int* in, int* out) {
    __shared__ int tile[n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, in, n, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    pipe.consumer_release();
}
PLANTED("elements where bytes are meant, with a pipeline", "uninitialised",
        "Give the size of a copy in bytes") {
    run(pipeline_elements);
}

__global__ void more_tiles_than_stages(const int* in, int* out) {
    __shared__ int stage[2][n];
    ROOM(State, state);
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, state);
    for (int i = 0; i < 3; ++i) {
        pipe.producer_acquire();  // <-
        cuda::memcpy_async(block, stage[i % 2], in + i * n, sizeof(int) * n, pipe);
        pipe.producer_commit();
    }
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        pipe.consumer_wait();
        sum += stage[i % 2][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
PLANTED("three tiles for two stages before one is released", "deadlock",
        "64 of 64 calls of consumer_release() are missing") {
    run(more_tiles_than_stages);
}

__global__ void consumers_read_too_early(const int* in, int* out) {
    __shared__ int stage[2][n];
    ROOM(State, state);
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), state, 32);
    if (threadIdx.x < 32) {
        for (int i = 0; i < 2; ++i) {
            pipe.producer_acquire();
            for (unsigned k = threadIdx.x; k < n; k += 32)
                cuda::memcpy_async(&stage[i][k], in + i * n + k, sizeof(int), pipe);  // <-
            pipe.producer_commit();
        }
    } else {
        pipe.consumer_wait();
        out[threadIdx.x] = stage[1][threadIdx.x];  // <-
        pipe.consumer_release();
    }
}
PLANTED("consumers read the stage that they have not waited for", "race", "may still be writing it") {
    run(consumers_read_too_early);
}

CHECKS_MAIN("planted_async_barriers")
