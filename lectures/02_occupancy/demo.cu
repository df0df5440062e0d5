// Demo of 02_occupancy: how many warps fit, and how many are needed. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.02_occupancy
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/02_occupancy/demo.cu
//            solutions/02_occupancy/*.cu -o demo
// Run:   ./demo [--n N] [--json FILE]
//
// On both backends: what fits, for the kernels of the topic. On a GPU also times: bandwidth by the bytes on the way,
// arithmetic by warps and independent chains, matrices and Fourier transforms at lower occupancy, small grids, and v4 against
// v5 and a device copy. On the CPU executor: threads of v4 and v5.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "02_occupancy/02_occupancy.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include "lower_occupancy.cuh"
#endif

namespace {

/// What is measured, printed at once, and written to the JSON file at the end.
struct Results {
    std::vector<std::string> rows;

    void add(const std::string& table, const std::string& fields) {
        rows.push_back("    {\"table\": \"" + table + "\", " + fields + "}");
    }
    void write(const char* file, const std::string& device, std::size_t n) const {
        std::FILE* out = std::fopen(file, "w");
        if (out == nullptr) {
            std::fprintf(stderr, "cannot write %s\n", file);
            std::exit(EXIT_FAILURE);
        }
        int driver = 0, runtime = 0;
        CUDA_CHECK(cudaDriverGetVersion(&driver));
        CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
        std::fprintf(out,
                     "{\n  \"topic\": \"02_occupancy\", \"device\": \"%s\", \"driver_cuda\": %d, "
                     "\"runtime_cuda\": %d, \"n\": %zu,\n  \"rows\": [\n",
                     device.c_str(), driver, runtime, n);
        for (std::size_t i = 0; i < rows.size(); ++i)
            std::fprintf(out, "%s%s\n", rows[i].c_str(), i + 1 < rows.size() ? "," : "");
        std::fprintf(out, "  ]\n}\n");
        std::fclose(out);
    }
};

/// printf into a string.
template <class... Values>
std::string text(const char* format, Values... values) {
    char buffer[512];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

cudaDeviceProp properties() {
    cudaDeviceProp all;
    CUDA_CHECK(cudaGetDeviceProperties(&all, 0));
    return all;
}

/// Section 3 of the lecture: blocks, threads and percent of the kernel with 200 bytes of shared memory per thread.
void what_fits(Results& results) {
    const std::string device = properties().name;
    const void* kernel = reinterpret_cast<const void*>(occupancy::states_kernel());
    std::printf("\ncount_states (200 bytes of shared memory per thread) on %s\n", device.c_str());
    for (int block = 32; block <= 256; block += 32) {
        const occupancy::Report r = occupancy::report(kernel, block, occupancy::states_shared(block));
        occupancy::print(stdout, text("  blocks of %3d", block).c_str(), r);
        results.add("what fits",
                    text("\"device\": \"%s\", \"block\": %d, \"active_warps\": %d, \"maximum_warps\": "
                         "%d, \"percent\": %.2f",
                         device.c_str(), block, r.active_warps, r.maximum_warps, r.percent));
    }
    const double small =
        80.0 * 512 / (properties().multiProcessorCount * properties().maxThreadsPerMultiProcessor);
    std::printf("  80 blocks of 512 threads fill %.1f%% of the device\n", 100 * small);
    results.add("small grid", text("\"device\": \"%s\", \"percent\": %.2f", device.c_str(), 100 * small));
}

#ifdef KIT_CPU

void count(Results& results, std::size_t n) {
    const kit::DeviceBuffer<float> in(std::vector<float>(n, 1.0f));
    kit::DeviceBuffer<float> out(n);
    const auto run = [&](const char* name, auto function) {
        kit::cpu::reset_counters();
        function(in.data(), n, 2.0f, 1.0f, out.data());
        CUDA_CHECK(cudaDeviceSynchronize());
        const kit::cpu::Counters c = kit::cpu::counters();
        std::printf("%-26s %8llu blocks %9llu threads %6.1f elements per thread\n", name,
                    static_cast<unsigned long long>(c.blocks), static_cast<unsigned long long>(c.threads),
                    static_cast<double>(n) / static_cast<double>(c.threads));
        results.add("threads", text("\"version\": \"%s\", \"blocks\": %llu, \"threads\": %llu", name,
                                    static_cast<unsigned long long>(c.blocks),
                                    static_cast<unsigned long long>(c.threads)));
    };
    std::printf("\nn=%zu on %s\n", n, properties().name);
    run("v4 one element each", occupancy::one_each);
    run("v5 four, a quarter", occupancy::ilp);
}

#else

/// Reads everything and keeps a sum that nobody can leave out. LOADS loads of T are on the way per thread.
template <class T, int LOADS>
__global__ void read(const T* in, std::size_t n, float* out) {
    float sum = 0;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x * LOADS;
    std::size_t base = std::size_t{blockIdx.x} * blockDim.x * LOADS + threadIdx.x;
    for (; base + (LOADS - 1) * blockDim.x < n; base += step) {
        T value[LOADS];
#pragma unroll
        for (int j = 0; j < LOADS; ++j) value[j] = in[base + j * blockDim.x];
#pragma unroll
        for (int j = 0; j < LOADS; ++j) {
            if constexpr (sizeof(T) == 4) {
                sum += value[j];
            } else {
                sum += (value[j].x + value[j].y) + (value[j].z + value[j].w);
            }
        }
    }
    if (sum == 0.1234f) *out = sum;
}

double time_ms(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
               int repetitions = 15) {
    kit::TimeOptions options;
    options.repetitions = repetitions;
    return kit::time([&] { CUDA_CHECK(cudaLaunchKernel(kernel, grid, block, arguments, shared, nullptr)); },
                     0, options)
        .median_ms;
}

template <class T, int LOADS>
void bandwidth_row(Results& results, const float* in, std::size_t n, float* out) {
    const T* vectors = reinterpret_cast<const T*>(in);
    std::size_t count = n * sizeof(float) / sizeof(T);
    void* arguments[] = {&vectors, &count, &out};
    std::printf("%5zu bytes x %d", sizeof(T), LOADS);
    for (int warps : {2, 4, 8, 16, 32, 64}) {
        const int threads = std::min(warps * 32, 256), blocks = warps * 32 / threads;
        const int processors = properties().multiProcessorCount;
        const double ms =
            time_ms(reinterpret_cast<const void*>(read<T, LOADS>), processors * blocks, threads, arguments);
        const double rate = static_cast<double>(n) * 4 / ms / 1e6;
        const double flight = static_cast<double>(processors) * warps * 32 * LOADS * sizeof(T) / 1e6;
        std::printf("  %5.2f:%5.0f", flight, rate);
        results.add("bandwidth",
                    text("\"bytes_per_load\": %zu, \"loads\": %d, \"warps\": %d, \"mb_on_the_way\": %.3f, "
                         "\"gb_per_s\": %.1f, \"fraction_of_copy\": %.4f",
                         sizeof(T), LOADS, warps, flight, rate, rate / kit::copy_gb_per_s()));
    }
    std::printf("\n");
}

void bandwidth(Results& results, const float* in, std::size_t n, float* out) {
    std::printf(
        "\nreading %zu floats: MB on the way at most: GB/s, with 2, 4, 8, 16, 32, 64 warps per "
        "multiprocessor\n",
        n);
    bandwidth_row<float, 1>(results, in, n, out);
    bandwidth_row<float, 2>(results, in, n, out);
    bandwidth_row<float, 4>(results, in, n, out);
    bandwidth_row<float, 8>(results, in, n, out);
    bandwidth_row<float4, 1>(results, in, n, out);
    bandwidth_row<float4, 2>(results, in, n, out);
    bandwidth_row<float4, 4>(results, in, n, out);
    bandwidth_row<float4, 8>(results, in, n, out);
    std::printf("device copy: %.0f GB/s\n", kit::copy_gb_per_s());
}

/// CHAINS independent chains of multiply-adds.
template <int CHAINS>
__global__ void chains(float* out, float a, float b, int steps) {
    float value[CHAINS];
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) value[j] = static_cast<float>(threadIdx.x + j);
#pragma unroll 8
    for (int i = 0; i < steps; ++i) {
#pragma unroll
        for (int j = 0; j < CHAINS; ++j) value[j] = a * value[j] + b;
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) sum += value[j];
    if (sum == 0.1234f) *out = sum;
}

template <int CHAINS>
void arithmetic_row(Results& results, float* out) {
    float a = 0.999f, b = 0.001f;
    int steps = (1 << 18) / CHAINS;
    void* arguments[] = {&out, &a, &b, &steps};
    std::printf("%8d chains", CHAINS);
    for (int warps : {4, 8, 16, 32, 64}) {
        const int threads = std::min(warps * 32, 512), blocks = warps * 32 / threads;
        const int processors = properties().multiProcessorCount;
        const double ms = time_ms(reinterpret_cast<const void*>(chains<CHAINS>), processors * blocks, threads,
                                  arguments, 0, 7);
        const double rate = 2.0 * processors * warps * 32 * steps * CHAINS / ms / 1e9;
        std::printf("  %7.1f", rate);
        results.add("arithmetic",
                    text("\"chains\": %d, \"warps\": %d, \"tflop_per_s\": %.2f", CHAINS, warps, rate));
    }
    std::printf("\n");
}

/// Times a kernel with all the blocks that fit, and with so few that about half the warps are resident.
void at_two_occupancies(Results& results, const char* table, const std::string& name, const void* kernel,
                        dim3 grid, dim3 block, void** arguments, double work) {
    cudaFuncAttributes facts;
    CUDA_CHECK(cudaFuncGetAttributes(&facts, kernel));
    const int threads = static_cast<int>(block.x * block.y);
    const int room = static_cast<int>(properties().sharedMemPerBlockOptin - facts.sharedSizeBytes);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    int last = 0;
    for (const int percent : {100, 50, 25}) {
        // Unused shared memory keeps other blocks away.
        const int blocks = std::max(1, properties().maxThreadsPerMultiProcessor * percent / 100 / threads);
        const int share = static_cast<int>(properties().sharedMemPerMultiprocessor) / blocks - 1024 -
                          static_cast<int>(facts.sharedSizeBytes);
        const std::size_t shared =
            percent == 100 ? 0 : static_cast<std::size_t>(std::clamp(share / 128 * 128, 0, room));
        const occupancy::Report r = occupancy::report(kernel, threads, shared);
        if (r.active_warps == last) continue;
        last = r.active_warps;
        const double rate = work / time_ms(kernel, grid, block, arguments, shared, 9) / 1e6;
        std::printf("  %-22s %3d registers  %5.1f%% occupancy  %9.1f\n", name.c_str(), facts.numRegs,
                    r.percent, rate);
        results.add(table,
                    text("\"version\": \"%s\", \"registers\": %d, \"occupancy\": %.2f, \"g_per_s\": %.1f",
                         name.c_str(), facts.numRegs, r.percent, rate));
    }
}

template <int OUTPUTS>
void matrix_row(Results& results, const float* a, const float* b, float* c, int n) {
    void* arguments[] = {&a, &b, &c, &n};
    at_two_occupancies(results, "matrix", text("%d outputs per thread", OUTPUTS),
                       reinterpret_cast<const void*>(lower_occupancy::multiply<OUTPUTS>),
                       dim3(n / 32, n / 32), dim3(32, 32 / OUTPUTS), arguments, 2.0 * n * n * n);
    std::vector<float> corner(1);
    CUDA_CHECK(cudaMemcpy(corner.data(), c + 12345, sizeof(float), cudaMemcpyDeviceToHost));
    if (std::fabs(corner[0] - static_cast<float>(n)) > 0.5f)
        std::printf("  WRONG: %g instead of %d\n", corner[0], n);
}

/// One wave with frequency 3 in each transform: all of it must come out at point 3.
template <int RADIX>
void fourier_row(Results& results, kit::DeviceBuffer<float2>& in, kit::DeviceBuffer<float2>& out) {
    const float2* from = in.data();
    float2* to = out.data();
    void* arguments[] = {&from, &to};
    const auto blocks = static_cast<unsigned>(in.size() / (RADIX * lower_occupancy::kPoints));
    at_two_occupancies(results, "fourier", text("%d points per thread", RADIX),
                       reinterpret_cast<const void*>(lower_occupancy::fourier<RADIX>), dim3(blocks),
                       dim3(256), arguments, 5.0 * static_cast<double>(in.size()) * 8);
    std::vector<float2> first(8);
    CUDA_CHECK(cudaMemcpy(first.data(), to, sizeof(float2) * 8, cudaMemcpyDeviceToHost));
    if (std::fabs(first[3].x - 256) > 0.1f || std::fabs(first[2].x) > 0.1f)
        std::printf("  WRONG: %g at 3, %g at 2\n", first[3].x, first[2].x);
}

void lower(Results& results) {
    constexpr int n = 4096;
    kit::DeviceBuffer<float> a(std::vector<float>(std::size_t{n} * n, 1.0f)),
        b(std::vector<float>(std::size_t{n} * n, 1.0f)), c(std::size_t{n} * n);
    std::printf("\nmatrices of %d x %d, one output or several per thread (GFLOP/s)\n", n, n);
    matrix_row<1>(results, a.data(), b.data(), c.data(), n);
    matrix_row<2>(results, a.data(), b.data(), c.data(), n);
    matrix_row<4>(results, a.data(), b.data(), c.data(), n);
    matrix_row<8>(results, a.data(), b.data(), c.data(), n);
    std::vector<float2> wave(std::size_t{1} << 26);
    for (std::size_t i = 0; i < wave.size(); ++i) {
        const double angle = 2 * 3.14159265358979 * 3 * static_cast<double>(i % 256) / 256;
        wave[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    kit::DeviceBuffer<float2> in(wave), out(wave.size());
    std::printf("\n%zu Fourier transforms of 256 points (GFLOP/s, 5 n log2 n each)\n", wave.size() / 256);
    fourier_row<2>(results, in, out);
    fourier_row<4>(results, in, out);
    fourier_row<16>(results, in, out);
}

void small_grids(Results& results, const float* in, std::size_t n, float* out) {
    const float4* vectors = reinterpret_cast<const float4*>(in);
    std::size_t count = n / 4;
    void* arguments[] = {&vectors, &count, &out};
    std::printf("\ngrids of so many blocks of 512 threads, two 16-byte loads on the way each\n");
    for (int blocks : {20, 40, 80, 132, 264, 396, 528}) {
        const double ms = time_ms(reinterpret_cast<const void*>(read<float4, 2>), blocks, 512, arguments);
        const double rate = static_cast<double>(n) * 4 / ms / 1e6;
        std::printf("  %4d blocks: %5.0f GB/s\n", blocks, rate);
        results.add("grids", text("\"blocks\": %d, \"gb_per_s\": %.1f", blocks, rate));
    }
}

void compare(Results& results, std::size_t n) {
    kit::DeviceBuffer<float> in(n), out(n);
    in.clear();
    kit::TimeOptions options;
    options.repetitions = 31;
    std::printf("\nout = a * in + b, n=%zu\n", n);
    const auto row = [&](const char* name, auto function) {
        const kit::Timing t = kit::time([&] { function(in.data(), n, 2.0f, 1.0f, out.data()); },
                                        8.0 * static_cast<double>(n), options);
        if (out.to_vector()[n / 2] != 1.0f) std::printf("  WRONG\n");
        std::printf("  %-26s %8.1f us %5.1f%% %7.0f GB/s %4.0f%% of a copy\n", name, t.median_ms * 1e3,
                    t.spread * 100, t.gb_per_s, t.fraction_of_copy * 100);
        results.add("affine",
                    text("\"version\": \"%s\", \"median_us\": %.2f, \"spread\": %.4f, \"gb_per_s\": %.1f, "
                         "\"fraction_of_copy\": %.4f",
                         name, t.median_ms * 1e3, t.spread, t.gb_per_s, t.fraction_of_copy));
    };
    row("v4 one element each", occupancy::one_each);
    row("v5 four, a quarter", occupancy::ilp);
}

void measure(Results& results, std::size_t n) {
    compare(results, n);
    kit::DeviceBuffer<float> in(n), out(1);
    in.clear();
    bandwidth(results, in.data(), n, out.data());
    std::printf("\nmultiply-adds in TFLOP/s, with 4, 8, 16, 32, 64 warps per multiprocessor\n");
    arithmetic_row<1>(results, out.data());
    arithmetic_row<2>(results, out.data());
    arithmetic_row<4>(results, out.data());
    arithmetic_row<8>(results, out.data());
    lower(results);
    small_grids(results, in.data(), n, out.data());
}

#endif

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "%s\nusage: demo [--n N] [--json FILE]   with 1024 <= N <= 2^30\n", what);
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef KIT_CPU
    std::size_t n = std::size_t{1} << 19;
#else
    std::size_t n = std::size_t{1} << 28;
#endif
    const char* json = nullptr;
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (std::strcmp(argv[i], "--n") == 0 && has_value) {
            char* end = nullptr;
            const long count = std::strtol(argv[++i], &end, 10);
            if (*end != 0 || count < 1024 || count > 1l << 30) refuse("--n: not a number of elements");
            n = static_cast<std::size_t>(count);
        } else if (std::strcmp(argv[i], "--json") == 0 && has_value) {
            json = argv[++i];
        } else {
            refuse("unknown option, or its value is missing");
        }
    }
    Results results;
#ifdef KIT_CPU
    for (const char* device : {"h200", "a100", "t4"}) {
        kit::cpu::set_device(device);
        what_fits(results);
    }
    kit::cpu::set_device(nullptr);
    count(results, n);
    const std::string device = std::string("CPU executor as ") + properties().name;
#else
    what_fits(results);
    measure(results, n);
    const std::string device = properties().name;
#endif
    if (json != nullptr) results.write(json, device, n);
    return 0;
}
