// Demo of 07_reduction: the sum of n floats by every version of the topic, side by side. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.07_reduction
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/07_reduction/demo.cu
//            solutions/07_reduction/*.cu -o demo
// Run:   ./demo [--n N] [--json FILE]
//
//   v1 tree_divergent   v2 tree_converged   v3 tree          v4 any_operation
//   v5 warp_shuffle     v6 atomic_per_block v7 single_pass   v8 fast
//
// Versions that sum blocks are called again on their block sums until one value is left. On a GPU: times,
// against a device copy and CUB. On the CPU executor: counts.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "07_reduction/07_reduction.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include <cub/device/device_reduce.cuh>
#endif

namespace {

constexpr int largest_n = 1 << 30;

/// Values between 0 and 1 that look random and are the same everywhere.
__host__ __device__ float value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<float>((i ^ (i >> 16)) >> 8) * 0x1p-24f;
}

__global__ void fill(float* values, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) values[i] = value_at(i);
}

struct Memory {
    kit::DeviceBuffer<float> in, sums, more_sums, out;
    kit::DeviceBuffer<double> partials, out_double;
    kit::DeviceBuffer<unsigned int> ticket;
    int n;

    explicit Memory(int count)
        : in(count),
          sums(kit::ceil_div(count, reduction::kBlock)),
          more_sums(kit::ceil_div(count, reduction::kBlock)),
          out(1),
          partials(reduction::kMaxBlocks),
          out_double(1),
          ticket(1),
          n(count) {
        ticket.clear();
        fill<<<1024, 256>>>(in.data(), n);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    reduction::Workspace workspace() { return {partials.data(), ticket.data()}; }
};

/// Block sums of block sums, until one value is left, in `out`.
void until_one(void (*block_sums)(const float*, int, float*), int tile, Memory& memory, int n) {
    const float* in = memory.in.data();
    float* to = memory.sums.data();
    float* next = memory.more_sums.data();
    for (; n > tile; n = kit::ceil_div(n, tile)) {
        block_sums(in, n, to);
        in = to;
        std::swap(to, next);
    }
    block_sums(in, n, memory.out.data());
}

struct Version {
    std::string name;
    std::function<void(int)> launch;  ///< sums the first n values
    bool in_double = false;           ///< where the result is
};

std::vector<Version> versions(Memory& m) {
    std::vector<Version> all = {
        {"v1 divergent tree", [&](int n) { until_one(reduction::tree_divergent, reduction::kBlock, m, n); }},
        {"v2 converged tree", [&](int n) { until_one(reduction::tree_converged, reduction::kBlock, m, n); }},
        {"v3 two loads per thread", [&](int n) { until_one(reduction::tree, reduction::kTile, m, n); }},
        {"v4 any operation, two launches",
         [&](int n) {
             reduction::any_operation(m.in.data(), n, reduction::Sum{}, m.sums.data(), m.out.data());
         }},
        {"v5 warp shuffles", [&](int n) { until_one(reduction::warp_shuffle, reduction::kTile, m, n); }},
        {"v6 one atomic per block (double)",
         [&](int n) { reduction::atomic_per_block(m.in.data(), n, m.out_double.data()); }, true},
        {"v7 last block done (double)",
         [&](int n) { reduction::single_pass(m.in.data(), n, m.out_double.data(), m.workspace()); }, true},
        {"v8 fast", [&](int n) { reduction::fast(m.in.data(), n, m.out.data(), m.workspace()); }},
    };
#ifndef KIT_CPU
    static kit::DeviceBuffer<char> scratch;
    std::size_t bytes = 0;
    CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, m.in.data(), m.out.data(), m.n));
    scratch = kit::DeviceBuffer<char>(bytes);
    all.push_back({"CUB DeviceReduce::Sum", [&m, bytes](int n) {
                       std::size_t size = bytes;
                       CUDA_CHECK(cub::DeviceReduce::Sum(scratch.data(), size, m.in.data(), m.out.data(), n));
                   }});
#endif
    return all;
}

double result(const Version& version, Memory& m) {
    return version.in_double ? m.out_double.to_vector()[0] : m.out.to_vector()[0];
}

double exact_sum(int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += value_at(i);
    return sum;
}

std::FILE* open_or_exit(const char* file) {
    std::FILE* out = std::fopen(file, "w");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", file);
        std::exit(EXIT_FAILURE);
    }
    return out;
}

std::string device_name() {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
#ifdef KIT_CPU
    return std::string("CPU executor as ") + device.name;
#else
    return device.name;
#endif
}

#ifdef KIT_CPU
/// Columns of the table and fields of the JSON file.
void count_all(const std::vector<Version>& all, Memory& m, const char* json) {
    const double want = exact_sum(m.n);
    std::FILE* out = json == nullptr ? nullptr : open_or_exit(json);
    if (out != nullptr) {
        std::fprintf(out, "{\n  \"topic\": \"07_reduction\", \"device\": \"%s\", \"n\": %d,\n  \"rows\": [",
                     device_name().c_str(), m.n);
    }
    std::printf("%-34s %8s %8s %9s %10s %9s %10s\n", "version", "launches", "blocks", "barriers", "warp ops",
                "atomics", "rel. error");
    const char* separator = "\n";
    for (const Version& version : all) {
        kit::cpu::reset_counters();
        version.launch(m.n);
        CUDA_CHECK(cudaDeviceSynchronize());
        const kit::cpu::Counters c = kit::cpu::counters();
        const unsigned long long counts[] = {c.kernels, c.blocks, c.block_barriers, c.warp_collectives,
                                             c.atomics};
        const double error = std::fabs(result(version, m) - want) / want;
        std::printf("%-34s %8llu %8llu %9llu %10llu %9llu %10.1e\n", version.name.c_str(), counts[0],
                    counts[1], counts[2], counts[3], counts[4], error);
        if (out == nullptr) continue;
        std::fprintf(
            out,
            "%s    {\"version\": \"%s\", \"launches\": %llu, \"blocks\": %llu, \"block_barriers\": %llu, "
            "\"warp_operations\": %llu, \"atomics\": %llu}",
            separator, version.name.c_str(), counts[0], counts[1], counts[2], counts[3], counts[4]);
        separator = ",\n";
    }
    std::printf(
        "barriers: one per block; warp ops (shuffles, warp barriers): one per warp; atomics: one per "
        "thread\n");
    if (out == nullptr) return;
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}
#else
struct Row {
    std::string version;
    int n;
    kit::Timing timing;
    double relative_error;
};

Row measure(const Version& version, Memory& m, int n, double want, int repetitions) {
    m.out.clear();
    m.out_double.clear();
    kit::TimeOptions options;
    options.repetitions = repetitions;
    kit::Timing timing = kit::time([&] { version.launch(n); }, sizeof(float) * double(n), options);
    double error = std::fabs(result(version, m) - want) / want;
    if (!(error < 1e-4)) {
        std::fprintf(stderr, "%s, n=%d: the sum is wrong (relative error %g)\n", version.name.c_str(), n,
                     error);
        std::exit(EXIT_FAILURE);
    }
    return {version.name, n, timing, error};
}

/// Both signs, magnitudes from 1e-9 to 1e9: every order of addition rounds differently.
__global__ void fill_with_many_magnitudes(float* values, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        float exponent = -9.0f + 18.0f * value_at(i);
        values[i] = (value_at(~i) < 0.5f ? -1.0f : 1.0f) * powf(10.0f, exponent);
    }
}

/// How many different results equal calls give, on values that every order of addition rounds differently.
int different_results(const Version& version, Memory& m, int n, int calls) {
    fill_with_many_magnitudes<<<1024, 256>>>(m.in.data(), n);
    CUDA_CHECK_LAUNCH();
    std::set<double> results;
    for (int call = 0; call < calls; ++call) {
        version.launch(n);
        results.insert(result(version, m));
    }
    return static_cast<int>(results.size());
}

void print_ladder(const std::vector<Row>& rows) {
    std::printf("%-34s %10s %7s %8s %6s %9s %10s\n", "version", "us", "spread", "GB/s", "copy", "speed-up",
                "rel. error");
    double before = 0;
    for (const Row& row : rows) {
        std::printf("%-34s %10.1f %6.1f%% %8.0f %5.0f%% %8.2fx %10.1e%s\n", row.version.c_str(),
                    row.timing.median_ms * 1e3, row.timing.spread * 100, row.timing.gb_per_s,
                    row.timing.fraction_of_copy * 100, before > 0 ? before / row.timing.median_ms : 1.0,
                    row.relative_error, row.timing.valid ? "" : "  INVALID");
        before = row.timing.median_ms;
    }
    std::printf("device copy: %.0f GB/s, read and written. Speed-up: over the line above.\n",
                kit::copy_gb_per_s());
}

void print_sizes(const std::vector<std::vector<Row>>& by_size) {
    std::printf("\n%12s", "n");
    for (const Row& row : by_size[0]) std::printf(" %30s", row.version.c_str());
    std::printf("   (microseconds)\n");
    for (const auto& rows : by_size) {
        std::printf("%12d", rows[0].n);
        for (const Row& row : rows) std::printf(" %30.2f", row.timing.median_ms * 1e3);
        std::printf("\n");
    }
}

void write_json(const char* file, const std::vector<Row>& rows, int results_v6, int results_v7, int calls) {
    std::FILE* out = open_or_exit(file);
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    int driver = 0, runtime = 0;
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::fprintf(
        out,
        "{\n  \"topic\": \"07_reduction\", \"device\": \"%s\", \"multiprocessors\": %d, \"driver_cuda\": %d, "
        "\"runtime_cuda\": %d, \"date\": \"%s\",\n",
        device_name().c_str(), multiprocessors, driver, runtime, date);
    std::fprintf(out, "  \"copy_gb_per_s\": %.1f,\n", kit::copy_gb_per_s());
    std::fprintf(out, "  \"equal_calls\": %d, \"different_results_v6\": %d, \"different_results_v7\": %d,\n",
                 calls, results_v6, results_v7);
    std::fprintf(out, "  \"rows\": [\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        std::fprintf(
            out,
            "    {\"version\": \"%s\", \"n\": %d, \"median_us\": %.3f, \"spread\": %.4f, \"gb_per_s\": %.1f, "
            "\"fraction_of_copy\": %.4f, \"repetitions\": %d, \"relative_error\": %.3g}%s\n",
            row.version.c_str(), row.n, row.timing.median_ms * 1e3, row.timing.spread, row.timing.gb_per_s,
            row.timing.fraction_of_copy, row.timing.repetitions, row.relative_error,
            i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(out, "  ]\n}\n");
    std::fclose(out);
}

void measure_all(const std::vector<Version>& all, Memory& m, const char* json) {
    std::vector<Row> ladder;
    const double want = exact_sum(m.n);
    for (const Version& version : all) ladder.push_back(measure(version, m, m.n, want, 31));
    print_ladder(ladder);

    std::vector<Row> everything = ladder;
    std::vector<std::vector<Row>> by_size;
    for (int n : {1 << 10, 1 << 14, 1 << 18, 1 << 20, (1 << 20) + 3, 1 << 22, 1 << 24, 1 << 26, 1 << 28}) {
        if (n > m.n) continue;
        by_size.emplace_back();
        for (std::size_t v : {std::size_t{5}, std::size_t{6}, std::size_t{7}, std::size_t{8}}) {
            by_size.back().push_back(measure(all[v], m, n, exact_sum(n), 51));
            everything.push_back(by_size.back().back());
        }
    }
    if (!by_size.empty()) print_sizes(by_size);

    constexpr int calls = 100;
    const int n = std::min(m.n, 1 << 24);
    const int results_v6 = different_results(all[5], m, n, calls),
              results_v7 = different_results(all[6], m, n, calls);
    std::printf("\n%d equal calls, n=%d: v6 gave %d different results, v7 %d\n", calls, n, results_v6,
                results_v7);
    if (json != nullptr) write_json(json, everything, results_v6, results_v7, calls);
}
#endif

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "%s\nusage: demo [--n N] [--json FILE]   with 1 <= N <= %d\n", what, largest_n);
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef KIT_CPU
    int n = 1 << 16;
#else
    int n = 1 << 28;
#endif
    const char* json = nullptr;
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (std::strcmp(argv[i], "--n") == 0 && has_value) {
            char* end = nullptr;
            const long count = std::strtol(argv[++i], &end, 10);
            if (*end != 0 || count < 1 || count > largest_n) refuse("--n: not a number of elements");
            n = static_cast<int>(count);
        } else if (std::strcmp(argv[i], "--json") == 0 && has_value) {
            json = argv[++i];
        } else {
            refuse("unknown option, or its value is missing");
        }
    }
    std::printf("07_reduction: the sum of %d floats   %s\n\n", n, device_name().c_str());
    Memory memory(n);
    const std::vector<Version> all = versions(memory);
#ifdef KIT_CPU
    count_all(all, memory, json);
#else
    measure_all(all, memory, json);
#endif
    return 0;
}
