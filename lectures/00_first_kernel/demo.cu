// Demo of 00_first_kernel: one addition, many ways to spread it over threads. c = a + b for n floats.
//
// Build: cmake --build --preset demo -t demo.00_first_kernel
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon lectures/00_first_kernel/demo.cu common/roofs.cu
//            common/demo/*.cu -o demo
// Run:   build/course/demo/00_first_kernel [--help]
//
//   v1  add_one_each     one thread per element
//   v2  add_grid_stride  a grid-stride loop, with grids from one block to one thread per element
//   v3  add_pieces       one contiguous piece per thread, so neighbouring threads access distant elements
//
// On a GPU: times, against a device copy. On the CPU executor: counts.

#include <algorithm>
#include <chrono>
#include <vector>

#include "demo.hpp"
#include "kit.cuh"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

constexpr int block_size = 256;

// v1: each thread adds one pair of elements.
__global__ void add_one_each(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

// v2: like v1, but each thread moves on by the number of threads in the grid until the vector ends.
__global__ void add_grid_stride(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        c[i] = a[i] + b[i];
    }
}

// v3: like v2, but each thread adds one contiguous piece, so neighbouring threads access distant elements.
__global__ void add_pieces(const float* a, const float* b, float* c, std::size_t n) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t piece = (n + threads - 1) / threads;
    const std::size_t begin = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
    for (std::size_t i = begin; i < begin + piece && i < n; ++i) c[i] = a[i] + b[i];
}

// a = 0, 1, ... 1023, 0, 1, ...; b = 1: their sums are exact.
__global__ void fill(float* a, float* b, std::size_t n) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        a[i] = static_cast<float>(i % 1024);
        b[i] = 1;
    }
}

using Kernel = void (*)(const float*, const float*, float*, std::size_t);

struct Vectors {
    kit::DeviceBuffer<float> a, b, c;

    explicit Vectors(std::size_t n) : a(n), b(n), c(n) {
        fill<<<kit::ceil_div(static_cast<int>(std::min<std::size_t>(n, 1 << 20)), block_size), block_size>>>(
            a.data(), b.data(), n);
        CUDA_CHECK_LAUNCH();
        c.clear();
    }

    /// Checks the beginning, the middle and the end, and erases them, so that old sums cannot pass the next check.
    bool right() {
        const std::size_t n = c.size(), piece = std::min<std::size_t>(n, 4096);
        std::vector<float> got(piece);
        for (const std::size_t at : {std::size_t{0}, (n - piece) / 2, n - piece}) {
            CUDA_CHECK(cudaMemcpy(got.data(), c.data() + at, piece * sizeof(float), cudaMemcpyDeviceToHost));
            for (std::size_t i = 0; i < piece; ++i) {
                if (got[i] != static_cast<float>((at + i) % 1024 + 1)) return false;
            }
        }
        c.clear();
        return true;
    }
};

/// v2 with grids from one block to one thread per element, and v1 and v3.
std::vector<Version> versions(Vectors& v) {
    const int all = kit::ceil_div(static_cast<int>(v.c.size()), block_size);
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const auto version = [&v](const char* id, const char* name, const char* change, Kernel kernel,
                              int blocks) {
        const auto run = [&v, kernel, blocks](long long n) {
            kernel<<<blocks, block_size>>>(v.a.data(), v.b.data(), v.c.data(), static_cast<std::size_t>(n));
            CUDA_CHECK_LAUNCH();
        };
        Version one = {id, name, change, run, [&v](long long) { return v.right(); }};
        one.facts = [blocks]() -> std::vector<kit::demo::Field> { return {{"grid", blocks}}; };
        return one;
    };
    std::vector<Version> versions = {
        version("v1", "no loop, one element each", "One thread per element, no loop.", add_one_each, all),
        version("v2_1", "1 block / multiprocessor", "All multiprocessors work, each with 8 of its 64 warps.",
                add_grid_stride, multiprocessors),
        version("v2_2", "2 blocks / multiprocessor", "", add_grid_stride, 2 * multiprocessors),
        version("v2_4", "4 blocks / multiprocessor", "", add_grid_stride, 4 * multiprocessors),
        version("v2_8", "8 blocks / multiprocessor", "All 64 warps are there: more blocks only wait.",
                add_grid_stride, 8 * multiprocessors),
        version("v2_16", "16 blocks / multiprocessor", "", add_grid_stride, 16 * multiprocessors),
        version("v2_32", "32 blocks / multiprocessor", "", add_grid_stride, 32 * multiprocessors),
        version("v2_all", "one thread per element",
                "The loop is there, and each thread runs it once: v1 again.", add_grid_stride, all),
        version("v3", "pieces, 8 blocks per mp",
                "A thread's elements lie side by side, its neighbour's far away.", add_pieces,
                8 * multiprocessors),
        version("v2_one", "grid-stride, one block", "One block works on one multiprocessor: all others rest.",
                add_grid_stride, 1),
    };
    versions.back().repetitions = 4;
    return versions;
}

Work work_of(long long n) {
    Work work;
    work.n = n;
    work.bytes = 3.0 * sizeof(float) * static_cast<double>(n);
    return work;
}

#ifndef KIT_CPU
/// Measures the whole program, from host memory to host memory, with ordinary (pageable) vectors.
void whole_way(Demo& demo, Vectors& v) {
    const auto n = v.c.size();
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    const int blocks = kit::ceil_div(static_cast<int>(n), block_size);
    Work work;
    work.n = demo.n();
    work.host_clock = true;
    work.repetitions = 2;
    demo.ladder("host_to_host", "copy in, add, copy out: pageable host memory", work,
                {{"copy_add_copy", "all three", "",
                  [&](long long) {
                      v.a.copy_from(a);
                      v.b.copy_from(b);
                      add_one_each<<<blocks, block_size>>>(v.a.data(), v.b.data(), v.c.data(), n);
                      CUDA_CHECK_LAUNCH();
                      CUDA_CHECK(cudaMemcpy(c.data(), v.c.data(), v.c.bytes(), cudaMemcpyDeviceToHost));
                  },
                  [&](long long) { return c.front() == 3 && c.back() == 3; }}});
}
#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"00_first_kernel",
               "c = a + b, in many ways to spread it over threads",
               1 << 28,
               100'000,
               1 << 30,
               {},
               {"ladder", "host_to_host"}},
              argc, argv);
    Vectors v(static_cast<std::size_t>(demo.n()));
    demo.ladder("ladder", "c = a + b for " + std::to_string(demo.n()) + " floats, blocks of 256",
                work_of(demo.n()), versions(v));
#ifndef KIT_CPU
    if (demo.part("host_to_host")) whole_way(demo, v);
#endif
    return demo.finish();
}
