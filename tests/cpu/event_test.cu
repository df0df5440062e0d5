// Events: recording, waiting in other streams, queries, and elapsed time.
#include "stream_fixture.cuh"

struct Fixture {
    Fixture() {
        REQUIRE_CUDA(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
        REQUIRE_CUDA(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
        REQUIRE_CUDA(cudaEventCreate(&event));
        REQUIRE_CUDA(cudaEventCreate(&other));
    }
    ~Fixture() {
        cudaEventDestroy(other);
        cudaEventDestroy(event);
        cudaStreamDestroy(consumer);
        cudaStreamDestroy(producer);
    }
    cudaStream_t producer = nullptr, consumer = nullptr;
    cudaEvent_t event = nullptr, other = nullptr;
};

CASE("cudaStreamWaitEvent orders two non-blocking streams") {
    Fixture f;
    Buffer<int> a(1), b(1);
    for (int value = 1; value <= 5; ++value) {
        slow_store<<<1, 1, 0, f.producer>>>(a, value);
        CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
        CHECK_CUDA(cudaStreamWaitEvent(f.consumer, f.event, 0), cudaSuccess);
        copy_cell<<<1, 1, 0, f.consumer>>>(a, b);
        CHECK_CUDA(cudaStreamSynchronize(f.consumer), cudaSuccess);
        CHECK_EQUAL(b.read()[0], value);
    }
}

CASE("fork and join: two streams work between two events") {
    Fixture f;
    Buffer<int> a(1), b(1), c(1), out(2);
    slow_store<<<1, 1, 0, f.producer>>>(a, 1);
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(f.consumer, f.event, 0), cudaSuccess);
    copy_cell<<<1, 1, 0, f.producer>>>(a, b);
    copy_cell<<<1, 1, 0, f.consumer>>>(a, c);
    CHECK_CUDA(cudaEventRecord(f.other, f.consumer), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(f.producer, f.other, 0), cudaSuccess);
    copy_cell<<<1, 1, 0, f.producer>>>(b, out);
    copy_cell<<<1, 1, 0, f.producer>>>(c, out + 1);
    CHECK_CUDA(cudaStreamSynchronize(f.producer), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 1});
}

CASE("a wait refers to the latest record before it, not to a later one") {
    Fixture f;
    Buffer<int> a(1), b(1), c(1);
    slow_store<<<1, 1, 0, f.producer>>>(a, 1);
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(f.consumer, f.event, 0), cudaSuccess);
    copy_cell<<<1, 1, 0, f.consumer>>>(a, b);
    CHECK_CUDA(cudaEventRecord(f.event, f.consumer), cudaSuccess);  // recorded again, in the other stream
    CHECK_CUDA(cudaStreamWaitEvent(f.producer, f.event, 0), cudaSuccess);
    copy_cell<<<1, 1, 0, f.producer>>>(b, c);
    CHECK_CUDA(cudaStreamSynchronize(f.producer), cudaSuccess);
    CHECK_EQUAL(c.read()[0], 1);
}

CASE("cudaEventSynchronize waits for the work before the record") {
    Fixture f;
    int* cell = nullptr;
    REQUIRE_CUDA(cudaMallocHost(&cell, sizeof(int)));
    *cell = 0;
    slow_store<<<1, 1, 0, f.producer>>>(cell, 31);
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(f.event), cudaSuccess);
    CHECK_EQUAL(*cell, 31);
    CHECK_CUDA(cudaFreeHost(cell), cudaSuccess);
}

CASE("an event that was never recorded is complete, and waiting for it is no wait") {
    Fixture f;
    Buffer<int> a(1);
    CHECK_CUDA(cudaEventQuery(f.event), cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(f.event), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(f.consumer, f.event, 0), cudaSuccess);
    slow_store<<<1, 1, 0, f.consumer>>>(a, 2);
    CHECK_CUDA(cudaStreamSynchronize(f.consumer), cudaSuccess);
    CHECK_EQUAL(a.read()[0], 2);
}

CASE("cudaEventQuery becomes success once the work is done") {
    Fixture f;
    Buffer<int> a(1);
    slow_store<<<1, 1, 0, f.producer>>>(a, 1);
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    cudaError_t state = cudaErrorNotReady;
    while (state == cudaErrorNotReady) state = cudaEventQuery(f.event);
    cudaGetLastError();  // clears the error of a query that was not ready
    CHECK_CUDA(state, cudaSuccess);
}

CASE("cudaEventElapsedTime: milliseconds between two records") {
    Fixture f;
    Buffer<int> a(1);
    float shorter = -1, longer = -1;
    cudaEvent_t last = nullptr;
    REQUIRE_CUDA(cudaEventCreate(&last));
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    slow_store<<<1, 1, 0, f.producer>>>(a, 1);
    CHECK_CUDA(cudaEventRecord(f.other, f.producer), cudaSuccess);
    slow_store<<<1, 1, 0, f.producer>>>(a, 2);
    CHECK_CUDA(cudaEventRecord(last, f.producer), cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(last), cudaSuccess);
    CHECK_CUDA(cudaEventElapsedTime(&shorter, f.event, f.other), cudaSuccess);
    CHECK_CUDA(cudaEventElapsedTime(&longer, f.event, last), cudaSuccess);
    CHECK(shorter > 0 && longer > shorter && longer < 10000);
    CHECK_CUDA(cudaEventDestroy(last), cudaSuccess);
}

CASE("the default stream takes part: record there, wait elsewhere") {
    Fixture f;
    Buffer<int> a(1), b(1);
    slow_store<<<1, 1>>>(a, 77);
    CHECK_CUDA(cudaEventRecord(f.event), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(f.consumer, f.event, 0), cudaSuccess);
    copy_cell<<<1, 1, 0, f.consumer>>>(a, b);
    CHECK_CUDA(cudaStreamSynchronize(f.consumer), cudaSuccess);
    CHECK_EQUAL(b.read()[0], 77);
}

CASE_MISUSE("elapsed time of an event without timing, or never recorded: cudaErrorInvalidResourceHandle") {
    Fixture f;
    float milliseconds = 0;
    cudaEvent_t untimed = nullptr;
    REQUIRE_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CHECK_CUDA(cudaEventRecord(f.event, f.producer), cudaSuccess);
    CHECK_CUDA(cudaEventRecord(untimed, f.producer), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(f.producer), cudaSuccess);
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, f.event, untimed), cudaErrorInvalidResourceHandle);
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, f.event, f.other), cudaErrorInvalidResourceHandle);
    CHECK_CUDA(cudaEventDestroy(untimed), cudaSuccess);
}

CASE_MISUSE("null events and null places: cudaErrorInvalidResourceHandle, cudaErrorInvalidValue") {
    CHECK_CUDA(cudaEventCreate(nullptr), cudaErrorInvalidValue);
    CHECK_CUDA(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
    CHECK_CUDA(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
    CHECK_CUDA(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
}

CONFORMANCE_MAIN("event")
