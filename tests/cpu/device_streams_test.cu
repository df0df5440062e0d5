// Streams, events and memory of device code: the default stream of a block, fire-and-forget and tail
// launches, named streams. Needs relocatable device code: nvcc -rdc=true.
#include "conformance.cuh"

__device__ void linger() {
    const long long start = clock64();
    while (clock64() - start < 20000) {
    }
}

__global__ void append(int* list, int* length, int value) {
    linger();
    list[(*length)++] = value;
}

__global__ void append_in_order(int* list, int* length, int n) {
    for (int i = 0; i < n; ++i) append<<<1, 1>>>(list, length, i);
}

CASE("the default stream of a block is in order") {
    Buffer<int> list(20), length(1);
    append_in_order<<<1, 1>>>(list, length, 20);
    std::vector<int> want(20);
    for (int i = 0; i < 20; ++i) want[static_cast<std::size_t>(i)] = i;
    CHECK_EQUAL(list.read(), want);
}

__global__ void append_by_turns(int* list, int* length) {
    for (unsigned turn = 0; turn < blockDim.x; ++turn) {
        if (threadIdx.x == turn) append<<<1, 1>>>(list, length, static_cast<int>(turn));
        __syncthreads();
    }
}

CASE("all threads of a block share its default stream") {
    Buffer<int> list(8), length(1);
    append_by_turns<<<1, 8>>>(list, length);
    CHECK_EQUAL(list.read(), std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
}

__global__ void append_twice(int* list, int* length, int value) {
    append<<<1, 1>>>(list, length, value);
    append<<<1, 1>>>(list, length, value + 1);
}

__global__ void launch_grandchildren(int* list, int* length) {
    append_twice<<<1, 1>>>(list, length, 10);
    append_twice<<<1, 1>>>(list, length, 20);
}

CASE("the next child in the stream waits for the grandchildren") {
    Buffer<int> list(4), length(1);
    launch_grandchildren<<<1, 1>>>(list, length);
    CHECK_EQUAL(list.read(), std::vector<int>{10, 11, 20, 21});
}

__global__ void add(int* sum, int value) {
    linger();
    atomicAdd(sum, value);
}

__global__ void fire_many(int* sum, int n) {
    for (int i = 1; i <= n; ++i) add<<<1, 1, 0, cudaStreamFireAndForget>>>(sum, i);
}

CASE("all of what was fired and forgotten runs before the grid is complete") {
    Buffer<int> sum(1);
    fire_many<<<1, 1>>>(sum, 100);
    CHECK_EQUAL(sum.read()[0], 5050);
}

// ---- tail launch ----

__global__ void copy_cell(const int* from, int* to) {
    *to = *from;
}

__global__ void sum_then_copy(int* sum, int* out) {
    copy_cell<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, out);
    for (int i = 1; i <= 10; ++i) add<<<1, 1, 0, cudaStreamFireAndForget>>>(sum, i);
    add<<<1, 1>>>(sum, 100);
    fire_many<<<1, 1>>>(sum, 4);
}

CASE("a tail launch runs when all other children and their children are done, also those launched after it") {
    Buffer<int> sum(1), out(1);
    sum_then_copy<<<1, 1>>>(sum, out);
    CHECK_EQUAL(out.read()[0], 165);
}

__global__ void tail_of_a_block(int* data, int* out, int n) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; ++i) copy_cell<<<1, 1, 0, cudaStreamTailLaunch>>>(data + i, out + i);
    }
}

CASE("a tail launch runs when every block of its grid is done") {
    Buffer<int> data(64), out(64);
    tail_of_a_block<<<4, 16>>>(data, out, 64);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 1));
}

__global__ void tails_in_order(int* list, int* length) {
    for (int i = 0; i < 5; ++i) append_twice<<<1, 1, 0, cudaStreamTailLaunch>>>(list, length, 10 * i);
}

CASE("tail launches of one grid run in order, each with its own children") {
    Buffer<int> list(10), length(1);
    tails_in_order<<<1, 1>>>(list, length);
    CHECK_EQUAL(list.read(), std::vector<int>{0, 1, 10, 11, 20, 21, 30, 31, 40, 41});
}

__global__ void count_down(int* left, int* links) {
    ++*links;
    if (--*left > 0) count_down<<<1, 1, 0, cudaStreamTailLaunch>>>(left, links);
}

CASE("a kernel that launches itself into its tail is a loop, longer than the limit of pending launches") {
    Buffer<int> left(1, 5000), links(1);
    count_down<<<1, 1>>>(left, links);
    CHECK_EQUAL(links.read()[0], 5000);
}

__global__ void parent_of_tail(int* list, int* length) {
    tails_in_order<<<1, 1>>>(list, length);
    append<<<1, 1>>>(list, length, 99);
}

CASE("what waits for a grid waits for its tail launches, too") {
    Buffer<int> list(11), length(1);
    parent_of_tail<<<1, 1>>>(list, length);
    CHECK_EQUAL(list.read(), std::vector<int>{0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 99});
}

// ---- named streams and events ----

__global__ void use_named_stream(int* list, int* length, int* ok) {
    cudaStream_t stream;
    ok[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    for (int i = 0; i < 6; ++i) append<<<1, 1, 0, stream>>>(list, length, i);
    ok[1] = cudaStreamDestroy(stream) == cudaSuccess;
    ok[2] = cudaGetLastError() == cudaSuccess;
}

CASE("a named device stream is in order, and may be destroyed while it works") {
    Buffer<int> list(6), length(1), ok(3);
    use_named_stream<<<1, 1>>>(list, length, ok);
    CHECK_EQUAL(list.read(), std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK_EQUAL(ok.read(), std::vector<int>(3, 1));
}

__global__ void share_stream(int* list, int* length) {
    __shared__ cudaStream_t stream;
    if (threadIdx.x == 0) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    __syncthreads();
    for (unsigned turn = 0; turn < blockDim.x; ++turn) {
        if (threadIdx.x == turn) append<<<1, 1, 0, stream>>>(list, length, static_cast<int>(turn));
        __syncthreads();
    }
}

CASE("a named stream serves all threads of its grid") {
    Buffer<int> list(4), length(1);
    share_stream<<<1, 4>>>(list, length);
    CHECK_EQUAL(list.read(), std::vector<int>{0, 1, 2, 3});
}

__global__ void wrong_flags(int* out) {
    cudaEvent_t event;
    *out = cudaEventCreateWithFlags(&event, cudaEventDefault) != cudaSuccess;
}

CASE_MISUSE("device events must not time") {
    Buffer<int> out(1);
    wrong_flags<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void order_by_event(int* cell, int* out, int* ok) {
    cudaStream_t first, second;
    cudaEvent_t event;
    ok[0] = cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess;
    ok[1] = cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess;
    ok[2] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
    add<<<1, 1, 0, first>>>(cell, 7);
    ok[3] = cudaEventRecord(event, first) == cudaSuccess;
    ok[4] = cudaStreamWaitEvent(second, event, 0) == cudaSuccess;
    copy_cell<<<1, 1, 0, second>>>(cell, out);
    ok[5] = cudaEventDestroy(event) == cudaSuccess;
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

CASE("an event orders two device streams") {
    Buffer<int> cell(1), out(1), ok(6);
    order_by_event<<<1, 1>>>(cell, out, ok);
    CHECK_EQUAL(out.read()[0], 7);
    CHECK_EQUAL(ok.read(), std::vector<int>(6, 1));
}

__global__ void events_without_streams(int* out) {
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    out[0] = cudaEventRecord(event, cudaStreamFireAndForget);
    out[1] = cudaEventRecord(event, cudaStreamTailLaunch);
    out[2] = cudaStreamWaitEvent(cudaStreamTailLaunch, event, 0);
    cudaEventDestroy(event);
}

CASE_MISUSE("fire and forget, and the tail stream, know no events") {
    Buffer<int> out(3);
    events_without_streams<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>(3, cudaErrorInvalidValue));
}

// ---- memory ----

__global__ void copy_and_set(int* data, int* copy, int n, int* ok) {
    for (int i = 0; i < n; ++i) data[i] = i;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(int);
    ok[0] = cudaMemcpyAsync(copy, data, bytes, cudaMemcpyDeviceToDevice, nullptr) == cudaSuccess;
    ok[1] = cudaMemsetAsync(data, 0, bytes, nullptr) == cudaSuccess;
}

CASE("copies and memsets queue in device streams") {
    Buffer<int> data(16), copy(16, -1), ok(2);
    copy_and_set<<<1, 1>>>(data, copy, 16, ok);
    std::vector<int> want(16);
    for (int i = 0; i < 16; ++i) want[static_cast<std::size_t>(i)] = i;
    CHECK_EQUAL(copy.read(), want);
    CHECK_EQUAL(data.read(), std::vector<int>(16, 0));
    CHECK_EQUAL(ok.read(), std::vector<int>{1, 1});
}

__global__ void use_and_free(int* scratch, int* out) {
    *out = scratch[0] + scratch[9];
    cudaFree(scratch);
}

__global__ void write_scratch(int* scratch) {
    scratch[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
}

__global__ void allocate_for_children(int* out, int* ok) {
    int* scratch = nullptr;
    ok[0] = cudaMalloc(reinterpret_cast<void**>(&scratch), 10 * sizeof(int)) == cudaSuccess;
    if (!scratch) return;
    write_scratch<<<1, 10>>>(scratch);
    use_and_free<<<1, 1>>>(scratch, out);
}

CASE("cudaMalloc on the device gives memory that children may use") {
    Buffer<int> out(1), ok(1);
    allocate_for_children<<<1, 1>>>(out, ok);
    CHECK_EQUAL(out.read()[0], 11);
    CHECK_EQUAL(ok.read()[0], 1);
}

__global__ void allocate_too_much(int* out) {
    void* memory = &memory;
    const cudaError_t error = cudaMalloc(&memory, std::size_t{1} << 40);
    out[0] = error == cudaErrorMemoryAllocation;
    out[1] = cudaGetLastError() == error;
}

CASE_MISUSE("more than the heap has is refused") {
    Buffer<int> out(2);
    allocate_too_much<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 1);
}

CONFORMANCE_MAIN("device_streams")
