// Two streams, their fork and join, an event, and pinned memory for the tests of the checks. Destructors of streams and memory wait for
// the device first.
#pragma once

#include "checks.cuh"

/// Streams with the given flags, destroyed at the end.
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

/// Two streams; b works on behalf of a between fork() and join(), even in a capture of a.
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

/// Pinned integers, all 0.
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
