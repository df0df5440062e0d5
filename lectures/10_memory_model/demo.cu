// Demo of 10_memory_model: measures what messages, waiting, locks and barriers cost. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.10_memory_model
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/10_memory_model/demo.cu
//            solutions/10_memory_model/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/10_memory_model [--help]
//
//   ladder     v4 last_block, compared with two launches
//   barrier    v5 grid_barrier and v7 (two words), compared with v6 grid.sync(), by number of blocks
//   orders     loads, stores and updates of each order and scope
//   messages   from one block to another                         waiting, lengths   spinning and wait()
//   locks      v3 and others, by contention
//
// All parts except the first run on a GPU only, because times of the CPU executor say nothing about a GPU.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "10_memory_model/10_memory_model.hpp"
#include "demo.hpp"
#include "kit.cuh"
#ifndef KIT_CPU
#include "orders.cuh"
#include "two_words.cuh"
#include "waiting.cuh"
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using memory_model::kBlock;
using memory_model::kMaxBlocks;
using memory_model::Range;

// ---- the last block, and two launches ----

/// Stores one range per block: that of its share of `in`, or that of all ranges in `from` if `in` is null.
__global__ void ranges(const int* in, int n, const Range* from, Range* to) {
    __shared__ Range all;
    if (threadIdx.x == 0) all = {INT_MAX, INT_MIN};
    __syncthreads();
    Range mine{INT_MAX, INT_MIN};
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
        const Range one = in != nullptr ? Range{in[i], in[i]} : from[i];
        mine = {min(mine.low, one.low), max(mine.high, one.high)};
    }
    namespace cg = cooperative_groups;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    mine = {cg::reduce(warp, mine.low, cg::less<int>()), cg::reduce(warp, mine.high, cg::greater<int>())};
    if (warp.thread_rank() == 0) {
        atomicMin_block(&all.low, mine.low);
        atomicMax_block(&all.high, mine.high);
    }
    __syncthreads();
    if (threadIdx.x == 0) to[blockIdx.x] = all;
}

void two_launches(const int* in, int n, Range* scratch, Range* out) {
    const int blocks = std::clamp(kit::ceil_div(n, 8 * kBlock), 1, kMaxBlocks);
    ranges<<<blocks, kBlock>>>(in, n, nullptr, scratch);
    ranges<<<1, kBlock>>>(nullptr, blocks, scratch, out);
    CUDA_CHECK_LAUNCH();
}

__global__ void fill(int* values, int n) {
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) values[i] = i - n / 2;
}

void last_block(Demo& demo) {
    if (!demo.part("ladder")) return;
    const int n = static_cast<int>(demo.n());
    kit::DeviceBuffer<int> in(n), ticket(1);
    kit::DeviceBuffer<Range> scratch(kMaxBlocks), out(1);
    ticket.clear();
    fill<<<std::min(1024, kit::ceil_div(n, kBlock)), kBlock>>>(in.data(), n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto right = [&](long long count) {
        const Range got = out.to_vector()[0];
        out.clear();
        return got.low == -n / 2 && got.high == static_cast<int>(count) - 1 - n / 2;
    };
    Work work;
    work.n = demo.n();
    work.bytes = sizeof(int) * static_cast<double>(demo.n());
    demo.ladder("ladder", "lowest and highest of " + std::to_string(n) + " ints", work,
                {{"two", "two launches", "The second one reads what the first one left.",
                  [&](long long count) {
                      two_launches(in.data(), static_cast<int>(count), scratch.data(), out.data());
                  },
                  right},
                 {"v4", "the last block", "One launch: who draws the last ticket reads what all have left.",
                  [&](long long count) {
                      memory_model::last_block(in.data(), static_cast<int>(count),
                                               {scratch.data(), ticket.data()}, out.data());
                  },
                  right}});
}

#ifndef KIT_CPU

// ---- hand-written barriers, and grid.sync() ----

/// The words of both barriers, 256 bytes apart. The counter of v5 must be 0 before each call, so the time includes resetting it.
struct Words {
    kit::DeviceBuffer<unsigned int> all{192};

    Words() { all.clear(); }
    memory_model::Barrier one() {
        CUDA_CHECK(cudaMemsetAsync(all.data(), 0, sizeof(unsigned int)));
        return {all.data()};
    }
    two_words::Barrier two() { return {all.data() + 64, all.data() + 128}; }
};

/// Returns whether all three barriers give the same result.
bool agree(int n) {
    kit::DeviceBuffer<int> even(n), odd(n);
    Words words;
    std::vector<int> results[3];
    for (int which = 0; which < 3; ++which) {
        fill<<<std::min(1024, kit::ceil_div(n, kBlock)), kBlock>>>(even.data(), n);
        if (which == 0) memory_model::grid_sync(even.data(), odd.data(), n, 9);
        if (which == 1) memory_model::grid_barrier(even.data(), odd.data(), n, 9, words.one());
        if (which == 2) two_words::smooth(even.data(), odd.data(), n, 9, words.two());
        results[which] = odd.to_vector();
    }
    return results[0] == results[1] && results[0] == results[2];
}

void barriers(Demo& demo) {
    if (!demo.part("barrier")) return;
    constexpr int rounds = 1000;
    int processors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (!agree(processors * kBlock)) demo.say("The barriers do NOT agree.");
    demo.table("barrier", "us per round of smoothing, one value per thread, 256 threads per block",
               {"blocks", 12},
               {{"blocks", 0, 6},
                {"own_us", 3, 8},
                {"two_words_us", 3, 12},
                {"grid_sync_us", 3, 12},
                {"ratio", 3, 6},
                {"two_words_ratio", 3, 15}});
    for (const int each : {1, 2, 4, 8}) {
        const int blocks = each * processors, n = blocks * kBlock;
        kit::DeviceBuffer<int> even(n), odd(n);
        even.clear();
        Words words;
        kit::TimeOptions options;
        options.repetitions = 11;
        options.cold_l2 = false;
        const auto us = [&](auto run) { return kit::time(run, 0, options).median_ms * 1e3 / rounds; };
        const double own =
            us([&] { memory_model::grid_barrier(even.data(), odd.data(), n, rounds, words.one()); });
        const double two = us([&] { two_words::smooth(even.data(), odd.data(), n, rounds, words.two()); });
        const double sync = us([&] { memory_model::grid_sync(even.data(), odd.data(), n, rounds); });
        demo.row("b" + std::to_string(each), std::to_string(each) + " per SM",
                 {blocks, own, two, sync, own / sync, two / sync});
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"10_memory_model",
               "what it costs to tell another thread",
               1 << 20,
               1 << 16,
               1 << 28,
               {},
               {"ladder", "barrier", "orders", "messages", "waiting", "lengths", "locks"}},
              argc, argv);
    last_block(demo);
#ifndef KIT_CPU
    barriers(demo);
    orders::table(demo);
    waiting::messages(demo);
    waiting::chains(demo);
    waiting::lengths(demo);
    waiting::locks(demo);
#endif
    return demo.finish();
}
