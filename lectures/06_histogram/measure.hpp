// For the demo of 06_histogram: data, versions, the check of their counts, and the cost of single atomics.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "06_histogram/06_histogram.hpp"
#include "06_histogram/texts.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include <cub/device/device_histogram.cuh>
#endif

namespace histogram_demo {

enum class Problem { letters, bytes, values };
enum class Input { uniform, skewed, single, text };
constexpr Input inputs[] = {Input::uniform, Input::skewed, Input::single, Input::text};
constexpr int kValueBins = 65536;

inline const char* name_of(Problem problem) {
    return problem == Problem::letters ? "letters" : problem == Problem::bytes ? "bytes" : "16-bit values";
}

inline const char* name_of(Input input) {
    constexpr const char* names[] = {"uniform", "skewed", "single", "text"};
    return names[static_cast<int>(input)];
}

inline int bytes_per_element(Problem problem) {
    return problem == Problem::values ? 2 : 1;
}

inline int bins_of(Problem problem) {
    return problem == Problem::letters ? histogram::kLetterBins
           : problem == Problem::bytes ? histogram::kByteBins
                                       : kValueBins;
}

/// The elements on the device, and how often each value is among the first n.
struct Data {
    Problem problem;
    Input input;
    kit::DeviceBuffer<unsigned char> bytes;
    kit::DeviceBuffer<unsigned int> bins;
    std::vector<unsigned int> want;
    std::vector<unsigned char> on_host;

    Data(Problem which, Input kind, std::size_t n);  // in demo.cu, which has the kernels

    unsigned short* values() { return reinterpret_cast<unsigned short*>(bytes.data()); }
    const char* text() const { return reinterpret_cast<const char*>(bytes.data()); }

    /// The right answer for the first n elements, on the host.
    void count(std::size_t n) {
        want.assign(bins_of(problem), 0);
        for (std::size_t i = 0; i < n; ++i) {
            if (problem == Problem::values) {
                ++want[on_host[2 * i] | on_host[2 * i + 1] << 8];
            } else if (problem == Problem::bytes) {
                ++want[on_host[i]];
            } else if (on_host[i] >= 'a' && on_host[i] <= 'z') {
                ++want[(on_host[i] - 'a') / 4];
            }
        }
    }
};

struct Version {
    std::string name;
    std::function<bool(std::size_t)> launch;  ///< counts the first n elements; false: this device cannot
    bool slow = false;                        ///< fewer repetitions
    bool wrong = false;                       ///< its counts are not what they should be
};

#ifndef KIT_CPU
/// CUB into equally wide bins from `low` to `high`.
template <class T>
Version cub_version(const T* values, Data& data, int low, int high) {
    static kit::DeviceBuffer<char> scratch(std::size_t{64} << 20);
    const int levels = bins_of(data.problem) + 1;
    return {"CUB DeviceHistogram::HistogramEven", [=, &data](std::size_t n) {
                std::size_t size = scratch.size();
                CUDA_CHECK(cub::DeviceHistogram::HistogramEven(scratch.data(), size, values, data.bins.data(),
                                                               levels, low, high, static_cast<long long>(n)));
                return true;
            }};
}
#endif

inline std::vector<Version> versions(Problem problem, Data& d) {
    using Launch = void (*)(const char*, std::size_t, unsigned int*);
    const auto letters = [&d](Launch function) {
        return [&d, function](std::size_t n) {
            function(d.text(), n, d.bins.data());
            return true;
        };
    };
    std::vector<Version> all;
    if (problem == Problem::letters) {
        all.push_back({"v1 sections, with a race", letters(histogram::sections_racy), true, true});
        all.push_back({"v2 sections", letters(histogram::sections), true});
        all.push_back({"v3 interleaved", letters(histogram::interleaved), true});
        all.push_back({"v4 privatized", [&d](std::size_t n) {
                           histogram::privatized(d.text(), n, d.bins.data(), histogram::kBlock);
                           return true;
                       }});
        all.push_back({"v8 registers", [&d](std::size_t n) {
                           histogram::aggregated_letters(d.text(), n, d.bins.data());
                           return true;
                       }});
#ifndef KIT_CPU
        all.push_back(cub_version(d.text(), d, 'a', 'a' + 4 * histogram::kLetterBins));
#endif
    } else if (problem == Problem::bytes) {
        all.push_back({"v5 a copy per warp", [&d](std::size_t n) {
                           histogram::byte_histogram(d.bytes.data(), n, d.bins.data());
                           return true;
                       }});
        all.push_back({"v9 a counter per value and lane", [&d](std::size_t n) {
                           histogram::aggregated_bytes(d.bytes.data(), n, d.bins.data());
                           return true;
                       }});
#ifndef KIT_CPU
        all.push_back(cub_version(static_cast<const unsigned char*>(d.bytes.data()), d, 0, 256));
#endif
    } else {
        all.push_back({"v6 bins 0 to 8191 private", [&d](std::size_t n) {
                           histogram::partial_privatization(d.values(), n, d.bins.data(), kValueBins, 0);
                           return true;
                       }});
        all.push_back({"v7 spread over a cluster", [&d](std::size_t n) {
                           return histogram::cluster_histogram(d.values(), n, d.bins.data(), kValueBins);
                       }});
#ifndef KIT_CPU
        all.push_back(cub_version(static_cast<const unsigned short*>(d.values()), d, 0, kValueBins));
#endif
    }
    return all;
}

/// Ends the program if a version that should be right is not. Returns the part that a wrong one has lost.
inline double check_counts(const Version& version, Data& data, std::size_t n) {
    const std::vector<unsigned int> got = data.bins.to_vector();
    double counted = 0, all = 0;
    for (std::size_t b = 0; b < got.size(); ++b) counted += got[b], all += data.want[b];
    if (!version.wrong && got != data.want) {
        std::fprintf(stderr, "%s, %s, n=%zu: the counts are wrong\n", version.name.c_str(),
                     name_of(data.input), n);
        std::exit(EXIT_FAILURE);
    }
    return all > 0 ? 1 - counted / all : 0;
}

inline std::FILE* open_or_exit(const char* file) {
    std::FILE* out = std::fopen(file, "w");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", file);
        std::exit(EXIT_FAILURE);
    }
    return out;
}

inline std::string device_name() {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
#ifdef KIT_CPU
    return std::string("CPU executor as ") + device.name;
#else
    return device.name;
#endif
}

inline std::string today() {
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return date;
}

#ifndef KIT_CPU
// ---- What a single atomic costs -------------------------------------------------------------------------

constexpr int kAtomicsPerThread = 1024;

/// All threads add; a warp's lanes to one address, or each to its own. `far` has one counter per thread.
template <bool Shared, bool Same>
__global__ void many_atomics(unsigned int* far) {
    __shared__ unsigned int near[256];
    near[threadIdx.x] = 0;
    __syncthreads();
    std::size_t mine = Same ? 0 : std::size_t{Shared ? 0 : blockIdx.x} * 256 + threadIdx.x;
    unsigned int* counter = Shared ? &near[mine] : &far[mine];
    // At one address the compiler adds a warp's values up beforehand (REDUX), although they differ: 32
    // additions counted here are then one atomic.
    for (int i = 0; i < kAtomicsPerThread; ++i) atomicAdd(counter, threadIdx.x + i);
    __syncthreads();
    if (Shared && near[threadIdx.x] == 0xffffffffu) far[threadIdx.x] = 1;
}

/// One thread: each addition needs the result of the one before. `far` holds 0.
template <bool Shared>
__global__ void chain_of_atomics(unsigned int* far, int steps, unsigned int* out) {
    __shared__ unsigned int near[32];
    near[0] = 0;
    unsigned int last = 0;
    for (int i = 0; i < steps; ++i) last = atomicAdd((Shared ? near : far) + (last >> 31), 1u);
    *out = last;
}

struct AtomicCost {
    const char* where;
    double latency_ns, per_second;
};

inline std::vector<AtomicCost> measure_atomics() {
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 8 * multiprocessors;
    kit::DeviceBuffer<unsigned int> far(std::size_t{256} * blocks), out(1);
    kit::TimeOptions options;
    options.cold_l2 = false;
    const auto rate = [&](void (*kernel)(unsigned int*)) {
        const auto launch = [&] { kernel<<<blocks, 256>>>(far.data()); };
        return 256.0 * blocks * kAtomicsPerThread / (kit::time(launch, 0, options).median_ms * 1e-3);
    };
    const auto latency = [&](void (*kernel)(unsigned int*, int, unsigned int*)) {
        far.clear();
        const auto chain = [&](int steps) {
            return kit::time([&] { kernel<<<1, 1>>>(far.data(), steps, out.data()); }, 0, options).median_ms;
        };
        return (chain(30000) - chain(10000)) * 1e6 / 20000;
    };
    const double near_ns = latency(chain_of_atomics<true>), far_ns = latency(chain_of_atomics<false>);
    const std::vector<AtomicCost> costs = {
        {"shared memory, each lane its own bank", near_ns, rate(many_atomics<true, false>)},
        {"shared memory, all of a block at one address", near_ns, rate(many_atomics<true, true>)},
        {"L2, each thread its own counter", far_ns, rate(many_atomics<false, false>)},
        {"L2, all of the grid at one address", far_ns, rate(many_atomics<false, true>)},
    };
    CUDA_CHECK(cudaGetLastError());
    return costs;
}
#endif

}  // namespace histogram_demo
