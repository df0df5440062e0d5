// Measurements of the demo other than the versions, on a GPU: the limits of the device, and constant memory by itself.
#pragma once

#include <string>
#include <vector>

#include "demo.hpp"
#include "kit.cuh"
#include "roofs.hpp"

namespace {

/// The rates that the clocks allow, for comparison with the measured roofs.
struct Promised {
    double memory_gb_per_s, fp32_tflop_per_s, clock_mhz;
    int multiprocessors;

    Promised() {
        int clock_khz, memory_khz, bus_bits, major, minor;
        const auto get = [](int& value, cudaDeviceAttr attribute) {
            CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        };
        get(multiprocessors, cudaDevAttrMultiProcessorCount);
        get(clock_khz, cudaDevAttrClockRate);
        get(memory_khz, cudaDevAttrMemoryClockRate);
        get(bus_bits, cudaDevAttrGlobalMemoryBusWidth);
        get(major, cudaDevAttrComputeCapabilityMajor);
        get(minor, cudaDevAttrComputeCapabilityMinor);
        // The units for 32-bit floats of a multiprocessor. No attribute reports them.
        const int units = major < 8 || (major == 8 && minor == 0) ? 64 : 128;
        memory_gb_per_s = 2.0 * memory_khz * 1e3 * bus_bits / 8 * 1e-9;
        fp32_tflop_per_s = 2.0 * units * multiprocessors * clock_khz * 1e3 * 1e-12;
        clock_mhz = clock_khz * 1e-3;
    }
};

/// Tables "rates" and "limits": the rates of the device, and the time that they leave for n outputs at least.
void show_limits(kit::demo::Demo& demo, double n, const std::vector<int>& widths) {
    const kit::Roofs& measured = kit::roofs();
    const Promised promised;
    if (demo.part("rates")) {
        demo.table("rates", "the rates that all bounds are made of, and what the clocks promise", "rate",
                   {{"measured", 1}, {"from_clocks", 1}, {"unit", 0, 10}});
        demo.row("memory", "copy, read and written",
                 {measured.copy_gb_per_s, promised.memory_gb_per_s, "GB/s"});
        demo.row("fp32", "multiply-adds, two operations each",
                 {measured.fp32_tflop_per_s, promised.fp32_tflop_per_s, "TFLOP/s"});
    }
    if (!demo.part("limits")) return;
    demo.table("limits", "what so many outputs take at least, in microseconds",
               {"mask in two dimensions", 22},
               {{"memory_us", 1}, {"arithmetic_us", 1}, {"from_clocks_us", 1}, {"separable_us", 1}});
    for (const int width : widths) {
        const double flops = 2 * n * width * width;
        const std::string size = std::to_string(width);
        demo.row(
            "w" + size, size + " x " + size,
            {8 * n / measured.copy_gb_per_s * 1e-3, flops / measured.fp32_tflop_per_s * 1e-6,
             flops / promised.fp32_tflop_per_s * 1e-6, 4 * n * width / measured.fp32_tflop_per_s * 1e-6});
    }
}

constexpr int table_size = 1024;
__constant__ float constant_table[table_size];

constexpr int reads_per_thread = 256, reading_blocks = 1024, reading_block = 256;

/// Each read depends on the previous one. The lanes of a warp read `different` neighbouring elements.
template <bool CONSTANT>
__global__ void read_table(const float* table, int different, float* out) {
    int i = threadIdx.x % different;
    float sum = 0;
    for (int k = 0; k < reads_per_thread; ++k) {
        const float value = CONSTANT ? constant_table[i] : table[i];
        sum += value;
        i = (i + 7 + static_cast<int>(value)) % table_size;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Tables "constant_memory" and "mask_copy": what a read costs, and what the copy before a launch costs.
void show_constant_memory(kit::demo::Demo& demo) {
    kit::TimeOptions options;
    options.cold_l2 = false;
    options.repetitions = demo.repetitions(options.repetitions);
    if (demo.part("constant_memory")) {
        const std::vector<float> values(table_size, 0.5f);
        CUDA_CHECK(cudaMemcpyToSymbol(constant_table, values.data(), sizeof constant_table));
        kit::DeviceBuffer<float> table(values), sums(reading_blocks * reading_block);
        const auto microseconds = [&](auto kernel, int different) {
            const auto launch = [&] {
                kernel<<<reading_blocks, reading_block>>>(table.data(), different, sums.data());
            };
            return 1e3 * kit::time(launch, 0, options).median_ms;
        };
        const Promised promised;
        const double reads_each = double(reading_blocks) * reading_block / 32 * reads_per_thread /
                                  promised.multiprocessors;  // reads of a warp, per multiprocessor
        demo.table("constant_memory",
                   std::to_string(reads_per_thread) + " dependent reads by each of " +
                       std::to_string(reading_blocks * reading_block) + " threads, in microseconds",
                   {"elements that the lanes of a warp read", 20},
                   {{"constant_us", 1}, {"global_us", 1}, {"constant_cycles", 1}});
        for (int different = 1; different <= 32; different *= 2) {
            const double constant = microseconds(read_table<true>, different);
            demo.row("e" + std::to_string(different), std::to_string(different),
                     {constant, microseconds(read_table<false>, different),
                      constant * promised.clock_mhz / reads_each});
        }
        CUDA_CHECK_LAUNCH();
        demo.say("cycles: of a multiprocessor, per read of a warp, at its highest clock");
    }
    if (!demo.part("mask_copy")) return;
    const std::vector<float> mask(table_size, 0.5f);
    demo.table("mask_copy", "cudaMemcpyToSymbol by itself", {"mask", 10}, {{"bytes"}, {"us", 1}});
    for (const int weights : {9, 9 * 9, 31 * 31}) {
        const auto copy = [&] {
            CUDA_CHECK(cudaMemcpyToSymbol(constant_table, mask.data(), weights * sizeof(float)));
        };
        demo.row("m" + std::to_string(weights), std::to_string(weights) + " floats",
                 {weights * sizeof(float), 1e3 * kit::time(copy, 0, options).median_ms});
    }
}

}  // namespace
