// Streams: order within one, the legacy default stream, copies, host functions, stream-ordered allocation.
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "stream_fixture.cuh"

__global__ void slow_scale(int* data, int n, int factor) {
    linger();
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] *= factor;
}

CASE("one stream runs its work in order") {
    Stream stream;
    Buffer<int> list(20), length(1);
    for (int i = 0; i < 20; ++i) append<<<1, 1, 0, stream>>>(list, length, i);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    std::vector<int> want(20);
    for (int i = 0; i < 20; ++i) want[i] = i;
    CHECK_EQUAL(list.read(), want);
}

CASE("a non-blocking stream runs its work in order too") {
    Stream stream(cudaStreamNonBlocking);
    Buffer<int> a(1), b(1);
    slow_store<<<1, 1, 0, stream>>>(a, 5);
    copy_cell<<<1, 1, 0, stream>>>(a, b);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(b.read()[0], 5);
}

CASE("the legacy default stream waits for blocking streams, and they for it") {
    Stream first, second;
    Buffer<int> a(1), b(1), c(1);
    slow_store<<<1, 1, 0, first>>>(a, 9);
    copy_cell<<<1, 1>>>(a, b);
    copy_cell<<<1, 1, 0, second>>>(b, c);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(c.read()[0], 9);
}

CASE("cudaMemcpy waits for blocking streams") {
    Stream stream;
    Buffer<int> a(1);
    int host = 0;
    slow_store<<<1, 1, 0, stream>>>(a, 4);
    CHECK_CUDA(cudaMemcpy(&host, a, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host, 4);
}

CASE("cudaDeviceSynchronize waits for all streams, non-blocking ones included") {
    Stream first(cudaStreamNonBlocking), second;
    Pinned<int> cells(2);
    cells[0] = cells[1] = 0;
    slow_store<<<1, 1, 0, first>>>(cells, 1);
    slow_store<<<1, 1, 0, second>>>(cells + 1, 2);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(cells[0], 1);
    CHECK_EQUAL(cells[1], 2);
}

CASE("cudaStreamPerThread, cudaStreamLegacy and stream 0 can be named") {
    Buffer<int> a(1), b(1);
    slow_store<<<1, 1, 0, cudaStreamPerThread>>>(a, 3);
    CHECK_CUDA(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    CHECK_EQUAL(a.read()[0], 3);
    slow_store<<<1, 1, 0, cudaStreamLegacy>>>(a, 8);
    copy_cell<<<1, 1, 0, 0>>>(a, b);
    CHECK_CUDA(cudaStreamSynchronize(0), cudaSuccess);
    CHECK_EQUAL(b.read()[0], 8);
}

CASE("pinned copies and kernels in one stream") {
    const int n = 3000;
    Stream stream;
    Pinned<int> in(n), out(n);
    Buffer<int> data(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    CHECK_CUDA(cudaMemcpyAsync(data, in, n * sizeof(int), cudaMemcpyHostToDevice, stream), cudaSuccess);
    slow_scale<<<12, 256, 0, stream>>>(data, n, 3);
    CHECK_CUDA(cudaMemcpyAsync(out, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += out[i] != 3 * i;
    CHECK_EQUAL(wrong, 0);
}

CASE("an asynchronous copy from pageable memory has taken the values when it returns") {
    Stream stream;
    Buffer<int> data(1000);
    std::vector<int> values(1000, 6);
    CHECK_CUDA(cudaMemcpyAsync(data, values.data(), 4000, cudaMemcpyHostToDevice, stream), cudaSuccess);
    std::memset(values.data(), 0, 4000);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(1000, 6));
}

CASE("an asynchronous copy to pageable memory is complete when it returns") {
    Stream stream;
    Buffer<int> data(1);
    int host = 0;
    slow_store<<<1, 1, 0, stream>>>(data, 12);
    CHECK_CUDA(cudaMemcpyAsync(&host, data, sizeof host, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    CHECK_EQUAL(host, 12);
}

CASE("cudaMemsetAsync and cudaMemcpyAsync between device buffers keep the stream's order") {
    Stream stream;
    Buffer<int> a(8, 1), b(8, 2);
    slow_scale<<<1, 8, 0, stream>>>(a, 8, 5);
    CHECK_CUDA(cudaMemcpyAsync(b, a, 8 * sizeof(int), cudaMemcpyDeviceToDevice, stream), cudaSuccess);
    CHECK_CUDA(cudaMemsetAsync(a, 0, 4 * sizeof(int), stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(8, 5));
    CHECK_EQUAL(a.read(), std::vector<int>{0, 0, 0, 0, 5, 5, 5, 5});
}

CASE("cudaStreamQuery: not ready or success, and success when the work is done") {
    Stream stream;
    Pinned<int> cell(1);
    cell[0] = 0;
    slow_store<<<1, 1, 0, stream>>>(cell, 11);
    cudaError_t state = cudaErrorNotReady;
    while (state == cudaErrorNotReady) state = cudaStreamQuery(stream);
    cudaGetLastError();  // clears the error of a query that was not ready
    CHECK_CUDA(state, cudaSuccess);
    CHECK_EQUAL(cell[0], 11);
}

struct Log {
    int entries[8];
    int count;
};

struct Note {
    Log* log;
    const int* cell;
};

void CUDART_CB write_note(void* data) {
    Note* note = static_cast<Note*>(data);
    note->log->entries[note->log->count++] = *note->cell;
}

CASE("a host function runs after the work before it and before the work after it") {
    Stream stream;
    Pinned<int> cell(1);
    Log log{};
    Note note{&log, cell};
    cell[0] = 0;
    for (int value : {10, 20, 30}) {
        slow_store<<<1, 1, 0, stream>>>(cell, value);
        CHECK_CUDA(cudaLaunchHostFunc(stream, write_note, &note), cudaSuccess);
    }
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(std::vector<int>(log.entries, log.entries + log.count), std::vector<int>{10, 20, 30});
}

CASE("cudaMallocAsync, use, cudaFreeAsync in the order of the stream") {
    Stream stream;
    Pinned<int> out(1);
    for (int round = 1; round <= 5; ++round) {
        int* cell = nullptr;
        REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void**>(&cell), sizeof(int), stream));
        slow_store<<<1, 1, 0, stream>>>(cell, round);
        CHECK_CUDA(cudaMemcpyAsync(out, cell, sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
        CHECK_CUDA(cudaFreeAsync(cell, stream), cudaSuccess);
        CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
        CHECK_EQUAL(out[0], round);
    }
}

CASE("cudaFree takes memory of cudaMallocAsync, and cudaFreeAsync memory of cudaMalloc") {
    int *a = nullptr, *b = nullptr;
    REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void**>(&a), 1024, cudaStream_t{}));
    CHECK_CUDA(cudaStreamSynchronize(0), cudaSuccess);
    CHECK_CUDA(cudaFree(a), cudaSuccess);
    REQUIRE_CUDA(cudaMalloc(&b, 1024));
    CHECK_CUDA(cudaFreeAsync(b, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CASE("a destroyed stream still finishes its work") {
    Pinned<int> cell(1);
    cell[0] = 0;
    {
        Stream stream;
        slow_store<<<1, 1, 0, stream>>>(cell, 21);
    }
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(cell[0], 21);
}

CASE("flags and priorities of streams") {
    unsigned flags = 99;
    int priority = 99, least = 99, greatest = 99;
    Stream blocking, free(cudaStreamNonBlocking);
    CHECK_CUDA(cudaStreamGetFlags(blocking, &flags), cudaSuccess);
    CHECK_EQUAL(flags, static_cast<unsigned>(cudaStreamDefault));
    CHECK_CUDA(cudaStreamGetFlags(free, &flags), cudaSuccess);
    CHECK_EQUAL(flags, static_cast<unsigned>(cudaStreamNonBlocking));
    CHECK_CUDA(cudaStreamGetPriority(blocking, &priority), cudaSuccess);
    CHECK_EQUAL(priority, 0);
    CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    CHECK(greatest <= least);
    cudaStream_t urgent = nullptr;
    CHECK_CUDA(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest), cudaSuccess);
    CHECK_CUDA(cudaStreamGetPriority(urgent, &priority), cudaSuccess);
    CHECK_EQUAL(priority, greatest);
    CHECK_CUDA(cudaStreamDestroy(urgent), cudaSuccess);
}

CASE_MISUSE("no place for the stream, or flags that do not exist: cudaErrorInvalidValue") {
    cudaStream_t stream = nullptr;
    CHECK_CUDA(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, 0x80), cudaErrorInvalidValue);
}

CASE("a pipeline over chunks and streams: every element exactly once") {
    const int chunks = 6, size = 500;
    Stream streams[3];
    Pinned<int> host(chunks * size);
    Buffer<int> data(chunks * size);
    for (int i = 0; i < chunks * size; ++i) host[i] = i;
    for (int c = 0; c < chunks; ++c) {
        const Stream& stream = streams[c % 3];
        int* part = data + c * size;
        int* host_part = host + c * size;
        cudaMemcpyAsync(part, host_part, size * sizeof(int), cudaMemcpyHostToDevice, stream);
        slow_scale<<<4, 128, 0, stream>>>(part, size, -1);
        cudaMemcpyAsync(host_part, part, size * sizeof(int), cudaMemcpyDeviceToHost, stream);
    }
    for (const Stream& stream : streams) CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < chunks * size; ++i) wrong += host[i] != -i;
    CHECK_EQUAL(wrong, 0);
}

struct Bell {
    std::mutex mutex;
    std::condition_variable rang;
    int rings = 0;

    static void ring(void* bell) {
        Bell& self = *static_cast<Bell*>(bell);
        const std::lock_guard lock(self.mutex);
        ++self.rings;
        self.rang.notify_one();
    }
    void wait_for(int wanted) {
        std::unique_lock lock(mutex);
        rang.wait(lock, [&] { return rings == wanted; });
    }
};

CASE("a host function wakes host code that waits for nothing else, also where another thread queued it") {
    Bell bell;
    Stream stream;
    Pinned<int> host(1);
    Buffer<int> data(1);
    const auto queue = [&](int value) {
        slow_store<<<1, 1, 0, stream>>>(data, value);
        cudaMemcpyAsync(host, data, sizeof(int), cudaMemcpyDeviceToHost, stream);
        CHECK_CUDA(cudaLaunchHostFunc(stream, Bell::ring, &bell), cudaSuccess);
    };
    queue(5);
    bell.wait_for(1);
    CHECK_EQUAL(host[0], 5);
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the first thread is waiting by then
        queue(6);
    });
    bell.wait_for(2);
    other.join();
    CHECK_EQUAL(host[0], 6);
}

CONFORMANCE_MAIN("stream")
