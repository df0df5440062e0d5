// Mistakes with asynchronous copies of groups and threads: a read or write before the copy ends, too few
// bytes, the wrong wait.
#include "async.cuh"

// ---- groups -------------------------------------------------------------------------------------------------

__global__ void group_not_waited_for(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);  // <-
    block.sync();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    cg::wait(block);
}
PLANTED("a barrier is no wait", "race", "may still be writing it") {
    run(group_not_waited_for);
}

__global__ void own_element_not_waited_for(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);  // <-
    out[threadIdx.x] = tile[threadIdx.x];                // <-
    cg::wait(block);
}
PLANTED("neither wait nor barrier", "race", "asynchronous copy") {
    run(own_element_not_waited_for);
}

__global__ void source_overwritten(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);  // <-
    in[threadIdx.x] = 5;                                 // <-
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the source is written before the wait", "race", "asynchronous copy") {
    run(source_overwritten);
}

__global__ void written_meanwhile(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);  // <-
    if (threadIdx.x == 0) tile[n - 1] = 7;               // <-
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the destination is written before the wait", "race", "asynchronous copy") {
    run(written_meanwhile);
}

__global__ void copied_over_readers(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        cg::memcpy_async(block, tile, in + i * n, sizeof(int) * n);  // <-
        cg::wait(block);
        sum += tile[n - 1 - threadIdx.x];  // <-
    }
    out[threadIdx.x] = sum;
}
PLANTED("the next tile comes while others read this one", "race",
        "starts an asynchronous copy that writes it") {
    run(copied_over_readers);
}

__global__ void elements_for_bytes(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, +n);
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("a number of elements where bytes are meant", "uninitialised",
        "It copied 64 bytes, but 64 elements of 4 bytes have 256 bytes") {
    run(elements_for_bytes);
}

__global__ void source_too_short(int* in, int* out) {
    __shared__ int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in + 16 * n - n / 2, sizeof(int) * n);  // <-
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}
PLANTED("the source ends in the middle of the copy", "address", "reads") {
    run(source_too_short);
}

__global__ void tile_too_short(int* in, int* out) {
    __shared__ int tile[n / 2];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * n);  // <-
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x / 2];
}
PLANTED("the tile is smaller than the copy", "address", "writes") {
    run(tile_too_short);
}

__global__ void last_group_not_waited_for(int* in, int* out) {
    __shared__ int stage[2][n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage[0], in, sizeof(int) * n);
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        if (i < 3) cg::memcpy_async(block, stage[(i + 1) % 2], in + (i + 1) * n, sizeof(int) * n);  // <-
        cg::wait_prior<1>(block);
        sum += stage[i % 2][threadIdx.x];  // <-
        block.sync();
    }
    out[threadIdx.x] = sum;
}
PLANTED("wait_prior<1> where the last group is meant", "race", "may still be writing it") {
    run(last_group_not_waited_for);
}

__global__ void one_stage_too_many_in_flight(int* in, int* out) {
    __shared__ int stage[2][n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage[0], in, sizeof(int) * n);
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        cg::memcpy_async(block, stage[(i + 1) % 2], in + (i + 1) * n, sizeof(int) * n);  // <-
        cg::wait_prior<2>(block);
        sum += stage[i % 2][threadIdx.x];  // <-
        block.sync();
    }
    cg::wait(block);
    out[threadIdx.x] = sum;
}
PLANTED("wait_prior<2> with two stages", "race", "may still be writing it") {
    run(one_stage_too_many_in_flight);
}

__global__ void stage_read_without_barrier_behind(int* in, int* out) {
    __shared__ int stage[2][n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage[0], in, sizeof(int) * n);
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        cg::memcpy_async(block, stage[(i + 1) % 2], in + (i + 1) * n, sizeof(int) * n);  // <-
        cg::wait_prior<1>(block);
        sum += stage[i % 2][n - 1 - threadIdx.x];  // <-
    }
    cg::wait(block);
    out[threadIdx.x] = sum;
}
PLANTED("a stage is copied into before all have read it", "race", "asynchronous copy") {
    run(stage_read_without_barrier_behind);
}

// ---- threads ------------------------------------------------------------------------------------------------

__global__ void others_not_waited_for(int* in, int* out) {
    __shared__ int tile[n];
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int));  // <-
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];  // <-
}
PLANTED("a thread's wait is for its own copies only", "race", "line") {
    run(others_not_waited_for);
}

__global__ void barrier_in_front_of_the_wait(int* in, int* out) {
    __shared__ int tile[n];
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int));  // <-
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];  // <-
}
PLANTED("the barrier stands in front of the wait", "race", "line") {
    run(barrier_in_front_of_the_wait);
}

__global__ void not_committed(int* in, int* out) {
    __shared__ int tile[n];
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int));  // <-
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];  // <-
}
PLANTED("a group that is not committed is not waited for", "race", "may still be writing it") {
    run(not_committed);
}

__global__ void no_such_size(int* in, int* out) {
    __shared__ alignas(16) int tile[n];
    __pipeline_memcpy_async(tile, in, 12);  // <-
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = tile[0];
}
PLANTED("a primitive copies 4, 8 or 16 bytes", "argument", "with 12 bytes. Copy 4, 8 or 16 bytes") {
    Buffer<int> in(16), out(1);
    no_such_size<<<1, 1>>>(in, out);
}

__global__ void primitive_misaligned(int* in, int* out) {
    __shared__ alignas(16) int tile[4 * n];
    __pipeline_memcpy_async(tile + 4 * threadIdx.x, in + 1 + 4 * threadIdx.x, 16);  // <-
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[4 * threadIdx.x];
}
PLANTED("16 bytes from an address that is no multiple of 16", "misaligned",
        "its source is 4 bytes after a multiple of 16") {
    run(primitive_misaligned);
}

__global__ void promise_not_kept(int* in, int* out) {
    __shared__ alignas(16) int tile[n];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(int) * n - 4));  // <-
    cg::wait(block);
    out[threadIdx.x] = tile[0];
}
PLANTED("a size that is no multiple of what it promises", "misaligned",
        "its size of 252 bytes is not a multiple of 16") {
    run(promise_not_kept);
}

__global__ void thread_pipeline_not_waited_for(int* in, int* out) {
    __shared__ int tile[n];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), pipe);  // <-
    pipe.producer_commit();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    pipe.consumer_wait();
    pipe.consumer_release();
}
PLANTED("a thread's pipeline: the read stands before the wait", "race", "may still be writing it") {
    run(thread_pipeline_not_waited_for);
}

__global__ void thread_pipeline_prior_too_large(int* in, int* out) {
    __shared__ int stage[2][n];
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < 2; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&stage[i][threadIdx.x], in + i * n + threadIdx.x, sizeof(int), pipe);  // <-
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    out[threadIdx.x] = stage[0][threadIdx.x] + stage[1][threadIdx.x];  // <-
}
PLANTED("pipeline_consumer_wait_prior<1> leaves the last stage", "race", "may still be writing it") {
    run(thread_pipeline_prior_too_large);
}

__global__ void thread_copies_one_byte(int* in, int* out) {
    __shared__ int tile[n];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, 1, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[threadIdx.x] = tile[threadIdx.x];  // <-
    pipe.consumer_release();
}
PLANTED("one byte where one element is meant", "uninitialised",
        "It copied 1 byte, but 1 element of 4 bytes has 4 bytes") {
    run(thread_copies_one_byte);
}

CHECKS_MAIN("planted_async")
