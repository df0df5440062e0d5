// Demo of 12_l2_cache: what hints to the L2 cache are worth. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.12_l2_cache
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/12_l2_cache/demo.cu
//            solutions/12_l2_cache/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/12_l2_cache [--help]
//
//   sweep        v2 plain, v3 annotated: times on a GPU, counts on the CPU executor
//   hints        what the executor keeps of v1 and v3 (CPU executor)
//   tables       look-ups in tables of many sizes, without a window, with one, with one of the right ratio
//   aside        one table, over how much of L2 is set aside          ratios   a table that is too large, over the ratio of hits
//   stacks       v2 and v3 over the height of the stack                stack_aside   and over how much is set aside
//   which        each hint of v3 by itself
//   after        a kernel that needs no hints, behind one that left its lines persisting
//
// The last seven on a GPU only: the CPU executor has no cache.

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

/// Planes of the stack whose columns are n / kPlanes: as many as the columns that are on their way at once fill L2 with.
constexpr int kPlanes = 24;

Stack stack_of(long long elements, int planes) {
    const int columns = std::max(32, static_cast<int>(elements / planes) / 32 * 32);
    return {columns, columns, planes};
}

/// The three arrays of a sweep: all ones come in.
struct Arrays {
    explicit Arrays(std::size_t elements)
        : in(std::vector<float>(elements, 1.0f)), scratch(elements), out(elements) {}

    /// Far from both ends 1 / (1 - a) comes up and its a-fold sum comes down; at the top there is the sum of one column.
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
#ifndef KIT_CPU
    set_aside_most();
#endif
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

/// What the executor keeps of the hints of v1 and v3.
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

/// Look-ups in a table, beside keys and values that stream by; the cache is left as the launch before has left it.
class LookUps {
  public:
    explicit LookUps(std::size_t n) : keys_(n), out_(n), table_(std::size_t{96} << 18) {
        table_.clear();
        CUDA_CHECK(cudaStreamCreate(&stream_));
    }
    ~LookUps() { cudaStreamDestroy(stream_); }
    LookUps(const LookUps&) = delete;
    LookUps& operator=(const LookUps&) = delete;

    void use_table(std::size_t bytes) {
        entries_ = bytes / sizeof(float);
        make_keys<<<4096, 256>>>(keys_.data(), keys_.size(), static_cast<unsigned>(entries_));
        CUDA_CHECK_LAUNCH();
    }

    /// Under a window with this ratio of hits; below 0: without one.
    double us(float ratio) {
        cudaStreamAttrValue attribute = {};
        if (ratio >= 0)
            attribute.accessPolicyWindow = {table_.data(), entries_ * sizeof(float), ratio,
                                            cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
        CUDA_CHECK(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &attribute));
        const double time = us_of(
            [&] {
                gather<<<static_cast<unsigned>(kit::ceil_div(keys_.size(), std::size_t{256})), 256, 0,
                         stream_>>>(table_.data(), keys_.data(), keys_.size(), out_.data());
            },
            false);
        attribute.accessPolicyWindow = {};
        CUDA_CHECK(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &attribute));
        CUDA_CHECK(cudaCtxResetPersistingL2Cache());
        return time;
    }

    /// The ratio with which what persists has room in what is set aside.
    float fitting() const {
        return static_cast<float>(
            std::min(1.0, static_cast<double>(aside_now()) / (static_cast<double>(entries_) * 4)));
    }

  private:
    kit::DeviceBuffer<unsigned> keys_;
    kit::DeviceBuffer<float> out_, table_;
    cudaStream_t stream_ = nullptr;
    std::size_t entries_ = 0;
};

constexpr std::size_t kMiB = 1 << 20;

std::string mib(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MiB", bytes / kMiB);
    return text;
}

void look_ups(Demo& demo) {
    LookUps work(static_cast<std::size_t>(demo.n()));
    const std::string what = std::to_string(demo.n()) + " look-ups: ";
    if (demo.part("tables")) {
        set_aside_most();
        demo.table("tables", what + "without a window, with one, with one whose ratio fits", {"table", 12},
                   {{"mib"},
                    {"us_without", 1, 10},
                    {"us_window", 1},
                    {"ratio", 2},
                    {"us_fitting", 1, 10},
                    {"speed_up", 2}});
        for (const std::size_t size : {2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96}) {
            work.use_table(size * kMiB);
            const double without = work.us(-1), window = work.us(1), fitting = work.us(work.fitting());
            demo.row("t" + std::to_string(size), std::to_string(size) + " MiB",
                     {static_cast<double>(size), without, window, static_cast<double>(work.fitting()),
                      fitting, without / std::min(window, fitting)});
        }
    }
    if (demo.part("aside")) {
        demo.table("aside", what + "over how much of L2 is set aside, ratio 1", {"table, set aside", 24},
                   {{"table_mib"},
                    {"aside_mib", 1},
                    {"us_without", 1, 10},
                    {"us_window", 1},
                    {"us_fitting", 1, 10}});
        for (const std::size_t size : {16, 32, 48})
            for (const double aside : {0.0, 2.5, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 37.5}) {
                set_aside_bytes(static_cast<std::size_t>(aside * kMiB));
                work.use_table(size * kMiB);
                const double without = work.us(-1), window = work.us(1), fitting = work.us(work.fitting());
                const double now = static_cast<double>(aside_now());
                demo.row("t" + std::to_string(size) + "_a" + std::to_string(static_cast<int>(aside * 10)),
                         std::to_string(size) + " MiB, " + mib(now),
                         {static_cast<double>(size), now / kMiB, without, window, fitting});
            }
    }
    if (demo.part("ratios")) {
        set_aside_most();
        demo.table("ratios", what + "a table of 64 MiB, over the ratio of hits", {"ratio", 12},
                   {{"ratio", 2}, {"us", 1}});
        work.use_table(64 * kMiB);
        demo.row("without", "no window", {-1.0, work.us(-1)});
        for (const float ratio : {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.8f, 1.0f}) {
            char label[16];
            std::snprintf(label, sizeof label, "%.1f", ratio);
            demo.row("r" + std::to_string(static_cast<int>(ratio * 10 + 0.5f)), label,
                     {static_cast<double>(ratio), work.us(ratio)});
        }
    }
}

void stacks(Demo& demo) {
    Arrays arrays(static_cast<std::size_t>(demo.n()));
    const auto us = [&](const Stack& stack, auto function) {
        return us_of(
            [&] { function(arrays.in.data(), arrays.scratch.data(), arrays.out.data(), stack, kFactor); });
    };
    // Each thread on the device has a column: so much of the scratch array is of use at once.
    const auto at_once = [](const Stack& stack) {
        return std::min<double>(stack.columns, resident_threads()) * stack.planes * 4 / kMiB;
    };
    if (demo.part("stacks")) {
        set_aside_most();
        demo.table("stacks",
                   "the two sweeps over " + std::to_string(demo.n()) +
                       " floats: planes, MiB of the scratch array in use at once",
                   {"planes", 8},
                   {{"planes"},
                    {"mib_at_once", 1, 11},
                    {"us_plain", 1},
                    {"us_annotated", 1, 12},
                    {"speed_up", 2},
                    {"of_copy", 2}});
        for (const int planes : {2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256}) {
            const Stack stack = stack_of(demo.n(), planes);
            const double plain = us(stack, l2_cache::plain_sweep),
                         annotated = us(stack, l2_cache::annotated_sweep);
            const double moved = 8.0 * static_cast<double>(stack.elements()) / annotated / 1e3;
            demo.row(
                "p" + std::to_string(planes), std::to_string(planes),
                {planes, at_once(stack), plain, annotated, plain / annotated, moved / kit::copy_gb_per_s()});
        }
    }
    if (demo.part("stack_aside")) {
        demo.table("stack_aside", "the annotated sweeps over how much of L2 is set aside",
                   {"planes, set aside", 24},
                   {{"planes"}, {"aside_mib", 1}, {"us_plain", 1}, {"us_annotated", 1, 12}, {"speed_up", 2}});
        for (const int planes : {8, 16, 24, 32, 48})
            for (const double aside : {0.0, 5.0, 10.0, 20.0, 30.0, 37.5}) {
                set_aside_bytes(static_cast<std::size_t>(aside * kMiB));
                const Stack stack = stack_of(demo.n(), planes);
                const double plain = us(stack, l2_cache::plain_sweep),
                             annotated = us(stack, l2_cache::annotated_sweep);
                const double now = static_cast<double>(aside_now());
                demo.row("p" + std::to_string(planes) + "_a" + std::to_string(static_cast<int>(aside * 10)),
                         std::to_string(planes) + ", " + mib(now),
                         {planes, now / kMiB, plain, annotated, plain / annotated});
            }
    }
    if (demo.part("which")) {
        demo.table("which", "one hint at a time, 30 MiB set aside and none", {"planes, hints", 34},
                   {{"planes"}, {"us_aside", 1}, {"us_none", 1}});
        for (const int planes : {8, 16, 24, 48}) {
            const Stack stack = stack_of(demo.n(), planes);
            const auto row = [&](const char* id, const char* name, auto function) {
                set_aside_bytes(30 * kMiB);
                const double aside = us(stack, function);
                set_aside_bytes(0);
                CUDA_CHECK(cudaCtxResetPersistingL2Cache());
                const double none = us(stack, function);
                demo.row("p" + std::to_string(planes) + "_" + id, std::to_string(planes) + ", " + name,
                         {planes, aside, none});
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

/// A kernel that reads one array again and again, when half of the cache belongs to lines that nobody needs any more.
void after(Demo& demo) {
    if (!demo.part("after")) return;
    demo.table("after", "reading an array 8 times, behind a kernel whose lines persist", {"array", 12},
               {{"mib"}, {"us_reset", 1}, {"us_left", 1}, {"us_aside_kept", 1, 13}, {"slow_down", 2}});
    kit::DeviceBuffer<float> left(std::size_t{36} << 18), array(std::size_t{64} << 18), sum(1);
    left.clear();
    array.clear();
    for (const std::size_t size : {8, 16, 24, 32, 40, 48}) {
        const std::size_t floats = size * kMiB / 4;
        const auto us = [&](bool leave, bool aside) {
            set_aside_bytes(aside ? std::size_t{36} * kMiB : 0);
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
                 {static_cast<double>(size), clean, persisting, kept, persisting / clean});
    }
    set_aside_bytes(0);
    CUDA_CHECK(cudaCtxResetPersistingL2Cache());
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
                "tables", "aside", "ratios", "stacks", "stack_aside", "which", "after"
#endif
               }},
              argc, argv);
    sweep(demo);
#ifdef KIT_CPU
    hints(demo);
#else
    look_ups(demo);
    stacks(demo);
    after(demo);
    set_aside_bytes(0);
#endif
    return demo.finish();
}
