// For the tests of the checks: two streams with fork and join, an event, and pinned memory. The destructors
// of streams and memory first wait for the device.
#pragma once

#include "checks.cuh"

/// Streams with the given flags, which the destructor destroys.
struct Streams {
    cudaStream_t a, b;
    explicit Streams(unsigned flags = cudaStreamDefault) {
        cudaStreamCreateWithFlags(&a, flags);
        cudaStreamCreateWithFlags(&b, flags);
    }
    ~Streams() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
    }
};

struct Event {
    cudaEvent_t handle;
    Event() { cudaEventCreateWithFlags(&handle, cudaEventDisableTiming); }
    ~Event() { cudaEventDestroy(handle); }
    Event(const Event&) = delete;
    operator cudaEvent_t() const { return handle; }
};

/// Two streams. Between fork() and join(), work in b belongs to the work of a, even if a captures.
struct Branches : Streams {
    Event forked, joined;
    Branches() : Streams(cudaStreamNonBlocking) {}
    ~Branches() { cudaDeviceSynchronize(); }
    void fork() {
        cudaEventRecord(forked, a);
        cudaStreamWaitEvent(b, forked, 0);
    }
    void join() {
        cudaEventRecord(joined, b);
        cudaStreamWaitEvent(a, joined, 0);
    }
};

/// Pinned memory for integers, which start as 0.
struct Pinned {
    int* data = nullptr;
    explicit Pinned(int n) {
        cudaMallocHost(&data, static_cast<std::size_t>(n) * sizeof(int));
        std::fill(data, data + n, 0);
    }
    ~Pinned() {
        cudaDeviceSynchronize();
        cudaFreeHost(data);
    }
};
