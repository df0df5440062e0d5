// Demo of 08_scan: all partial sums of n ints by every version of the topic, side by side. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.08_scan
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/08_scan/demo.cu
//            solutions/08_scan/*.cu -o demo
// Run:   ./demo [--n N] [--json FILE]
//
//   steps over the whole array (only here)   v1 two barriers   v2 double-buffered   v3 Blelloch   v4 padded
//   v5 Brent-Kung   v6 multi_block           v7 compact        v8 single_pass
//
// v1 to v5 scan tiles: "tiles" is their time alone, "whole" with the sums of the tiles scanned (by v6) and
// added. On a GPU: times at N and at 2^20 elements, against a device copy and CUB. On the CPU executor: counts.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "08_scan/08_scan.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#endif

namespace {

constexpr int largest_n = 1 << 30;

/// -1, 0, 1 or 2: looks random and is the same everywhere.
__host__ __device__ int value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<int>((i ^ (i >> 16)) >> 8 & 3) - 1;
}

__global__ void fill(int* values, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) values[i] = value_at(i);
}

/// Hillis and Steele's step over the whole array: the launch is the barrier.
template <class T>
__global__ void step(const T* from, int n, int stride, T* to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i >= stride ? from[i - stride] + from[i] : from[i];
}

/// The sum of each tile, from what its scan ends with.
__global__ void tile_sums(const int* in, const int* out, int n, int tile, bool inclusive, int* sums,
                          int tiles) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= tiles) return;
    int last = b < tiles - 1 ? (b + 1) * tile - 1 : n - 1;
    sums[b] = inclusive ? out[last] : out[last] + in[last];
}

__global__ void add_offsets(int* out, int n, int tile, const int* offsets) {
    int block = blockIdx.x, threads = blockDim.x;
    int first = block * tile;
    for (int i = first + threadIdx.x; i < n && i < first + tile; i += threads) out[i] += offsets[block];
}

/// Proves a scan: each step from one result to the next is the value that belongs there.
__global__ void count_mistakes(const int* out, int n, bool inclusive, int tile, int* mistakes) {
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        bool first = tile == 0 ? i == 0 : i % tile == 0;
        int before = first ? 0 : out[i - 1];
        int step = inclusive ? value_at(i) : (first ? 0 : value_at(i - 1));
        if (out[i] != before + step) atomicAdd(mistakes, 1);
    }
}

struct Memory {
    kit::DeviceBuffer<int> in, out, other, sums, offsets, scratch, count;
    kit::DeviceBuffer<scan::Word> words, ticket;
    int n;

    explicit Memory(int size)
        : in(size),
          out(size),
          other(size),
          sums(kit::ceil_div(size, scan::kBlock)),
          offsets(kit::ceil_div(size, scan::kBlock)),
          scratch(scan::multi_block_scratch(size) + scan::compact_scratch(size)),
          count(1),
          words(scan::pass_words(size)),
          ticket(1),
          n(size) {
        words.clear();
        ticket.clear();
        fill<<<1024, 256>>>(in.data(), n);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    scan::PassWorkspace workspace() { return {words.data(), ticket.data()}; }
};

/// Steps with stride 1, 2, 4, ... between two arrays; returns the one with the result.
template <class T>
const T* whole_array_steps(const T* in, int n, T* one, T* other) {
    const T* from = in;
    T* to = one;
    for (int stride = 1; stride < n; stride *= 2) {
        step<<<kit::ceil_div(n, 256), 256>>>(from, n, stride, to);
        CUDA_CHECK_LAUNCH();
        from = to;
        to = to == one ? other : one;
    }
    return from;
}

using TileScan = void (*)(const int*, int, int*);

struct Version {
    std::string name;
    std::function<void(int)> launch;  ///< scans the first n values
    bool inclusive;
    TileScan tiles = nullptr;  ///< of versions that scan tiles only
    int tile = 0;
};

/// Scans tiles, then their sums, then adds: how any tile scan becomes a scan.
Version from_tiles(Memory& m, const std::string& name, TileScan tiles, int tile, bool inclusive) {
    const auto launch = [&m, tiles, tile, inclusive](int n) {
        tiles(m.in.data(), n, m.out.data());
        const int blocks = kit::ceil_div(n, tile);
        if (blocks == 1) return;
        tile_sums<<<kit::ceil_div(blocks, 256), 256>>>(m.in.data(), m.out.data(), n, tile, inclusive,
                                                       m.sums.data(), blocks);
        CUDA_CHECK_LAUNCH();
        scan::multi_block(m.sums.data(), blocks, m.offsets.data(), m.scratch.data());
        add_offsets<<<blocks, 256>>>(m.out.data(), n, tile, m.offsets.data());
        CUDA_CHECK_LAUNCH();
    };
    return {name, launch, inclusive, tiles, tile};
}

std::vector<Version> versions(Memory& m) {
    // Where the steps end, in out or in other, depends on their number.
    const auto steps = [&m](int n) {
        int count = 0;
        while ((std::int64_t{1} << count) < n) ++count;
        int* first = count % 2 == 1 ? m.out.data() : m.other.data();
        whole_array_steps(m.in.data(), n, first, count % 2 == 1 ? m.other.data() : m.out.data());
    };
    std::vector<Version> all = {
        {"steps over the whole array", steps, true},
        from_tiles(m, "v1 two barriers per step", scan::hillis_steele<int>, scan::kBlock, true),
        from_tiles(m, "v2 double-buffered", scan::double_buffered<int>, scan::kBlock, true),
        from_tiles(m, "v3 Blelloch", scan::blelloch<int>, scan::kTile, false),
        from_tiles(m, "v4 Blelloch, padded", scan::blelloch_padded<int>, scan::kTile, false),
        from_tiles(m, "v5 Brent-Kung", scan::brent_kung<int>, scan::kTile, true),
        {"v6 multi_block", [&m](int n) { scan::multi_block(m.in.data(), n, m.out.data(), m.scratch.data()); },
         false},
        {"v8 single_pass", [&m](int n) { scan::single_pass(m.in.data(), n, m.out.data(), m.workspace()); },
         false},
    };
#ifndef KIT_CPU
    static kit::DeviceBuffer<char> storage;
    std::size_t bytes = 0;
    CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, m.in.data(), m.out.data(), m.n));
    storage = kit::DeviceBuffer<char>(bytes);
    all.push_back({"CUB DeviceScan::ExclusiveSum",
                   [&m, bytes](int n) {
                       std::size_t size = bytes;
                       CUDA_CHECK(
                           cub::DeviceScan::ExclusiveSum(storage.data(), size, m.in.data(), m.out.data(), n));
                   },
                   false});
#endif
    return all;
}

void expect_right(const std::string& name, Memory& m, int n, bool inclusive, int tile) {
    m.count.clear();
    count_mistakes<<<1024, 256>>>(m.out.data(), n, inclusive, tile, m.count.data());
    CUDA_CHECK_LAUNCH();
    const int mistakes = m.count.to_vector()[0];
    if (mistakes == 0) return;
    std::fprintf(stderr, "%s, n=%d: %d values are wrong\n", name.c_str(), n, mistakes);
    std::exit(EXIT_FAILURE);
}

/// Ten customers want to buy from a sausage of 100 cm. Where is each to be cut, and how much is left?
void cut_the_sausage() {
    const std::vector<int> wanted = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    const int customers = static_cast<int>(wanted.size());
    kit::DeviceBuffer<int> in(wanted), out(wanted.size());
    scan::multi_block(in.data(), customers, out.data(), nullptr);
    const std::vector<int> cuts = out.to_vector();
    std::printf("A sausage of 100 cm for ten customers\n  wanted ");
    for (int length : wanted) std::printf("%4d", length);
    std::printf("\n  from   ");
    for (int place : cuts) std::printf("%4d", place);
    std::printf("   %d cm are left\n\n", 100 - cuts.back() - wanted.back());
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

}  // namespace

#ifdef KIT_CPU
#include "demo_counts.hpp"
#else
#include "demo_times.hpp"
#endif

namespace {

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "%s\nusage: demo [--n N] [--json FILE]   with 2 <= N <= %d\n", what, largest_n);
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
            if (*end != 0 || count < 2 || count > largest_n) refuse("--n: not a number of elements");
            n = static_cast<int>(count);
        } else if (std::strcmp(argv[i], "--json") == 0 && has_value) {
            json = argv[++i];
        } else {
            refuse("unknown option, or its value is missing");
        }
    }
    std::printf("08_scan: all partial sums of %d ints   %s\n\n", n, device_name().c_str());
    cut_the_sausage();
    Memory memory(n);
    const std::vector<Version> all = versions(memory);
#ifdef KIT_CPU
    count_all(all, memory, json);
#else
    measure_all(all, memory, json);
#endif
    return 0;
}
