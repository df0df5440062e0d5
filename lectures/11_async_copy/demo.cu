// Demo of 11_async_copy: measures what asynchronous copies gain. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.11_async_copy
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/11_async_copy/demo.cu
//            solutions/11_async_copy/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/11_async_copy [--help]
//
//   ladder   v1 load and store ... v5 bulk copies, and a device copy: times on a GPU, counts on the CPU executor
//   stages   tiles by loads and stores, by loads ahead, in two to four stages, in bulk; by arithmetic per byte and by warps
//
// The last part runs on a GPU only, because times of the CPU executor say nothing about a GPU.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "11_async_copy/11_async_copy.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "stages.cuh"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using Data = kit::DeviceBuffer<unsigned int>;

__global__ void fill(unsigned int* in, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) in[i] = static_cast<unsigned int>(i) * 2654435761u >> 7;
}

__global__ void count_differences(const unsigned int* a, const unsigned int* b, std::size_t n,
                                  unsigned int* differ) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n && a[i] != b[i]) atomicAdd(differ, 1u);
}

/// Returns whether `out` equals `want`. Clears `out`, so that the next version must write it.
bool same(Data& out, const Data& want) {
    Data differ(1);
    differ.clear();
    const auto blocks = static_cast<unsigned int>(kit::ceil_div(out.size(), std::size_t{256}));
    count_differences<<<blocks, 256>>>(out.data(), want.data(), out.size(), differ.data());
    CUDA_CHECK_LAUNCH();
    const bool right = differ.to_vector()[0] == 0;
    out.clear();
    return right;
}

constexpr int kWindow = 4;
constexpr int kBlocks = 132 * 8;

void ladder(Demo& demo, const Data& in, Data& out, Data& want) {
    const std::size_t n = in.size();
    Work work;
    work.n = static_cast<long long>(n);
    work.bytes = 2.0 * sizeof(unsigned int) * static_cast<double>(n);
    const auto version = [&](const char* id, const char* name, const char* change, auto function) {
        return Version{id, name, change, [&, function](long long) { function(); },
                       [&](long long) { return same(out, want); }};
    };
    const auto expect = [&](auto function) {
        function();
        CUDA_CHECK(cudaMemcpy(want.data(), out.data(), n * sizeof(unsigned int), cudaMemcpyDeviceToDevice));
        out.clear();
    };
    expect([&] { staging::load_and_store(in.data(), n, out.data(), kWindow); });
    Version copy = version("copy", "device copy", "Moves the bytes and computes nothing.", [&] {
        CUDA_CHECK(
            cudaMemcpyAsync(out.data(), in.data(), n * sizeof(unsigned int), cudaMemcpyDeviceToDevice));
    });
    copy.right = [&](long long) { return same(out, in); };
    copy.library = true;
    demo.ladder("ladder",
                "window sums of " + std::to_string(n) + " numbers, window " + std::to_string(kWindow), work,
                {copy,
                 version("v1", "load and store", "Through a register, one block per tile.",
                         [&] { staging::load_and_store(in.data(), n, out.data(), kWindow); }),
                 version("v2", "asynchronous", "No register; the block waits for its tile.",
                         [&] { staging::replace_copy(in.data(), n, out.data(), kWindow); }),
                 version("v3", "two stages", "Few blocks; the next tile is under way.",
                         [&] { staging::two_stage_pipeline(in.data(), n, out.data(), kWindow, kBlocks); }),
                 version("v5", "bulk", "One bulk copy per tile.",
                         [&] { staging::tma_bulk(in.data(), n, out.data(), kWindow); })});
    // v4 has weights, so its results are different.
    expect([&] {
        staging::barrier_token(in.data(), n, out.data(), kWindow, static_cast<int>(n / staging::kTile));
    });
    demo.ladder("weighted", "weighted sums of the same windows", work,
                {version("v4", "barrier, token", "Weights are computed while the first tile comes.",
                         [&] { staging::barrier_token(in.data(), n, out.data(), kWindow, kBlocks); })});
}

#ifndef KIT_CPU

struct Way {
    const char* id;
    void (*kernel)(const unsigned int*, int, unsigned int*, int);
};
constexpr Way ways[] = {{"synchronous", stages::synchronous}, {"register_ahead", stages::register_ahead},
                        {"two", stages::asynchronous<2>},     {"three", stages::asynchronous<3>},
                        {"four", stages::asynchronous<4>},    {"bulk_two", stages::bulk<2>},
                        {"bulk_four", stages::bulk<4>}};

/// Returns how much unused shared memory a block needs so that exactly `blocks` of them fit on a multiprocessor.
std::size_t shared_for(const void* kernel, int blocks) {
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    cudaFuncAttributes facts;
    CUDA_CHECK(cudaFuncGetAttributes(&facts, kernel));
    const int room = static_cast<int>(device.sharedMemPerBlockOptin - facts.sharedSizeBytes);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    const int share = static_cast<int>(device.sharedMemPerMultiprocessor) / blocks - 1024 -
                      static_cast<int>(facts.sharedSizeBytes);
    return static_cast<std::size_t>(std::max(0, std::min(share / 128 * 128, room)));
}

void over_arithmetic_and_warps(Demo& demo, const Data& in, Data& out, Data& want) {
    if (!demo.part("stages")) return;
    const int tiles = static_cast<int>(in.size() / staging::kTile);
    std::vector<kit::demo::Column> columns{{"window"}, {"blocks"}};
    for (const Way& way : ways) columns.push_back({way.id, 0, 14});
    demo.table("stages", "GB/s read and written, by window and by blocks of 256 threads per multiprocessor",
               {"window, blocks", 14}, columns);
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    for (const int window : {1, 4, 16, 64}) {
        staging::load_and_store(in.data(), in.size(), want.data(), window);
        for (const int blocks : {1, 2, 4, 8}) {
            std::vector<kit::demo::Value> values{window, blocks};
            for (const Way& way : ways) {
                const void* kernel = reinterpret_cast<const void*>(way.kernel);
                const std::size_t shared = shared_for(kernel, blocks);
                kit::TimeOptions options;
                options.repetitions = demo.repetitions(9);
                const kit::Timing timing = kit::time(
                    [&] {
                        way.kernel<<<device.multiProcessorCount * blocks, staging::kBlock, shared>>>(
                            in.data(), tiles, out.data(), window);
                        CUDA_CHECK_LAUNCH();
                    },
                    2.0 * sizeof(unsigned int) * static_cast<double>(in.size()), options);
                if (!same(out, want)) {
                    std::fprintf(stderr, "%s: the output is wrong\n", way.id);
                    std::exit(EXIT_FAILURE);
                }
                values.push_back(timing.gb_per_s);
            }
            const std::string id = "w" + std::to_string(window) + "_b" + std::to_string(blocks);
            demo.row(id, std::to_string(window) + ", " + std::to_string(blocks), values);
        }
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"11_async_copy",
               "what an asynchronous copy buys",
               1 << 26,
               1 << 16,
               1 << 28,
               {},
               {"ladder", "weighted", "stages"}},
              argc, argv);
    const auto n = static_cast<std::size_t>(demo.n()) / staging::kTile * staging::kTile;
    Data in(n), out(n), want(n);
    fill<<<static_cast<unsigned int>(kit::ceil_div(n, std::size_t{256})), 256>>>(in.data(), n);
    CUDA_CHECK_LAUNCH();
    out.clear();
    if (demo.part("ladder") || demo.part("weighted")) ladder(demo, in, out, want);
#ifndef KIT_CPU
    over_arithmetic_and_warps(demo, in, out, want);
#endif
    return demo.finish();
}
