// Measures how much memory a graph reserves for two buffers that are live together or not. For the demo of 14_graphs, on a GPU.
#pragma once

#include <string>

#include "compare.hpp"
#include "demo.hpp"
#include "kit.cuh"

namespace reserved {

constexpr int kBlock = 256;
constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Writes a value to a buffer of any size, in a grid-stride loop.
__global__ void write_all(unsigned int* data, std::size_t n, unsigned int value) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
        data[i] = value;
}

__global__ void count_others(const unsigned int* data, std::size_t n, unsigned int value,
                             unsigned int* others) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
        if (data[i] != value) atomicAdd(others, 1u);
}

struct Bytes {
    unsigned long long used, reserved;  ///< peak during the run; and reserved while the instance still exists
    unsigned int wrong;                 ///< values that another write has overwritten
};

/// Writes and reads two buffers. Frees the first before it allocates the second, or keeps both until the end.
inline Bytes by_two(std::size_t bytes, bool overlap) {
    compare::Stream stream;
    kit::DeviceBuffer<unsigned int> others(1);
    others.clear();
    const std::size_t n = bytes / sizeof(unsigned int);
    unsigned int *first = nullptr, *second = nullptr;
    cudaGraph_t graph = nullptr;
    unsigned long long zero = 0;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaDeviceGraphMemTrim(0));
    CUDA_CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaMallocAsync(&first, bytes, stream));
    write_all<<<1024, kBlock, 0, stream>>>(first, n, 1u);
    if (!overlap) {
        count_others<<<1024, kBlock, 0, stream>>>(first, n, 1u, others.data());
        CUDA_CHECK(cudaFreeAsync(first, stream));
    }
    CUDA_CHECK(cudaMallocAsync(&second, bytes, stream));
    write_all<<<1024, kBlock, 0, stream>>>(second, n, 2u);
    count_others<<<1024, kBlock, 0, stream>>>(second, n, 2u, others.data());
    if (overlap) {
        count_others<<<1024, kBlock, 0, stream>>>(first, n, 1u, others.data());
        CUDA_CHECK(cudaFreeAsync(first, stream));
    }
    CUDA_CHECK(cudaFreeAsync(second, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));

    Bytes found = {};
    {
        const compare::Instance instance(graph);
        instance.launch(stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &found.used));
        CUDA_CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &found.reserved));
    }
    CUDA_CHECK(cudaDeviceGraphMemTrim(0));
    found.wrong = others.to_vector()[0];
    return found;
}

/// Prints the table. Returns false if a buffer did not keep its values.
inline bool show(kit::demo::Demo& demo) {
    if (!demo.part("reserved")) return true;
    bool right = true;
    demo.table("reserved", "what a graph reserves for two buffers", "two buffers of, and their lives",
               {{"buffer_mib"}, {"used_mib", 1}, {"reserved_mib", 1}});
    for (const std::size_t mib : {1, 16, 64, 256}) {
        for (const bool overlap : {false, true}) {
            const Bytes bytes = by_two(mib * kMiB, overlap);
            right = right && bytes.wrong == 0;
            const std::string size = std::to_string(mib), lives = overlap ? "both" : "apart";
            demo.row(
                lives + size,
                size + " MiB, " + (overlap ? "overlapping" : "one after the other") +
                    (bytes.wrong == 0 ? "" : "  WRONG"),
                {mib, static_cast<double>(bytes.used) / kMiB, static_cast<double>(bytes.reserved) / kMiB});
        }
    }
    return right;
}

}  // namespace reserved
