// Demo of 05_convolution: every version of the topic, side by side, for masks of 5, 9, 15 and 31. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.05_convolution
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/05_convolution/demo.cu
//            solutions/05_convolution/*.cu -o demo
// Run:   ./demo [--n N] [--side S] [--json FILE]
//
//   N elements in one dimension, an image of S * S in two.
//   v1 basic   v2 constant   v3 tiled   v4 fast   v5 constant, 2D   v6 tiled, 2D   v7 fast, 2D
//   v8 separable, two launches   v9 separable, one launch
//
// On a GPU: times, against the bound: the larger of the time that a device copy takes for the same bytes, and the
// time that the multiply-adds take if every unit starts one in every cycle. On the CPU executor: counts.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "05_convolution/05_convolution.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include "measure.cuh"
#endif

namespace {

/// Values between -1 and 1 that look random and are the same everywhere.
__host__ __device__ float value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<float>((i ^ (i >> 16)) >> 8) * 0x1p-23f - 1.0f;
}

__global__ void fill(float* values, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) values[i] = value_at(i);
}

struct Memory {
    int n, side;
    kit::DeviceBuffer<float> in, out, scratch, mask_on_device;
    std::vector<float> down, across, mask;  ///< the factors of a mask, and the whole mask, row by row

    Memory(int elements, int side_of_image)
        : n(elements),
          side(side_of_image),
          in(std::max(n, side * side)),
          out(in.size()),
          scratch(side * side),
          mask_on_device(convolution::kMaxWidth2d) {
        fill<<<1024, 256>>>(in.data(), static_cast<int>(in.size()));
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    void use_width(int width) {
        down.clear(), across.clear(), mask.clear();
        for (int k = 0; k < width; ++k) {
            down.push_back(value_at(1000 + k));
            across.push_back(value_at(2000 + k));
        }
        for (float d : down) {
            for (float a : across) mask.push_back(d * a);
        }
        mask_on_device.copy_from(across);
    }
};

struct Version {
    std::string name;
    int dimensions;
    bool separable;                 ///< 2 * width multiply-adds per output instead of width * width
    std::function<void(int)> call;  ///< with a mask of this width
};

std::vector<Version> versions(Memory& m, int n) {
    using namespace convolution;
    const float* in = m.in.data();
    float* out = m.out.data();
    const int s = m.side;
    return {
        {"v1 basic", 1, false, [=, &m](int w) { conv1d_basic(in, n, m.mask_on_device.data(), w, out); }},
        {"v2 constant", 1, false, [=, &m](int w) { conv1d_constant(in, n, m.across.data(), w, out); }},
        {"v3 tiled", 1, false, [=, &m](int w) { conv1d_tiled(in, n, m.across.data(), w, out); }},
        {"v4 fast", 1, false, [=, &m](int w) { conv1d_fast(in, n, m.across.data(), w, out); }},
        {"v5 constant", 2, false, [=, &m](int w) { conv2d_constant(in, s, s, m.mask.data(), w, out); }},
        {"v6 tiled", 2, false, [=, &m](int w) { conv2d_tiled(in, s, s, m.mask.data(), w, out); }},
        {"v7 fast", 2, false, [=, &m](int w) { conv2d_fast(in, s, s, m.mask.data(), w, out); }},
        {"v8 separable, two launches", 2, true,
         [=, &m](int w) {
             conv2d_separable(in, s, s, m.down.data(), m.across.data(), w, m.scratch.data(), out);
         }},
        {"v9 separable, one launch", 2, true,
         [=, &m](int w) { conv2d_separable_fused(in, s, s, m.down.data(), m.across.data(), w, out); }},
    };
}

/// The output at (y, x) as the definition has it; one dimension is an image of one row with a mask of one row.
double exact(const Memory& m, bool image, int n, int width, int y, int x) {
    const int rows = image ? m.side : 1, columns = image ? m.side : n;
    double sum = 0;
    for (int p = 0; p < (image ? width : 1); ++p) {
        const int row = image ? y + p - width / 2 : 0;
        if (row < 0 || row >= rows) continue;
        for (int q = 0; q < width; ++q) {
            const int column = x + q - width / 2;
            if (column < 0 || column >= columns) continue;
            const double weight = image ? m.mask[p * width + q] : m.across[q];
            sum += weight * value_at(static_cast<unsigned int>(row) * columns + column);
        }
    }
    return sum;
}

/// The largest error, relative to the sum of the weights, over pieces of the output: the beginning, the end, and places
/// where tiles and strips meet. Ends the program if it is not that of rounding.
double check(const Version& version, const Memory& m, int n, int width) {
    const bool image = version.dimensions == 2;
    const int columns = image ? m.side : n, rows = image ? m.side : 1;
    const int piece = std::min(600, columns);
    double scale = 0, worst = 0;
    for (float weight : image ? m.mask : m.across) scale += std::fabs(weight);
    std::vector<float> got(piece);
    for (int y : {0, 1, rows / 3, rows / 2, rows - 1}) {
        if (y < 0 || y >= rows) continue;
        for (int x : {0, (columns - piece) / 2, columns - piece}) {
            const float* from = m.out.data() + static_cast<std::size_t>(y) * columns + x;
            CUDA_CHECK(cudaMemcpy(got.data(), from, piece * sizeof(float), cudaMemcpyDeviceToHost));
            for (int i = 0; i < piece; ++i) {
                const double error = std::fabs(got[i] - exact(m, image, n, width, y, x + i)) / scale;
                worst = error <= worst ? worst : error;
            }
        }
    }
    if (worst < 1e-5) return worst;
    std::fprintf(stderr, "%s, width %d: the output is wrong (error %g)\n", version.name.c_str(), width,
                 worst);
    std::exit(EXIT_FAILURE);
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
void count_all(Memory& m, const char* json) {
    std::FILE* out = json == nullptr ? nullptr : open_or_exit(json);
    if (out != nullptr) {
        std::fprintf(
            out,
            "{\n  \"topic\": \"05_convolution\", \"device\": \"%s\", \"n\": %d, \"side\": %d,\n  \"rows\": [",
            device_name().c_str(), m.n, m.side);
    }
    std::printf("%-28s %5s %8s %8s %8s %9s %8s %8s\n", "version", "width", "launches", "blocks", "threads",
                "barriers", "copied", "error");
    const char* separator = "\n";
    for (int width : {5, 9}) {
        m.use_width(width);
        for (const Version& version : versions(m, m.n)) {
            m.out.clear();
            kit::cpu::reset_counters();
            version.call(width);
            const std::uint64_t copied = kit::cpu::counters().copied_bytes;
            CUDA_CHECK(cudaDeviceSynchronize());
            const kit::cpu::Counters c = kit::cpu::counters();
            const unsigned long long counts[] = {c.kernels, c.blocks, c.threads, c.block_barriers, copied};
            std::printf("%-28s %5d %8llu %8llu %8llu %9llu %8llu %8.0e\n", version.name.c_str(), width,
                        counts[0], counts[1], counts[2], counts[3], counts[4], check(version, m, m.n, width));
            if (out == nullptr) continue;
            std::fprintf(out,
                         "%s    {\"version\": \"%s\", \"dimensions\": %d, \"width\": %d, \"launches\": %llu, "
                         "\"blocks\": "
                         "%llu, \"threads\": %llu, \"block_barriers\": %llu, \"copied_bytes\": %llu}",
                         separator, version.name.c_str(), version.dimensions, width, counts[0], counts[1],
                         counts[2], counts[3], counts[4]);
            separator = ",\n";
        }
    }
    std::printf(
        "barriers: one per block that reaches one; copied: bytes that the call copies before its launch\n");
    if (out == nullptr) return;
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
}
#else
double multiply_adds(const Version& version, int width) {
    return version.dimensions == 1 ? width : version.separable ? 2 * width : width * width;
}

double outputs(const Version& version, const Memory& m, int n) {
    return version.dimensions == 1 ? n : double(m.side) * m.side;
}

struct Row {
    std::string version;
    int dimensions, n, width;
    kit::Timing timing;
    double error, bound_us;
    bool memory_bound;

    double of_bound() const { return bound_us / (timing.median_ms * 1e3); }
};

Row measure(const Version& version, Memory& m, int n, int width, const Limits& limits) {
    m.out.clear();
    const double count = outputs(version, m, n), bytes = 2 * sizeof(float) * count;
    const double memory_us = bytes / limits.copy_gb_per_s * 1e-3;
    const double arithmetic_us =
        count * multiply_adds(version, width) / limits.tera_multiply_adds_per_s * 1e-6;
    const kit::Timing timing = kit::time([&] { version.call(width); }, bytes);
    return {version.name,
            version.dimensions,
            static_cast<int>(count),
            width,
            timing,
            check(version, m, n, width),
            std::max(memory_us, arithmetic_us),
            memory_us >= arithmetic_us};
}

void print_ladder(const std::vector<Row>& rows) {
    int width = 0;
    double before = 0;
    for (const Row& row : rows) {
        if (row.width != width) {
            std::printf("\n%-28s %5s %10s %7s %8s %16s %9s %9s\n", "version", "width", "us", "spread", "GB/s",
                        "bound us", "of bound", "speed-up");
            before = 0;
        }
        width = row.width;
        std::printf("%-28s %5d %10.1f %6.1f%% %8.0f %10.1f %-5s %8.0f%% %8.2fx%s\n", row.version.c_str(),
                    row.width, row.timing.median_ms * 1e3, row.timing.spread * 100, row.timing.gb_per_s,
                    row.bound_us, row.memory_bound ? "copy" : "arith", row.of_bound() * 100,
                    before > 0 ? before / row.timing.median_ms : 1.0, row.timing.valid ? "" : "  INVALID");
        before = row.timing.median_ms;
    }
}

void write_json(const char* file, const std::vector<Row>& rows, const Limits& limits,
                const TableTimes& tables) {
    std::FILE* out = open_or_exit(file);
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::fprintf(out,
                 "{\n  \"topic\": \"05_convolution\", \"device\": \"%s\", \"multiprocessors\": %d, "
                 "\"driver_cuda\": %d, "
                 "\"runtime_cuda\": %d, \"date\": \"%s\",\n",
                 device_name().c_str(), multiprocessors, driver, runtime, date);
    std::fprintf(
        out,
        "  \"copy_gb_per_s\": %.1f, \"peak_gb_per_s\": %.1f, \"tera_multiply_adds_per_s\": %.2f,\n"
        "  \"table_us\": {\"constant_same\": %.2f, \"constant_spread\": %.2f, \"global_same\": %.2f, "
        "\"global_spread\": %.2f},\n  \"rows\": [\n",
        limits.copy_gb_per_s, limits.peak_gb_per_s, limits.tera_multiply_adds_per_s, tables.constant_same,
        tables.constant_spread, tables.global_same, tables.global_spread);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        std::fprintf(
            out,
            "    {\"version\": \"%s\", \"dimensions\": %d, \"n\": %d, \"width\": %d, \"median_us\": %.3f, "
            "\"spread\": %.4f, \"gb_per_s\": %.1f, \"bound_us\": %.3f, \"limit\": \"%s\", "
            "\"fraction_of_bound\": "
            "%.4f, \"repetitions\": %d, \"error\": %.3g}%s\n",
            row.version.c_str(), row.dimensions, row.n, row.width, row.timing.median_ms * 1e3,
            row.timing.spread, row.timing.gb_per_s, row.bound_us, row.memory_bound ? "memory" : "arithmetic",
            row.of_bound(), row.timing.repetitions, row.error, i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(out, "  ]\n}\n");
    std::fclose(out);
}

void measure_all(Memory& m, const char* json) {
    const Limits limits;
    std::vector<Row> rows;
    for (int width : {5, 9, 15, 31}) {
        m.use_width(width);
        for (const Version& version : versions(m, m.n))
            rows.push_back(measure(version, m, m.n, width, limits));
    }
    print_ladder(rows);
    std::printf(
        "\nbound: copy, %.0f GB/s read and written, measured (peak %.0f), or arithmetic, %.1f * 10^12 "
        "multiply-adds "
        "per second.\nSpeed-up: over the line above.\n",
        limits.copy_gb_per_s, limits.peak_gb_per_s, limits.tera_multiply_adds_per_s);

    std::printf("\nWidth 9, smaller sizes (microseconds)\n%12s", "n");
    const std::vector<int> one_dimension = {0, 1, 2, 3};
    for (int v : one_dimension) std::printf(" %12s", versions(m, m.n)[v].name.c_str());
    m.use_width(9);
    for (int n : {1 << 10, 1 << 16, 1 << 20, 1 << 24}) {
        if (n >= m.n) continue;
        std::printf("\n%12d", n);
        const std::vector<Version> all = versions(m, n);
        for (int v : one_dimension) {
            rows.push_back(measure(all[v], m, n, 9, limits));
            std::printf(" %12.2f", rows.back().timing.median_ms * 1e3);
        }
    }
    std::printf("\n");
    const TableTimes tables = measure_tables();
    if (json != nullptr) write_json(json, rows, limits, tables);
}
#endif

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "%s\nusage: demo [--n N] [--side S] [--json FILE]   with N to 2^30, S to 32768\n",
                 what);
    std::exit(2);
}

int number(const char* text, long most) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*end != 0 || value < 1 || value > most) refuse("not a number, or too large");
    return static_cast<int>(value);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef KIT_CPU
    int n = 1 << 16, side = 256;
#else
    int n = 1 << 28, side = 1 << 14;
#endif
    const char* json = nullptr;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) refuse("an option without a value");
        if (std::strcmp(argv[i], "--n") == 0) {
            n = number(argv[i + 1], 1 << 30);
        } else if (std::strcmp(argv[i], "--side") == 0) {
            side = number(argv[i + 1], 1 << 15);
        } else if (std::strcmp(argv[i], "--json") == 0) {
            json = argv[i + 1];
        } else {
            refuse("unknown option");
        }
    }
    std::printf("05_convolution: %d elements, and an image of %d x %d   %s\n", n, side, side,
                device_name().c_str());
    Memory memory(n, side);
#ifdef KIT_CPU
    count_all(memory, json);
#else
    measure_all(memory, json);
#endif
    return 0;
}
