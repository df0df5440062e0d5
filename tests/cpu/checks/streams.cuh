// Two streams and pinned memory for the tests of the checks; both wait for the device before they go.
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
