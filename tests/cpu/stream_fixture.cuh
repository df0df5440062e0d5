// For tests of streams, events and graphs: handles with destructors, and small kernels.
#pragma once

#include "conformance.cuh"

/// Waits so long that a missing wait or edge would change the result.
__device__ inline void linger() {
    const long long start = clock64();
    while (clock64() - start < 200000) {
    }
}

__global__ void slow_store(int* cell, int value) {
    linger();
    *cell = value;
}

__global__ void append(int* list, int* length, int value) {
    list[(*length)++] = value;
}

__global__ void copy_cell(const int* from, int* to) {
    *to = *from;
}

struct Stream {
    explicit Stream(unsigned flags = cudaStreamDefault) { cudaStreamCreateWithFlags(&handle, flags); }
    ~Stream() { cudaStreamDestroy(handle); }
    Stream(const Stream&) = delete;
    operator cudaStream_t() const { return handle; }
    cudaStream_t handle = nullptr;
};

struct Event {
    Event() { cudaEventCreateWithFlags(&handle, cudaEventDisableTiming); }
    ~Event() { cudaEventDestroy(handle); }
    Event(const Event&) = delete;
    operator cudaEvent_t() const { return handle; }
    cudaEvent_t handle = nullptr;
};

template <class T>
struct Pinned {
    explicit Pinned(std::size_t n) { cudaMallocHost(&data, n * sizeof(T)); }
    ~Pinned() { cudaFreeHost(data); }
    Pinned(const Pinned&) = delete;
    operator T*() const { return data; }
    T* data = nullptr;
};
