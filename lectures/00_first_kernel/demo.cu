// Demo of 00_first_kernel: one addition, many ways to spread it over threads. c = a + b for n floats.
//
// Build: cmake --build --preset demo -t demo.00_first_kernel
//        or: nvcc -std=c++17 -O3 -Icommon lectures/00_first_kernel/demo.cu -o demo
// Run:   ./demo [--json FILE]
//
//   v1  add_one_each     one thread per element
//   v2  add_grid_stride  a grid-stride loop, with grids from one block to one thread per element
//   v3  add_pieces       each thread a contiguous piece, which neighbours in memory do not like
//
// On a GPU: times, against a device copy. On the CPU executor: counts.

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

constexpr int block_size = 256;

// v1: each thread adds one pair of elements.
__global__ void add_one_each(const float* a, const float* b, float* c, std::size_t n) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

// v2: like v1, but each thread goes on by the size of the grid until the vector is over.
__global__ void add_grid_stride(const float* a, const float* b, float* c, std::size_t n) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        c[i] = a[i] + b[i];
    }
}

// v3: like v2, but a thread's elements lie side by side, and those of its neighbour far away.
__global__ void add_pieces(const float* a, const float* b, float* c, std::size_t n) {
    std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    std::size_t piece = (n + threads - 1) / threads;
    std::size_t begin = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
    for (std::size_t i = begin; i < begin + piece && i < n; ++i) c[i] = a[i] + b[i];
}

using Kernel = void (*)(const float*, const float*, float*, std::size_t);

struct Row {
    std::string version;
    int blocks;
    kit::Timing timing;
    unsigned long long threads;  // as the executor counts them; 0 on a GPU
};

struct Vectors {
    kit::DeviceBuffer<float> a, b, c;
    std::size_t n;
};

std::string device_name(const cudaDeviceProp& device) {
#ifdef KIT_CPU
    return std::string("CPU executor as ") + device.name;
#else
    return device.name;
#endif
}

// What a time needs besides itself: the machine, the versions of CUDA, the date. The executor's counts need none.
std::string facts_of_the_run() {
#ifdef KIT_CPU
    return "";
#else
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return "\n  \"multiprocessors\": " + std::to_string(multiprocessors) +
           ", \"driver_cuda\": " + std::to_string(driver) + ", \"runtime_cuda\": " + std::to_string(runtime) +
           ", \"date\": \"" + date + "\",";
#endif
}

unsigned long long executed_threads() {
#ifdef KIT_CPU
    return kit::cpu::counters().threads;
#else
    return 0;
#endif
}

Row measure(const std::string& version, Kernel kernel, int blocks, Vectors& v, int repetitions) {
    kernel<<<blocks, block_size>>>(v.a.data(), v.b.data(), v.c.data(), v.n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    unsigned long long before = executed_threads();
    kernel<<<blocks, block_size>>>(v.a.data(), v.b.data(), v.c.data(), v.n);
    CUDA_CHECK(cudaDeviceSynchronize());
    Row row = {version, blocks, {}, executed_threads() - before};
#ifndef KIT_CPU
    kit::TimeOptions options;
    options.repetitions = repetitions;
    row.timing = kit::time([&] { kernel<<<blocks, block_size>>>(v.a.data(), v.b.data(), v.c.data(), v.n); },
                           3.0 * sizeof(float) * v.n, options);
#else
    (void)repetitions;
#endif
    return row;
}

#ifndef KIT_CPU
// The whole way: host memory to host memory, with ordinary (pageable) host vectors. Milliseconds.
double host_to_host_ms(Vectors& v) {
    std::vector<float> a(v.n, 1.0f), b(v.n, 2.0f), c(v.n);
    double best = 1e30;
    for (int repetition = 0; repetition < 3; ++repetition) {
        auto start = std::chrono::steady_clock::now();
        v.a.copy_from(a);
        v.b.copy_from(b);
        add_one_each<<<static_cast<int>(kit::ceil_div(v.n, std::size_t{block_size})), block_size>>>(
            v.a.data(), v.b.data(), v.c.data(), v.n);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaMemcpy(c.data(), v.c.data(), v.c.bytes(), cudaMemcpyDeviceToHost));
        std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count());
    }
    return best;
}
#endif

void print(const std::vector<Row>& rows, std::size_t n, double whole_ms) {
#ifdef KIT_CPU
    std::printf("%-42s %10s %12s %12s\n", "version", "blocks", "threads", "per thread");
    for (const Row& row : rows) {
        std::printf("%-42s %10d %12llu %12.2f\n", row.version.c_str(), row.blocks, row.threads,
                    static_cast<double>(n) / row.threads);
    }
    (void)whole_ms;
#else
    std::printf("%-42s %10s %10s %9s %7s %9s\n", "version", "blocks", "ms", "GB/s", "copy", "speed-up");
    double before = 0;
    for (const Row& row : rows) {
        std::printf("%-42s %10d %10.3f %9.0f %6.0f%% %8.2fx%s\n", row.version.c_str(), row.blocks,
                    row.timing.median_ms, row.timing.gb_per_s, 100 * row.timing.fraction_of_copy,
                    before > 0 ? before / row.timing.median_ms : 1.0, row.timing.valid ? "" : "  INVALID");
        before = row.timing.median_ms;
    }
    std::printf("device copy: %.0f GB/s\n", kit::copy_gb_per_s());
    std::printf("from host memory to host memory (pageable), kernel included: %.1f ms\n", whole_ms);
    (void)n;
#endif
}

void write_json(const char* file, const std::string& device, const std::vector<Row>& rows, std::size_t n,
                double whole_ms) {
    std::FILE* out = std::fopen(file, "w");
    if (out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", file);
        std::exit(EXIT_FAILURE);
    }
    std::fprintf(out, "{\n  \"topic\": \"00_first_kernel\", \"device\": \"%s\", \"n\": %zu,%s\n",
                 device.c_str(), n, facts_of_the_run().c_str());
#ifndef KIT_CPU
    std::fprintf(out, "  \"copy_gb_per_s\": %.1f,\n", kit::copy_gb_per_s());
#endif
    std::fprintf(out, "  \"host_to_host_ms\": %.3f,\n  \"rows\": [\n", whole_ms);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        std::fprintf(
            out,
            "    {\"version\": \"%s\", \"blocks\": %d, \"median_ms\": %.4f, \"spread\": %.3f, "
            "\"gb_per_s\": %.1f, \"fraction_of_copy\": %.3f, \"repetitions\": %d, \"threads\": %llu}%s\n",
            row.version.c_str(), row.blocks, row.timing.median_ms, row.timing.spread, row.timing.gb_per_s,
            row.timing.fraction_of_copy, row.timing.repetitions, row.threads, i + 1 < rows.size() ? "," : "");
    }
    std::fprintf(out, "  ]\n}\n");
    std::fclose(out);
}

}  // namespace

int main(int argc, char** argv) {
    const char* json = argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr;
    if (argc > 1 && json == nullptr) {
        std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
        return 2;
    }
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
#ifdef KIT_CPU
    const std::size_t n = 100'000;
#else
    const std::size_t n = std::size_t{1} << 28;
#endif
    std::printf("00_first_kernel   %s, %d multiprocessors   n = %zu floats, blocks of %d\n\n",
                device_name(device).c_str(), device.multiProcessorCount, n, block_size);

    std::vector<float> ones(n, 1.0f);
    Vectors v = {kit::DeviceBuffer<float>(ones), kit::DeviceBuffer<float>(ones), kit::DeviceBuffer<float>(n),
                 n};
    const int sm = device.multiProcessorCount;
    const int all = static_cast<int>(kit::ceil_div(n, std::size_t{block_size}));
    std::vector<Row> rows;
    rows.push_back(measure("v2 grid-stride, one block", add_grid_stride, 1, v, 5));
    for (int per_sm : {1, 2, 4, 8, 16, 32}) {
        std::string version = "v2 grid-stride, " + std::to_string(per_sm) + " per multiprocessor";
        rows.push_back(measure(version, add_grid_stride, per_sm * sm, v, 21));
    }
    rows.push_back(measure("v2 grid-stride, one thread per element", add_grid_stride, all, v, 21));
    rows.push_back(measure("v1 one thread per element", add_one_each, all, v, 21));
    rows.push_back(measure("v3 pieces, 8 per multiprocessor", add_pieces, 8 * sm, v, 21));
#ifdef KIT_CPU
    double whole_ms = 0;  // the executor counts; its times say nothing about a GPU
#else
    double whole_ms = host_to_host_ms(v);
#endif
    print(rows, n, whole_ms);
    if (json != nullptr) write_json(json, device_name(device), rows, n, whole_ms);
    return 0;
}
