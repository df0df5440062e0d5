// Demo of 06_histogram: counts by every version of the topic, side by side. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.06_histogram
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/06_histogram/demo.cu
//            solutions/06_histogram/*.cu -o demo
// Run:   ./demo [--n N] [--json FILE]
//
//   letters into 7 bins:    v1 racy   v2 sections   v3 interleaved   v4 privatized   v8 registers
//   bytes into 256 bins:    v5 a copy per warp      v9 a counter per value and lane
//   16-bit values, 65,536:  v6 partly private       v7 spread over a cluster
//
// On a GPU: times at N and at 2^20 elements, on four inputs, with cold and with warm L2, against CUB; and
// what a single atomic costs. On the CPU executor: counts.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "measure.hpp"

namespace histogram_demo {

namespace {

__host__ __device__ inline unsigned int scrambled(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return i ^ (i >> 16);
}

/// `range` values from `low` on: all equally likely, or nine of ten among the first `common`, or only one.
template <class T>
__global__ void fill(T* values, std::size_t n, Input input, unsigned int low, unsigned int range,
                     unsigned int common) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned int random = scrambled(static_cast<unsigned int>(i));
        bool usual = input == Input::single || (input == Input::skewed && random % 10 != 0);
        unsigned int span = usual ? (input == Input::single ? 1 : common) : range;
        values[i] = static_cast<T>(low + scrambled(random) % span);
    }
}

/// One text again and again.
template <class T>
__global__ void fill_with_text(T* values, std::size_t n, const char* text, std::size_t length) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned char c = text[i % length], next = text[(i + 1) % length];
        values[i] = static_cast<T>(sizeof(T) == 1 ? c : c << 8 | next);
    }
}

template <class T>
void make(T* to, std::size_t n, Input input, const kit::DeviceBuffer<char>& text, unsigned int low,
          unsigned int range, unsigned int common) {
#ifdef KIT_CPU
    constexpr int blocks = 4;
#else
    constexpr int blocks = 1024;
#endif
    if (input == Input::text) {
        fill_with_text<T><<<blocks, 256>>>(to, n, text.data(), text.size());
    } else {
        fill<T><<<blocks, 256>>>(to, n, input, low, range, common);
    }
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
}

}  // namespace

Data::Data(Problem which, Input kind, std::size_t n)
    : problem(which), input(kind), bytes(n * bytes_per_element(which)), bins(bins_of(which)) {
    const std::string& words = histogram_test::real_text();
    kit::DeviceBuffer<char> device_text(std::vector<char>(words.begin(), words.end()));
    if (problem == Problem::values) {
        make(values(), n, input, device_text, 0, 65536, histogram::kPrivateBins);  // those that v6 holds
    } else if (problem == Problem::bytes) {
        make(bytes.data(), n, input, device_text, 0, 256, 1);
    } else {
        make(bytes.data(), n, input, device_text, 'a', 26, 1);
    }
    on_host = bytes.to_vector();
    count(n);
}

}  // namespace histogram_demo

namespace {

using namespace histogram_demo;

#ifdef KIT_CPU
/// Columns of the table and fields of the JSON file.
void count_all(std::size_t n, const char* json) {
    std::FILE* out = json == nullptr ? nullptr : open_or_exit(json);
    if (out != nullptr) {
        std::fprintf(out, "{\n  \"topic\": \"06_histogram\", \"device\": \"%s\", \"n\": %zu,\n  \"rows\": [",
                     device_name().c_str(), n);
    }
    std::printf("%-34s %8s %8s %9s %10s %9s\n", "version, on real text", "launches", "blocks", "barriers",
                "warp ops", "atomics");
    const char* separator = "\n";
    for (const Problem problem : {Problem::letters, Problem::bytes, Problem::values}) {
        Data data(problem, Input::text, n);
        for (const Version& version : versions(problem, data)) {
            if (version.wrong) continue;
            kit::cpu::reset_counters();
            if (!version.launch(n)) {
                std::printf("%-34s needs a device with clusters\n", version.name.c_str());
                continue;
            }
            CUDA_CHECK(cudaDeviceSynchronize());
            const kit::cpu::Counters c = kit::cpu::counters();
            check_counts(version, data, n);
            const unsigned long long counts[] = {c.kernels, c.blocks, c.block_barriers, c.warp_collectives,
                                                 c.atomics};
            std::printf("%-34s %8llu %8llu %9llu %10llu %9llu\n", version.name.c_str(), counts[0], counts[1],
                        counts[2], counts[3], counts[4]);
            if (out == nullptr) continue;
            std::fprintf(out,
                         "%s    {\"version\": \"%s\", \"launches\": %llu, \"blocks\": %llu, "
                         "\"block_barriers\": %llu, \"warp_operations\": %llu, \"atomics\": %llu}",
                         separator, version.name.c_str(), counts[0], counts[1], counts[2], counts[3],
                         counts[4]);
            separator = ",\n";
        }
    }
    std::printf(
        "barriers: one per block; warp ops (shuffles): one per warp; atomics: one per thread, near or far\n");
    if (out == nullptr) return;
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}
#else
struct Row {
    std::string version;
    Problem problem;
    Input input;
    std::size_t n;
    bool cold;
    kit::Timing timing;
    double lost;  ///< of all that was to be counted, what is missing
};

Row measure(const Version& version, Data& data, std::size_t n, bool cold) {
    kit::TimeOptions options;
    options.cold_l2 = cold;
    options.warm_up = version.slow ? 1 : 3;
    options.repetitions = version.slow ? 5 : n > (1 << 22) ? 31 : 51;
    const double bytes = static_cast<double>(n) * bytes_per_element(data.problem);
    const kit::Timing timing = kit::time([&] { version.launch(n); }, bytes, options);
    return {version.name, data.problem, data.input, n, cold, timing, check_counts(version, data, n)};
}

/// One table: versions down, inputs across, with the time on the worst input over that on the best.
void print_table(const std::vector<Row>& rows, Problem problem, std::size_t n, bool cold) {
    std::printf("\n%s, n=%zu, %s L2 (microseconds)\n%-34s", name_of(problem), n, cold ? "cold" : "warm",
                "version");
    for (const Input input : inputs) std::printf(" %10s", name_of(input));
    std::printf(" %12s %12s %8s\n", "worst/best", "worst GB/s", "of copy");
    std::vector<std::string> names;
    for (const Row& row : rows) {
        const bool here = row.problem == problem && row.n == n && row.cold == cold;
        if (here && std::find(names.begin(), names.end(), row.version) == names.end()) {
            names.push_back(row.version);
        }
    }
    for (const std::string& name : names) {
        std::printf("%-34s", name.c_str());
        double best = 1e30, worst = 0, slowest = 1e30, fraction = 0;
        bool valid = true;
        for (const Row& row : rows) {
            if (row.version != name || row.problem != problem || row.n != n || row.cold != cold) continue;
            std::printf(" %10.2f", row.timing.median_ms * 1e3);
            valid = valid && row.timing.valid;
            best = std::min(best, row.timing.median_ms);
            if (row.timing.median_ms <= worst) continue;
            worst = row.timing.median_ms;
            slowest = row.timing.gb_per_s;
            fraction = row.timing.fraction_of_copy;
        }
        std::printf(" %11.2fx %12.0f %7.0f%%%s\n", worst / best, slowest, fraction * 100,
                    valid ? "" : "  INVALID");
    }
}

void write_json(const char* file, const std::vector<Row>& rows, const std::vector<AtomicCost>& atomics) {
    std::FILE* out = open_or_exit(file);
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    std::fprintf(
        out,
        "{\n  \"topic\": \"06_histogram\", \"device\": \"%s\", \"multiprocessors\": %d, \"driver_cuda\": %d, "
        "\"runtime_cuda\": %d, \"date\": \"%s\",\n  \"copy_gb_per_s\": %.1f,\n  \"atomics\": [\n",
        device_name().c_str(), multiprocessors, driver, runtime, today().c_str(), kit::copy_gb_per_s());
    for (std::size_t i = 0; i < atomics.size(); ++i) {
        std::fprintf(out, "    {\"where\": \"%s\", \"latency_ns\": %.2f, \"per_second\": %.4g}%s\n",
                     atomics[i].where, atomics[i].latency_ns, atomics[i].per_second,
                     i + 1 < atomics.size() ? "," : "");
    }
    std::fprintf(out, "  ],\n  \"rows\": [\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        std::fprintf(
            out,
            "    {\"version\": \"%s\", \"problem\": \"%s\", \"input\": \"%s\", \"n\": %zu, \"l2\": \"%s\", "
            "\"median_us\": %.3f, \"spread\": %.4f, \"gb_per_s\": %.1f, \"fraction_of_copy\": %.4f, "
            "\"repetitions\": %d, \"lost\": %.6f, \"valid\": %s}%s\n",
            row.version.c_str(), name_of(row.problem), name_of(row.input), row.n, row.cold ? "cold" : "warm",
            row.timing.median_ms * 1e3, row.timing.spread, row.timing.gb_per_s, row.timing.fraction_of_copy,
            row.timing.repetitions, row.lost, row.timing.valid ? "true" : "false",
            i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(out, "  ]\n}\n");
    std::fclose(out);
}

void measure_all(std::size_t largest, const char* json) {
    std::vector<std::size_t> sizes = {largest};
    if (largest > (1 << 20)) sizes.push_back(1 << 20);
    std::vector<Row> rows;
    for (const Problem problem : {Problem::letters, Problem::bytes, Problem::values}) {
        for (const Input input : inputs) {
            Data data(problem, input, largest);
            const std::vector<Version> all = versions(problem, data);
            for (const std::size_t n : sizes) {
                data.count(n);
                for (const bool cold : {true, false}) {
                    for (const Version& version : all) {
                        if (version.launch(n)) rows.push_back(measure(version, data, n, cold));
                    }
                }
            }
        }
        for (const std::size_t n : sizes) {
            for (const bool cold : {true, false}) print_table(rows, problem, n, cold);
        }
    }
    std::printf("\ndevice copy: %.0f GB/s, read and written\n", kit::copy_gb_per_s());

    std::printf("\nv1 loses increments: ");
    for (const Row& row : rows) {
        if (row.lost > 0 && row.cold && row.n == largest) {
            std::printf("%s %.4f%%  ", name_of(row.input), row.lost * 100);
        }
    }
    std::printf("\n\n%-44s %12s %16s\n", "one atomic addition", "latency, ns", "10^9 per second");
    const std::vector<AtomicCost> atomics = measure_atomics();
    for (const AtomicCost& cost : atomics) {
        std::printf("%-44s %12.2f %16.2f\n", cost.where, cost.latency_ns, cost.per_second * 1e-9);
    }
    if (json != nullptr) write_json(json, rows, atomics);
}
#endif

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "%s\nusage: demo [--n N] [--json FILE]   with 1 <= N <= 2^31\n", what);
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef KIT_CPU
    std::size_t n = 1 << 16;
#else
    std::size_t n = 1 << 28;
#endif
    const char* json = nullptr;
    for (int i = 1; i < argc; ++i) {
        const bool has_value = i + 1 < argc;
        if (std::strcmp(argv[i], "--n") == 0 && has_value) {
            char* end = nullptr;
            const long long count = std::strtoll(argv[++i], &end, 10);
            if (*end != 0 || count < 1 || count > (1LL << 31)) refuse("--n: not a number of elements");
            n = static_cast<std::size_t>(count);
        } else if (std::strcmp(argv[i], "--json") == 0 && has_value) {
            json = argv[++i];
        } else {
            refuse("unknown option, or its value is missing");
        }
    }
    std::printf("06_histogram: %zu elements   %s\n\n", n, device_name().c_str());
#ifdef KIT_CPU
    count_all(n, json);
#else
    measure_all(n, json);
#endif
    return 0;
}
