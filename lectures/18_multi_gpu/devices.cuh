// Shared by the parts of the demo: how many devices take part, their memory, streams and events, and a host-clock measurement.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "kit.cuh"

namespace multi_gpu_demo {

/// Returns how many devices take part: all of them, but at most 8.
inline int device_count() {
    static const int count = [] {
        int all = 0;
        CUDA_CHECK(cudaGetDeviceCount(&all));
        return std::min(all, 8);
    }();
    return count;
}

/// Owns memory of one device.
class Memory {
  public:
    Memory(int device, std::size_t n, int byte) : device_(device), n_(n) {
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaMalloc(&data_, n * sizeof(unsigned)));
        fill(byte);
    }
    ~Memory() { cudaFree(data_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    unsigned* data() const { return data_; }
    unsigned at(std::size_t i) const {
        unsigned value = 0;
        CUDA_CHECK(cudaSetDevice(device_));
        CUDA_CHECK(cudaMemcpy(&value, data_ + i, sizeof value, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaSetDevice(0));
        return value;
    }
    /// Sets every byte of the memory.
    void fill(int byte) {
        CUDA_CHECK(cudaSetDevice(device_));
        CUDA_CHECK(cudaMemset(data_, byte, n_ * sizeof(unsigned)));
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaSetDevice(0));
    }

  private:
    int device_;
    std::size_t n_;
    unsigned* data_ = nullptr;
};

inline cudaStream_t stream_of(int device) {
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaSetDevice(0));
    return stream;
}

/// Creates a stream whose kernels are scheduled before those of other streams when resources become free.
inline cudaStream_t urgent_stream_of(int device) {
    int lowest = 0, highest = 0;
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest));
    CUDA_CHECK(cudaSetDevice(0));
    return stream;
}

inline cudaEvent_t event_of(int device) {
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaSetDevice(device));
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA_CHECK(cudaSetDevice(0));
    return event;
}

inline void wait_for_all() {
    for (int device = device_count() - 1; device >= 0; --device) {
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Returns the median time by the host's clock, from the first call until all devices have finished. The first run warms up.
template <class Run>
double milliseconds(int repetitions, Run run) {
    std::vector<double> times;
    for (int i = 0; i <= repetitions; ++i) {
        wait_for_all();
        const auto begin = std::chrono::steady_clock::now();
        run();
        wait_for_all();
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (i > 0) times.push_back(time.count());
    }
    return median(times);
}

/// Measures the rate at which a link carries a large copy in one direction.
inline double link_gb_per_s(int from = 0, int to = 1) {
    constexpr std::size_t bytes = std::size_t(1) << 28;
    const Memory a(from, bytes / sizeof(unsigned), 1), b(to, bytes / sizeof(unsigned), 0);
    static std::vector<cudaStream_t> streams;  // by device
    while (static_cast<int>(streams.size()) <= from)
        streams.push_back(stream_of(static_cast<int>(streams.size())));
    const double ms = milliseconds(11, [&] {
        CUDA_CHECK(cudaMemcpyPeerAsync(b.data(), to, a.data(), from, bytes,
                                       streams[static_cast<std::size_t>(from)]));
    });
    return static_cast<double>(bytes) / ms / 1e6;
}

}  // namespace multi_gpu_demo
