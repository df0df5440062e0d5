// What the demo measures beside the versions, on a GPU: the limits of the device, and constant memory by itself.
#pragma once

#include <cstdio>
#include <vector>

#include "kit.cuh"

namespace {

/// What the device can do at most.
struct Limits {
    double copy_gb_per_s, peak_gb_per_s, tera_multiply_adds_per_s;

    Limits() : copy_gb_per_s(kit::copy_gb_per_s()) {
        int multiprocessors, clock_khz, memory_khz, bus_bits, major, minor;
        const auto get = [](int& value, cudaDeviceAttr attribute) {
            CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        };
        get(multiprocessors, cudaDevAttrMultiProcessorCount);
        get(clock_khz, cudaDevAttrClockRate);
        get(memory_khz, cudaDevAttrMemoryClockRate);
        get(bus_bits, cudaDevAttrGlobalMemoryBusWidth);
        get(major, cudaDevAttrComputeCapabilityMajor);
        get(minor, cudaDevAttrComputeCapabilityMinor);
        // The units for 32-bit floats of a multiprocessor; no attribute tells.
        const int units = major < 8 || (major == 8 && minor == 0) ? 64 : 128;
        peak_gb_per_s = 2.0 * memory_khz * 1e3 * bus_bits / 8 * 1e-9;
        tera_multiply_adds_per_s = 1e3 * clock_khz * multiprocessors * units * 1e-12;
    }
};

constexpr int table_size = 1024;
__constant__ float constant_table[table_size];

/// 256 reads per thread, each of an element that the last read decides. Lanes `spread` apart read elements that far apart.
template <bool CONSTANT>
__global__ void read_table(const float* table, int spread, float* out) {
    int i = threadIdx.x % 32 * spread;
    float sum = 0;
    for (int k = 0; k < 256; ++k) {
        float value = CONSTANT ? constant_table[i] : table[i];
        sum += value;
        i = (i + 7 + static_cast<int>(value)) % table_size;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct TableTimes {
    double constant_same, constant_spread, global_same, global_spread;  ///< microseconds
};

/// Constant memory against global memory, when all lanes read the same element and when each reads its own.
TableTimes measure_tables() {
    const std::vector<float> values(table_size, 0.5f);
    CUDA_CHECK(cudaMemcpyToSymbol(constant_table, values.data(), sizeof constant_table));
    kit::DeviceBuffer<float> table(values), sums(1024 * 256);
    const auto microseconds = [&](auto kernel, int spread) {
        kit::TimeOptions options;
        options.cold_l2 = false;
        return 1e3 * kit::time([&] { kernel<<<1024, 256>>>(table.data(), spread, sums.data()); }, 0, options)
                         .median_ms;
    };
    TableTimes times = {microseconds(read_table<true>, 0), microseconds(read_table<true>, 1),
                        microseconds(read_table<false>, 0), microseconds(read_table<false>, 1)};
    CUDA_CHECK_LAUNCH();
    std::printf(
        "\n256 dependent reads by each of 262144 threads (microseconds)\n"
        "  constant memory: the same element for all lanes %.1f, each lane its own %.1f\n"
        "  global memory:   the same element for all lanes %.1f, each lane its own %.1f\n",
        times.constant_same, times.constant_spread, times.global_same, times.global_spread);
    return times;
}

}  // namespace
