// Two streams, their fork and join, and pinned memory for the tests of the checks; all wait for the device before they go.
#pragma once

#include "checks.cuh"

/// Streams of the flags given, destroyed at the end.
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

/// Two streams; b works on behalf of a between fork() and join(), also in a capture of a.
struct Branches : Streams {
    cudaEvent_t forked, joined;
    Branches() : Streams(cudaStreamNonBlocking) {
        cudaEventCreate(&forked);
        cudaEventCreate(&joined);
    }
    ~Branches() {
        cudaDeviceSynchronize();
        cudaEventDestroy(forked);
        cudaEventDestroy(joined);
    }
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
