// Demo of 12_l2_cache: measures what hints to the L2 cache gain. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.12_l2_cache
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/12_l2_cache/demo.cu
//            solutions/12_l2_cache/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/12_l2_cache [--help]
//
//   sweep        v2 plain, v3 annotated: times on a GPU, counts on the CPU executor
//   hints        the hints that the CPU executor records for v1, v2 and v3
//   tables       look-ups in tables of many sizes, without a window and with one
//   aside        three tables, over how much of L2 is set aside     ratios        a table that is too large, over the ratio of hits
//   cost         reading, writing and copying when a part of L2 is set aside and unused
//   stacks       v2 and v3 over the height of the stack             stack_aside   the same over how much is set aside
//   which        each hint of v3 by itself
//   after        a kernel that needs no hints, after one that left its lines persisting
//
// All but the first two on a GPU only: the CPU executor has no cache.

#include <algorithm>
#include <string>
#include <vector>

#include "12_l2_cache/12_l2_cache.hpp"
#include "demo.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/cache_hints.hpp>
#else
#include "variants.cuh"
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using l2_cache::Stack;

constexpr float kFactor = 0.5f;

/// Planes of a stack with n / kPlanes columns. The columns in progress at once then use 25 MiB of the scratch array.
constexpr int kPlanes = 24;

Stack stack_of(long long elements, int planes) {
    const int columns = std::max(32, static_cast<int>(elements / planes) / 32 * 32);
    return {columns, columns, planes};
}

/// The three arrays of a sweep. The input is all ones.
struct Arrays {
    explicit Arrays(std::size_t elements)
        : in(std::vector<float>(elements, 1.0f)), scratch(elements), out(elements) {}

    /// Returns whether the first and the last column have the expected values at plane 0. Clears `out`.
    bool right(const Stack& stack) {
        double up = 0, down = 0;
        std::vector<double> sums;
        for (int z = 0; z < stack.planes; ++z) sums.push_back(up = 1 + kFactor * up);
        for (int z = stack.planes; z-- > 0;) down = sums[static_cast<std::size_t>(z)] + kFactor * down;
        float first[2] = {};
        const std::size_t last = static_cast<std::size_t>(stack.columns) - 1;
        CUDA_CHECK(cudaMemcpy(&first[0], out.data(), sizeof(float), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(&first[1], out.data() + last, sizeof(float), cudaMemcpyDeviceToHost));
        out.clear();
        return std::max(std::abs(first[0] - down), std::abs(first[1] - down)) < 1e-3;
    }

    kit::DeviceBuffer<float> in, scratch, out;
};

void sweep(Demo& demo) {
    const Stack stack = stack_of(demo.n(), kPlanes);
    Arrays arrays(stack.elements());
    const auto version = [&](const char* id, const char* name, const char* change, auto function) {
        return Version{id, name, change,
                       [&, function](long long) {
                           function(arrays.in.data(), arrays.scratch.data(), arrays.out.data(), stack,
                                    kFactor);
                       },
                       [&](long long) { return arrays.right(stack); }};
    };
    Work work;
    work.n = static_cast<long long>(stack.elements());
    work.bytes =
        2.0 * sizeof(float) * static_cast<double>(stack.elements());  // the scratch array need not move
    demo.ladder(
        "sweep",
        "up and down " + std::to_string(stack.columns) + " columns of " + std::to_string(kPlanes) + " planes",
        work,
        {version("v2", "plain", "Both sweeps in one kernel, no hints.", l2_cache::plain_sweep),
         version("v3", "annotated", "What is used once streams, the scratch array persists and is discarded.",
                 l2_cache::annotated_sweep)});
}

#ifdef KIT_CPU

/// Shows the hints that the executor records for v1, v2 and v3.
void hints(Demo& demo) {
    if (!demo.part("hints")) return;
    demo.table(
        "hints", "hints that the executor has seen", {"version", 22},
        {{"windows"}, {"persisting"}, {"streaming"}, {"lines_discarded", 0, 15}, {"bytes_left", 0, 10}});
    const auto row = [&](const char* id, const char* label) {
        CUDA_CHECK(cudaDeviceSynchronize());
        const kit::cpu::CacheHints h = kit::cpu::cache_hints();
        demo.row(id, label,
                 {static_cast<double>(h.launches.size()), static_cast<double>(h.persisting),
                  static_cast<double>(h.streaming), static_cast<double>(h.discarded_lines),
                  static_cast<double>(kit::cpu::persisting_bytes())});
        kit::cpu::reset_cache_hints();
        CUDA_CHECK(cudaCtxResetPersistingL2Cache());
    };
    const Stack stack = stack_of(demo.n(), kPlanes);
    Arrays arrays(stack.elements());
    kit::cpu::reset_cache_hints();
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    const kit::DeviceBuffer<unsigned> keys(std::vector<unsigned>(stack.elements(), 7));
    l2_cache::set_aside(stack.elements() * sizeof(float));
    l2_cache::look_up(arrays.in.data(), stack.elements(), keys.data(), stack.elements(), arrays.out.data(),
                      stream);
    row("v1", "v1 look-ups");
    l2_cache::plain_sweep(arrays.in.data(), arrays.scratch.data(), arrays.out.data(), stack, kFactor);
    row("v2", "v2 plain");
    l2_cache::annotated_sweep(arrays.in.data(), arrays.scratch.data(), arrays.out.data(), stack, kFactor);
    row("v3", "v3 annotated");
    CUDA_CHECK(cudaStreamDestroy(stream));
}

#else

double us_of(const std::function<void()>& launch, bool cold = true, int repetitions = 15) {
    kit::TimeOptions options;
    options.cold_l2 = cold;
    options.repetitions = repetitions;
    const double us = 1000 * kit::time(launch, 0, options).median_ms;
    CUDA_CHECK_LAUNCH();
    return us;
}

constexpr double kMiB = 1 << 20;

/// Resets all persisting lines and sets this much aside.
void begin_with(double aside_mib) {
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaCtxResetPersistingL2Cache());
    set_aside_bytes(static_cast<std::size_t>(aside_mib * kMiB));
}

/// Returns a number for the name of a row: 375 for 37.5.
std::string tenths(double number) {
    return std::to_string(static_cast<int>(number * 10 + 0.5));
}

std::string one_decimal(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", number);
    return text;
}

/// Sizes that an H200 can set aside: sixteenths of its L2, at most ten.
const std::vector<double> asides = {0.0, 7.5, 15.0, 22.5, 26.25, 30.0, 33.75, 37.5};

/// Look-ups in a table, while keys and results stream through L2. Each launch finds the cache as the previous launch left it.
class LookUps {
  public:
    explicit LookUps(std::size_t n) : keys_(n), out_(n), table_(std::size_t{96} << 18) {
        table_.clear();
        CUDA_CHECK(cudaStreamCreate(&stream_));
    }
    ~LookUps() { cudaStreamDestroy(stream_); }
    LookUps(const LookUps&) = delete;
    LookUps& operator=(const LookUps&) = delete;

    void use_table(int mib) {
        entries_ = static_cast<std::size_t>(mib) << 18;
        make_keys<<<4096, 256>>>(keys_.data(), keys_.size(), static_cast<unsigned>(entries_));
        CUDA_CHECK_LAUNCH();
    }

    /// Times the look-ups with this much set aside, without a window.
    double us(double aside_mib) {
        begin_with(aside_mib);
        return time();
    }

    /// The same with a window of this hit ratio.
    double us(double aside_mib, double ratio) {
        begin_with(aside_mib);
        cudaStreamAttrValue attribute = {};
        attribute.accessPolicyWindow = {table_.data(), entries_ * sizeof(float), static_cast<float>(ratio),
                                        cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
        CUDA_CHECK(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &attribute));
        const double result = time();
        attribute.accessPolicyWindow = {};
        CUDA_CHECK(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &attribute));
        return result;
    }

  private:
    double time() {
        const auto blocks = static_cast<unsigned>(kit::ceil_div(keys_.size(), std::size_t{256}));
        return us_of(
            [&] {
                gather<<<blocks, 256, 0, stream_>>>(table_.data(), keys_.data(), keys_.size(), out_.data());
            },
            false);
    }

    kit::DeviceBuffer<unsigned> keys_;
    kit::DeviceBuffer<float> out_, table_;
    cudaStream_t stream_ = nullptr;
    std::size_t entries_ = 0;
};

/// Returns the hit ratio at which the persisting lines fit.
double fitting(double aside_mib, int table_mib) {
    return std::min(1.0, aside_mib / table_mib);
}

void look_ups(Demo& demo) {
    LookUps work(static_cast<std::size_t>(demo.n()));
    const std::string what = std::to_string(demo.n()) + " look-ups: ";
    if (demo.part("tables")) {
        demo.table(
            "tables",
            what + "nothing set aside; 37.5 MiB set aside and unused; under a window; 30 MiB, under one",
            {"table", 8},
            {{"mib"},
             {"us_plain", 1},
             {"us_unused", 1},
             {"us_window", 1},
             {"us_window_30", 1, 12},
             {"us_fitting_30", 1, 13},
             {"gain", 2}});
        for (const int size : {2, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96}) {
            work.use_table(size);
            const double plain = work.us(0), unused = work.us(37.5), window = work.us(37.5, 1),
                         window_30 = work.us(30, 1), fitting_30 = work.us(30, fitting(30, size));
            demo.row("t" + std::to_string(size), std::to_string(size) + " MiB",
                     {size, plain, unused, window, window_30, fitting_30,
                      plain / std::min({window, window_30, fitting_30})});
        }
    }
    if (demo.part("aside")) {
        demo.table(
            "aside", what + "over how much of L2 is set aside", {"table, MiB set aside", 22},
            {{"table_mib"}, {"aside_mib", 2}, {"us_plain", 1}, {"us_window", 1}, {"us_fitting", 1, 10}});
        for (const int size : {16, 48, 80}) {
            work.use_table(size);
            for (const double aside : asides)
                demo.row(
                    "t" + std::to_string(size) + "_a" + tenths(aside),
                    std::to_string(size) + " MiB, " + one_decimal(aside),
                    {size, aside, work.us(aside), work.us(aside, 1), work.us(aside, fitting(aside, size))});
        }
    }
    if (demo.part("ratios")) {
        demo.table("ratios", what + "a table of 64 MiB, 30 MiB set aside, over the ratio of hits",
                   {"ratio", 12}, {{"ratio", 2}, {"us", 1}});
        work.use_table(64);
        demo.row("without", "no window", {0.0, work.us(30)});
        for (const double ratio : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0})
            demo.row("r" + tenths(ratio), one_decimal(ratio), {ratio, work.us(30, ratio)});
    }
}

/// Measures what an unused set-aside part costs other kernels.
void cost(Demo& demo) {
    if (!demo.part("cost")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    kit::DeviceBuffer<float> in(n), out(n);
    in.clear();
    demo.table("cost", std::to_string(demo.n()) + " floats, when so much is set aside and nothing persists",
               {"MiB set aside", 14},
               {{"aside_mib", 2}, {"read_gb_per_s"}, {"write_gb_per_s", 0, 14}, {"copy_gb_per_s", 0, 13}});
    for (const double aside : asides) {
        begin_with(aside);
        const double bytes = 4e-3 * static_cast<double>(n);
        const double read = us_of([&] { read_again<<<132 * 8, 256>>>(in.data(), n, 1, out.data()); });
        const double write = us_of([&] { fill<<<132 * 8, 256>>>(out.data(), n); });
        const double copy = us_of([&] { copy_all<<<132 * 8, 256>>>(in.data(), out.data(), n); });
        demo.row("a" + tenths(aside), one_decimal(aside),
                 {aside, bytes / read, bytes / write, 2 * bytes / copy});
    }
}

void stacks(Demo& demo) {
    Arrays arrays(static_cast<std::size_t>(demo.n()));
    const auto us = [&](double aside, const Stack& stack, auto function) {
        begin_with(aside);
        return us_of(
            [&] { function(arrays.in.data(), arrays.scratch.data(), arrays.out.data(), stack, kFactor); });
    };
    // Each resident thread has a column, so this much of the scratch array is in use at once.
    const auto at_once = [](const Stack& stack) {
        return std::min<double>(stack.columns, resident_threads()) * stack.planes * 4 / kMiB;
    };
    if (demo.part("stacks")) {
        demo.table("stacks",
                   "the sweeps over " + std::to_string(demo.n()) +
                       " floats: MiB of scratch in use at once; nothing set aside, and 30 MiB",
                   {"planes", 8},
                   {{"planes"},
                    {"mib_at_once", 1, 11},
                    {"us_plain", 1},
                    {"us_annotated", 1, 12},
                    {"us_annotated_30", 1, 15},
                    {"us_kept", 1},
                    {"gain", 2},
                    {"gain_kept", 2}});
        for (const int planes : {2, 4, 8, 16, 24, 32, 48, 64, 128, 256}) {
            const Stack stack = stack_of(demo.n(), planes);
            const double plain = us(0, stack, l2_cache::plain_sweep),
                         annotated = us(0, stack, l2_cache::annotated_sweep),
                         annotated_30 = us(30, stack, l2_cache::annotated_sweep),
                         kept = us(0, stack, sweep_with<true, true, false>);
            demo.row("p" + std::to_string(planes), std::to_string(planes),
                     {planes, at_once(stack), plain, annotated, annotated_30, kept, plain / annotated,
                      plain / kept});
        }
    }
    if (demo.part("stack_aside")) {
        demo.table("stack_aside", "v2 and v3 over how much of L2 is set aside", {"planes, MiB set aside", 22},
                   {{"planes"}, {"aside_mib", 2}, {"us_plain", 1}, {"us_annotated", 1, 12}, {"speed_up", 2}});
        for (const int planes : {8, 24, 48})
            for (const double aside : asides) {
                const Stack stack = stack_of(demo.n(), planes);
                const double plain = us(aside, stack, l2_cache::plain_sweep),
                             annotated = us(aside, stack, l2_cache::annotated_sweep);
                demo.row("p" + std::to_string(planes) + "_a" + tenths(aside),
                         std::to_string(planes) + ", " + one_decimal(aside),
                         {planes, aside, plain, annotated, plain / annotated});
            }
    }
    if (demo.part("which")) {
        demo.table("which", "one hint at a time, nothing set aside and 30 MiB", {"planes, hints", 34},
                   {{"planes"}, {"us_none", 1}, {"us_aside", 1}});
        for (const int planes : {8, 24, 48}) {
            const Stack stack = stack_of(demo.n(), planes);
            const auto row = [&](const char* id, const char* name, auto function) {
                demo.row("p" + std::to_string(planes) + "_" + id, std::to_string(planes) + ", " + name,
                         {planes, us(0, stack, function), us(30, stack, function)});
            };
            row("plain", "none", l2_cache::plain_sweep);
            row("streaming", "streaming", sweep_with<true, false, false>);
            row("persisting", "persisting", sweep_with<false, true, false>);
            row("discard", "discarded", sweep_with<false, false, true>);
            row("streaming_persisting", "streaming, persisting", sweep_with<true, true, false>);
            row("streaming_discard", "streaming, discarded", sweep_with<true, false, true>);
            row("all", "all three", l2_cache::annotated_sweep);
        }
    }
}

/// Times a kernel that reads one array repeatedly while half of the cache belongs to lines that are no longer needed.
void after(Demo& demo) {
    if (!demo.part("after")) return;
    demo.table("after", "reading an array 8 times, behind a kernel whose lines persist", {"array", 12},
               {{"mib"}, {"us_reset", 1}, {"us_left", 1}, {"us_aside_kept", 1, 13}, {"slow_down", 2}});
    kit::DeviceBuffer<float> left(std::size_t{36} << 18), array(std::size_t{64} << 18), sum(1);
    left.clear();
    array.clear();
    for (const int size : {8, 16, 24, 32, 40, 48}) {
        const std::size_t floats = static_cast<std::size_t>(size) << 18;
        const auto us = [&](bool leave, bool aside) {
            begin_with(aside ? 37.5 : 0);
            std::vector<double> times;
            for (int i = 0; i < 9; ++i) {
                CUDA_CHECK(cudaCtxResetPersistingL2Cache());
                if (leave) persist<<<4096, 256>>>(left.data(), left.size());
                times.push_back(
                    event_us([&] { read_again<<<132 * 8, 256>>>(array.data(), floats, 8, sum.data()); }));
            }
            std::sort(times.begin(), times.end());
            return times[times.size() / 2];
        };
        const double clean = us(false, false), persisting = us(true, true), kept = us(false, true);
        demo.row("a" + std::to_string(size), std::to_string(size) + " MiB",
                 {size, clean, persisting, kept, persisting / clean});
    }
    begin_with(0);
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"12_l2_cache",
               "hints to the L2 cache, and what they are worth",
               1 << 26,
               1 << 16,
               1 << 28,
               {},
               {"sweep",
#ifdef KIT_CPU
                "hints"
#else
                "tables", "aside", "ratios", "cost", "stacks", "stack_aside", "which", "after"
#endif
               }},
              argc, argv);
    sweep(demo);
#ifdef KIT_CPU
    hints(demo);
#else
    look_ups(demo);
    cost(demo);
    stacks(demo);
    after(demo);
    begin_with(0);
#endif
    return demo.finish();
}
