// How the demo measures, prints and writes down: a row per version. Times on a GPU, counts on the CPU executor.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "14_graphs/calls.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace report {

#ifdef KIT_CPU
constexpr int repetitions = 1;
#else
constexpr int repetitions = 31;
#endif

/// One line of a table: times, or counts.
struct Row {
    std::string part, version;
    long long size = 0;  ///< elements or nodes
    double us = 0;       ///< median, from the first call to the end of a wait
    double host_us = 0;  ///< median until the calls have returned, before the wait
    double spread = 0;   ///< (third quartile - first) / median
    long long kernels = 0, graph_launches = 0, captures = 0, instances = 0, updates = 0;
};

struct Stream {
    Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(handle); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return handle; }
    cudaStream_t handle = nullptr;
};

inline long long kernels_run() {
#ifdef KIT_CPU
    return static_cast<long long>(kit::cpu::counters().kernels);
#else
    return 0;
#endif
}

inline double quartile(std::vector<double>& values, int quarter) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() * static_cast<std::size_t>(quarter) / 4, values.size() - 1)];
}

inline std::vector<Row>& rows() {
    static std::vector<Row> all;
    return all;
}

/// Runs `work` three times to warm up, then times it with a wait at the end. `per`: so many equal pieces.
inline Row measure(const std::string& part, const std::string& version, long long size, cudaStream_t stream,
                   const std::function<void()>& work, int per = 1) {
    std::vector<double> whole, host;
    Row row{part, version, size};
    for (int i = repetitions > 1 ? -3 : 0; i < repetitions; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        graphs::calls = {};
        const long long kernels = kernels_run();
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::micro> called = std::chrono::steady_clock::now() - start;
        CUDA_CHECK(cudaStreamSynchronize(stream));
        const std::chrono::duration<double, std::micro> done = std::chrono::steady_clock::now() - start;
        if (i < 0) continue;
        whole.push_back(done.count() / per);
        host.push_back(called.count() / per);
        row.kernels = kernels_run() - kernels;
        row.graph_launches = graphs::calls.launches;
        row.captures = graphs::calls.captures;
        row.instances = graphs::calls.instantiated;
        row.updates = graphs::calls.updates;
    }
#ifndef KIT_CPU
    row.us = quartile(whole, 2);
    row.host_us = quartile(host, 2);
    row.spread = (quartile(whole, 3) - quartile(whole, 1)) / row.us;
#endif
    rows().push_back(row);
    return row;
}

inline void print(const Row& row) {
#ifdef KIT_CPU
    std::printf("%-34s %9lld %8lld %8lld %9lld %10lld %8lld\n", row.version.c_str(), row.size, row.kernels,
                row.graph_launches, row.captures, row.instances, row.updates);
#else
    std::printf("%-34s %9lld %12.2f %12.2f %7.1f%%\n", row.version.c_str(), row.size, row.us, row.host_us,
                row.spread * 100);
#endif
}

inline void title(const char* text) {
#ifdef KIT_CPU
    std::printf("\n%s\n%-34s %9s %8s %8s %9s %10s %8s\n", text, "version", "size", "kernels", "launches",
                "captures", "instances", "updates");
#else
    std::printf("\n%s\n%-34s %9s %12s %12s %8s\n", text, "version", "size", "us", "host us", "spread");
#endif
}

struct Reserved {
    unsigned long long apart, overlapping;
};

// ---- writing it down ----

inline std::string device_name() {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
#ifdef KIT_CPU
    return std::string("CPU executor as ") + device.name;
#else
    return device.name;
#endif
}

/// `reserved`: bytes that graphs reserve for two buffers whose lives do not overlap, and do.
inline void write_json(std::FILE* out, const Reserved& reserved) {
    std::fprintf(out, "{\n  \"topic\": \"14_graphs\", \"device\": \"%s\",", device_name().c_str());
#ifdef KIT_CPU
    (void)reserved;
#else
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::fprintf(out,
                 " \"multiprocessors\": %d, \"driver_cuda\": %d, \"runtime_cuda\": %d, \"date\": \"%s\",",
                 multiprocessors, driver, runtime, date);
    std::fprintf(out, "\n  \"repetitions\": %d, \"reserved_apart\": %llu, \"reserved_overlapping\": %llu,",
                 repetitions, reserved.apart, reserved.overlapping);
#endif
    std::fprintf(out, "\n  \"rows\": [");
    const char* separator = "\n";
    for (const Row& row : rows()) {
        std::fprintf(out, "%s    {\"part\": \"%s\", \"version\": \"%s\", \"size\": %lld, ", separator,
                     row.part.c_str(), row.version.c_str(), row.size);
#ifdef KIT_CPU
        std::fprintf(out,
                     "\"kernels\": %lld, \"graph_launches\": %lld, \"captures\": %lld, \"instances\": %lld, "
                     "\"updates\": %lld}",
                     row.kernels, row.graph_launches, row.captures, row.instances, row.updates);
#else
        std::fprintf(out, "\"us\": %.3f, \"host_us\": %.3f, \"spread\": %.4f}", row.us, row.host_us,
                     row.spread);
#endif
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
}

}  // namespace report
