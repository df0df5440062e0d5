// Demo of 07_reduction: the sum of n floats by every version of the topic, side by side. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.07_reduction
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/07_reduction/demo.cu
//            solutions/07_reduction/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/07_reduction [--help]
//
//   v1 tree_divergent   v2 tree_converged   v3 tree          v4 any_operation
//   v5 warp_shuffle     v6 atomic_per_block v7 single_pass   v8 fast
//
// Versions that sum blocks are called again on their block sums until one value is left. On a GPU: times,
// against a device copy and CUB. On the CPU executor: counts.

#include <cmath>
#include <set>

#include "07_reduction/07_reduction.hpp"
#include "demo.hpp"
#include "floor.cuh"
#include "kit.cuh"
#ifndef KIT_CPU
#include <cub/device/device_reduce.cuh>
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

/// Values between 0 and 1 that look random and are the same everywhere.
__host__ __device__ float value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<float>((i ^ (i >> 16)) >> 8) * 0x1p-24f;
}

__global__ void fill(float* values, int n) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) values[i] = value_at(i);
}

struct Memory {
    kit::DeviceBuffer<float> in, sums, more_sums, out;
    kit::DeviceBuffer<double> partials, out_double;
    kit::DeviceBuffer<unsigned int> ticket;
    kit::DeviceBuffer<unsigned long long> words;
    kit::DeviceBuffer<char> scratch;  ///< CUB's

    explicit Memory(int n)
        : in(n),
          sums(kit::ceil_div(n, reduction::kBlock)),
          more_sums(kit::ceil_div(n, reduction::kBlock)),
          out(1),
          partials(reduction::kMaxBlocks),
          out_double(1),
          ticket(1),
          words(reduction::kMaxBlocks) {
        ticket.clear();
        words.clear();
        out.clear();
        out_double.clear();
        fill<<<1024, 256>>>(in.data(), n);
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    reduction::Workspace workspace() { return {partials.data(), ticket.data()}; }

    /// Overwrites the results, so that the next one must be new.
    double take() {
        const double sum = out.to_vector()[0] + out_double.to_vector()[0];
        out.clear();
        out_double.clear();
        return sum;
    }
};

/// Sums block sums again until one value is left, in `out`.
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

double exact_sum(long long n) {
    static long long known = 0;
    static double sum = 0;
    if (known > n) known = 0, sum = 0;
    for (; known < n; ++known) sum += value_at(static_cast<unsigned int>(known));
    return sum;
}

std::vector<Version> versions(Memory& m) {
    const auto right = [&m](long long n) { return std::fabs(m.take() / exact_sum(n) - 1) < 1e-4; };
    const auto sums = [&m](void (*block_sums)(const float*, int, float*), int tile) {
        return [&m, block_sums, tile](long long n) { until_one(block_sums, tile, m, static_cast<int>(n)); };
    };
    std::vector<Version> all = {
        {"v1", "divergent tree", "A tree in shared memory; in each step every second thread rests.",
         sums(reduction::tree_divergent, reduction::kBlock), right},
        {"v2", "converged tree", "The working threads lie side by side, so that whole warps rest.",
         sums(reduction::tree_converged, reduction::kBlock), right},
        {"v3", "two loads per thread",
         "Each thread adds two elements on load: half of the blocks and barriers.",
         sums(reduction::tree, reduction::kTile), right},
        {"v4", "any operation", "A fixed grid and a loop per thread; a second launch adds up the block sums.",
         [&m](long long n) {
             reduction::any_operation(m.in.data(), static_cast<int>(n), reduction::Sum{}, m.sums.data(),
                                      m.out.data());
         },
         right},
        {"v5", "warp shuffles", "Warps add by shuffles: one barrier instead of eight.",
         sums(reduction::warp_shuffle, reduction::kTile), right},
        {"v6", "one atomic per block", "One launch: each block adds its sum, a double, to the result.",
         [&m](long long n) {
             reduction::atomic_per_block(m.in.data(), static_cast<int>(n), m.out_double.data());
         },
         right},
        {"v7", "last block done",
         "One launch: the block that finishes last adds up, always in the same order.",
         [&m](long long n) {
             reduction::single_pass(m.in.data(), static_cast<int>(n), m.out_double.data(), m.workspace());
         },
         right},
        {"v8", "fast", "Loads of 16 bytes, several on the way per thread.",
         [&m](long long n) {
             reduction::fast(m.in.data(), static_cast<int>(n), m.out.data(), m.workspace());
         },
         right},
    };
#ifndef KIT_CPU
    std::size_t bytes = 0;
    CUDA_CHECK(
        cub::DeviceReduce::Sum(nullptr, bytes, m.in.data(), m.out.data(), static_cast<int>(m.in.size())));
    m.scratch = kit::DeviceBuffer<char>(bytes);
    all.push_back({"cub", "CUB DeviceReduce::Sum", "",
                   [&m](long long n) {
                       std::size_t size = m.scratch.size();
                       CUDA_CHECK(cub::DeviceReduce::Sum(m.scratch.data(), size, m.in.data(), m.out.data(),
                                                         static_cast<int>(n)));
                   },
                   right, true});
#endif
    return all;
}

/// Times parts of v8 for few elements, and a different end for it (floor.cuh); `all` has v8 and the library.
std::vector<Version> floor_of_v8(Memory& m, const std::vector<Version>& all) {
    using namespace reduction_demo;
    const auto blocks = [](long long n) { return static_cast<int>(n / kPart); };
    std::vector<Version> parts = {
        {"launch", "a launch that does nothing", "",
         [blocks](long long n) { launched<<<blocks(n), kThreads>>>(); }},
        {"blocks", "each block's sum, not added up", "",
         [&m, blocks](long long n) { only_blocks<<<blocks(n), kThreads>>>(m.in.data(), m.sums.data()); },
         [&m, blocks](long long n) {
             const std::vector<float> sums = m.sums.to_vector();
             double sum = 0;
             for (int b = 0; b < blocks(n); ++b) sum += sums[b];
             m.sums.clear();
             return std::fabs(sum / exact_sum(n) - 1) < 1e-4;
         }},
        {"one_word", "sum and flag in one word", "",
         [&m, blocks](long long n) {
             one_word<<<blocks(n), kThreads>>>(m.in.data(), m.out.data(), m.words.data(), m.ticket.data());
         },
         [&m](long long n) { return std::fabs(m.take() / exact_sum(n) - 1) < 1e-4; }},
    };
    for (const Version& version : all) {
        if (version.id == "v8" || version.library) parts.push_back(version), parts.back().change.clear();
    }
    return parts;
}

#ifndef KIT_CPU
/// Both signs, magnitudes from 1e-9 to 1e9: every order of addition rounds differently.
__global__ void fill_with_many_magnitudes(float* values, int n) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const float exponent = -9.0f + 18.0f * value_at(i);
        values[i] = (value_at(~i) < 0.5f ? -1.0f : 1.0f) * powf(10.0f, exponent);
    }
}

/// Shows how many different results equal calls give, on values that every order of addition rounds differently.
void same_again(Demo& demo, const std::vector<Version>& all, Memory& m) {
    if (!demo.part("reproducible")) return;
    constexpr int calls = 100;
    const int n = static_cast<int>(std::min(demo.n(), 1ll << 24));
    fill_with_many_magnitudes<<<1024, 256>>>(m.in.data(), n);
    CUDA_CHECK_LAUNCH();
    demo.table("reproducible", "equal calls, " + std::to_string(n) + " values of many magnitudes", "version",
               {{"calls"}, {"different_results"}});
    for (const Version& version : all) {
        if (version.id != "v6" && version.id != "v7") continue;
        std::set<double> results;
        for (int call = 0; call < calls; ++call) {
            version.run(n);
            results.insert(m.take());
        }
        demo.row(version.id, version.name, {calls, results.size()});
    }
}
#endif

Work work_of(long long n) {
    Work work;
    work.n = n;
    work.bytes = static_cast<double>(sizeof(float)) * static_cast<double>(n);
    work.repetitions = 30;
    return work;
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"07_reduction",
               "the sum of n floats, by every version",
               1 << 28,
               1 << 16,
               1 << 30,
               {},
               {"ladder", "small", "floor", "sizes", "reproducible"}},
              argc, argv);
#ifdef KIT_CPU
    const std::vector<long long> sizes = {demo.n()};
#else
    const std::vector<long long> sizes = Demo::sizes(2 * sizeof(float));
#endif
    Memory memory(static_cast<int>(std::max(demo.n(), sizes.back())));
    const std::vector<Version> all = versions(memory);
    demo.ladder("ladder", "the sum of " + std::to_string(demo.n()) + " floats", work_of(demo.n()), all);
#ifndef KIT_CPU
    demo.ladder("small", "the sum of 1048576 floats: launches rule", work_of(1 << 20), all);
    const long long few = 1 << 20;
#else
    const long long few = 1 << 16;
#endif
    if (demo.n() >= few)
        demo.ladder("floor", "the sum of " + std::to_string(few) + " floats: what v8's time is made of",
                    work_of(few), floor_of_v8(memory, all));
    demo.sweep("sizes", "the sum of n floats", sizes, work_of, {all.begin() + 5, all.end()});
#ifndef KIT_CPU
    same_again(demo, all, memory);
#endif
    return demo.finish();
}
