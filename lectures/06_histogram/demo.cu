// Demo of 06_histogram: counts by every version of the topic, side by side. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.06_histogram
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/06_histogram/demo.cu
//            solutions/06_histogram/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/06_histogram [--help]
//
//   letters into 7 bins:    v1 racy   v2 sections   v3 interleaved   v4 privatized   v8 registers
//   bytes into 256 bins:    v5 a copy per warp      v9 a counter per value and lane
//   16-bit values, 65,536:  v6 partly private       v7 spread over a cluster
//   only here: v4w and v5w are v4 and v5 with loads of 16 bytes; v6b is v6 with a different private range; v10 has
//   16-bit counters
//
// On a GPU: times, against a device copy and CUB; on the worst and the best of four inputs; over many sizes; and
// what a single atomic costs. On the CPU executor: counts.

#include <algorithm>

#include "atomics.cuh"
#include "versions.hpp"
#ifndef KIT_CPU
#include "tables.hpp"
#endif

namespace histogram_demo {
namespace {

#ifdef KIT_CPU
constexpr int usual_blocks = 4;
#else
constexpr int usual_blocks = 1024;
#endif

/// Fills with values that are equally likely, or of which nine of ten are among the first `common`, or that are all equal.
template <class T>
__global__ void fill(T* to, std::size_t n, int nine_of_ten, unsigned int low, unsigned int range,
                     unsigned int common) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        const unsigned int random = scrambled(static_cast<unsigned int>(i));
        const bool usual = nine_of_ten && random % 10 != 0;
        to[i] = static_cast<T>(low + scrambled(random) % (usual ? common : range));
    }
}

/// Repeats one text: its characters, or its pairs of characters.
template <class T>
__global__ void fill_with_text(T* to, std::size_t n, const char* text, unsigned int length) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        const unsigned int at = static_cast<unsigned int>(i) % length;
        const unsigned char c = text[at], next = text[at + 1 < length ? at + 1 : 0];
        to[i] = static_cast<T>(sizeof(T) == 1 ? c : c << 8 | next);
    }
}

template <class T>
void make_elements(T* to, std::size_t n, const Problem& problem, const std::string& input,
                   const kit::DeviceBuffer<char>& text) {
    if (input == "text") {
        fill_with_text<<<usual_blocks, 256>>>(to, n, text.data(), static_cast<unsigned int>(text.size()));
    } else {
        const unsigned int range = input == "single" ? 1 : problem.range;
        fill<<<usual_blocks, 256>>>(to, n, input == "skewed" ? 1 : 0, problem.low, range, problem.common);
    }
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
}

/// Counts each value as simply as possible, with 32 counters for each, all in global memory.
template <class T>
__global__ void count_simply(const T* from, std::size_t n, unsigned int* counters) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
        atomicAdd(&counters[from[i] * 32 + threadIdx.x % 32], 1u);
}

}  // namespace

void Data::make(std::size_t n) {
    if (problem_->bytes_per_element == 1) {
        make_elements(elements.data(), n, *problem_, input_, text_);
    } else {
        make_elements(values16(), n, *problem_, input_, text_);
    }
}

std::vector<unsigned int> Data::occurrences(std::size_t n) {
    const bool pairs = problem_->bytes_per_element == 2;
    kit::DeviceBuffer<unsigned int> counters(std::size_t{32} * (pairs ? 65536 : 256));
    counters.clear();
    if (pairs) {
        count_simply<<<usual_blocks, 256>>>(values16(), n, counters.data());
    } else {
        count_simply<<<usual_blocks, 256>>>(elements.data(), n, counters.data());
    }
    CUDA_CHECK_LAUNCH();
    return counters.to_vector();
}

#ifdef KIT_CPU
/// Shows how many atomics use one address, for each input.
void count_meetings(Demo& demo, Data& d) {
    if (!demo.part("contention")) return;
    demo.table("contention", "most atomic additions at one address, counted", {"version", 33},
               {{"uniform"}, {"skewed"}, {"single"}, {"text"}});
    for (const Problem* problem : {&letters, &bytes, &values}) {
        for (const Version& version : versions_of(*problem, d, demo.n())) {
            if (!demo.wants(version.id)) continue;
            std::vector<Value> shown;
            for (const std::string& input : inputs) {
                d.fill_with(*problem, input, demo.n());
                for (kit::demo::Field& field : kit::demo::counts_of([&] { version.run(demo.n()); }))
                    if (field.name == "worst_contention") shown.push_back(std::move(field.value));
                require(version.right(demo.n()), version.name + ", " + input + ": the counts are wrong");
            }
            demo.row(row_id(*problem, version), label_of(version), shown);
        }
    }
}
#endif

}  // namespace histogram_demo

int main(int argc, char** argv) {
    using namespace histogram_demo;
#ifdef KIT_CPU
    const std::vector<std::string> parts = {"letters", "bytes", "values", "contention"};
#else
    const std::vector<std::string> parts = {
        "race",        "letters",           "bytes",         "values",      "inputs", "inputs_small",
        "inputs_warm", "inputs_small_warm", "sizes_letters", "sizes_bytes", "atomics"};
#endif
    Demo demo({"06_histogram",
               "how often each value occurs, by every version",
               1 << 28,
               1 << 16,
               1ll << 31,
               {"all", inputs[0], inputs[1], inputs[2], inputs[3]},
               parts},
              argc, argv);
    const std::string input = demo.input() == "all" ? inputs[0] : demo.input();
#ifdef KIT_CPU
    const std::vector<long long> sizes = {demo.n()};
#else
    const std::vector<long long> sizes = Demo::sizes(1);
#endif
    Data d(static_cast<std::size_t>(std::max(2 * demo.n(), sizes.back())));
#ifndef KIT_CPU
    show_race(demo, d);
#endif
    for (const Problem* problem : {&letters, &bytes, &values}) {
        const std::string table = problem == &values ? "values" : problem->name;
        if (!demo.part(table)) continue;
        d.fill_with(*problem, input, demo.n());
        demo.ladder(table, std::to_string(demo.n()) + " " + problem->name + ", " + input,
                    work_of(*problem, demo.n()), versions_of(*problem, d, demo.n()));
        if (problem != &values) continue;
        if (!has_clusters()) demo.say("v7 is left out: this device has no clusters.");
        if (!has_room_for_halves()) demo.say("v10 is left out: it takes 128 KiB of shared memory per block.");
    }
#ifdef KIT_CPU
    count_meetings(demo, d);
#else
    const long long small = 1 << 20;
    show_inputs(demo, d, "inputs", demo.n(), true);
    if (demo.n() > small) show_inputs(demo, d, "inputs_small", small, true);
    show_inputs(demo, d, "inputs_warm", demo.n(), false);
    if (demo.n() > small) show_inputs(demo, d, "inputs_small_warm", small, false);
    show_sizes(demo, d, letters, sizes, {"v4", "v8", "cub"});
    show_sizes(demo, d, bytes, sizes, {"v5", "v9", "cub"});
    show_atomics(demo, d);
#endif
    return demo.finish();
}
