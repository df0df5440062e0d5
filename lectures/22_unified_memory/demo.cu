// Demo of 22_unified_memory: what moving pages costs, by faults, by prefetches and by copies. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.22_unified_memory
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/22_unified_memory/demo.cu
//            solutions/22_unified_memory/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/22_unified_memory [--help]
//
//   pages     the pages that move for each way to give a kernel an array of the host (on the CPU executor)
//   ways      the same ways: time and bandwidth
//   faults    a kernel that touches one element of each page, over the distance of the touches
//   advice    rounds in which the host changes few elements, and a kernel reads few or all
//   thrash    an array that is larger than the free memory: all steps pass over it, or windows
//   sides     rounds in which both sides use an array, over the part that the host touches
//
// All but the first on a GPU only: the CPU executor counts pages, but has no bus.

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "22_unified_memory/22_unified_memory.hpp"
#include "demo.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/managed_pages.hpp>
#endif

namespace {

using kit::demo::Demo;

constexpr cudaMemLocation on_device = {cudaMemLocationTypeDevice, 0}, on_host = {cudaMemLocationTypeHost, 0};

// One thread per element.
__global__ void add_one(float* x, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
}

void launch_add(float* x, std::size_t n, cudaStream_t stream = nullptr) {
    add_one<<<static_cast<unsigned>(kit::ceil_div(n, std::size_t{256})), 256, 0, stream>>>(x, n);
    CUDA_CHECK_LAUNCH();
}

/// The array of the host for all ways: managed memory, pinned memory and ordinary memory, and memory of the device.
struct Arrays {
    explicit Arrays(std::size_t n) : n(n), ordinary(n, 1.0f), device(n) {
        CUDA_CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
        CUDA_CHECK(cudaHostAlloc(&pinned, n * sizeof(float), cudaHostAllocMapped));
        std::fill(pinned, pinned + n, 1.0f);
    }
    ~Arrays() {
        cudaFree(managed);
        cudaFreeHost(pinned);
    }
    Arrays(const Arrays&) = delete;
    Arrays& operator=(const Arrays&) = delete;
    std::size_t bytes() const { return n * sizeof(float); }

    std::size_t n;
    float *managed = nullptr, *pinned = nullptr;
    std::vector<float> ordinary;
    kit::DeviceBuffer<float> device;
};

/// One way to let a kernel change an array of the host, which the host reads afterwards.
struct Way {
    const char *id, *name;
    std::function<void(Arrays&)> run;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all = {
        {"faults", "managed, page faults", [](Arrays& a) { launch_add(a.managed, a.n); }},
        {"prefetch", "managed, prefetched both ways",
         [](Arrays& a) {
             CUDA_CHECK(cudaMemPrefetchAsync(a.managed, a.bytes(), on_device, 0, nullptr));
             launch_add(a.managed, a.n);
             CUDA_CHECK(cudaMemPrefetchAsync(a.managed, a.bytes(), on_host, 0, nullptr));
         }},
        {"pageable", "cudaMemcpy, ordinary memory",
         [](Arrays& a) {
             CUDA_CHECK(cudaMemcpy(a.device.data(), a.ordinary.data(), a.bytes(), cudaMemcpyHostToDevice));
             launch_add(a.device.data(), a.n);
             CUDA_CHECK(cudaMemcpy(a.ordinary.data(), a.device.data(), a.bytes(), cudaMemcpyDeviceToHost));
         }},
        {"pinned", "cudaMemcpyAsync, pinned memory",
         [](Arrays& a) {
             CUDA_CHECK(cudaMemcpyAsync(a.device.data(), a.pinned, a.bytes(), cudaMemcpyHostToDevice));
             launch_add(a.device.data(), a.n);
             CUDA_CHECK(cudaMemcpyAsync(a.pinned, a.device.data(), a.bytes(), cudaMemcpyDeviceToHost));
         }},
        {"mapped", "mapped memory, no copy", [](Arrays& a) { launch_add(a.pinned, a.n); }}};
    return all;
}

/// Reads one element of each page on the host, as a program that uses the results does.
float touch_on_host(const float* x, std::size_t n) {
    float sum = 0;
    for (std::size_t i = 0; i < n; i += 1024) sum += x[i];
    return sum;
}

#ifdef KIT_CPU

void pages(Demo& demo) {
    if (!demo.part("pages")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    kit::cpu::follow_pages(true);
    Arrays arrays(n);
    demo.table("pages", "pages of 4 KiB that move for " + std::to_string(n) + " floats", {"way", 32},
               {{"faults"}, {"to_device"}, {"to_host"}, {"prefetched", 0, 10}, {"saved"}});
    for (const Way& way : ways()) {
        std::fill(arrays.managed, arrays.managed + n, 1.0f);
        kit::cpu::reset_page_counts();
        way.run(arrays);
        CUDA_CHECK(cudaDeviceSynchronize());
        volatile float kept = touch_on_host(arrays.managed, n);
        static_cast<void>(kept);
        const kit::cpu::PageCounts c = kit::cpu::page_counts();
        demo.row(way.id, way.name,
                 {static_cast<double>(c.device_faults + c.host_faults), static_cast<double>(c.to_device),
                  static_cast<double>(c.to_host),
                  static_cast<double>(c.prefetched_to_device + c.prefetched_to_host),
                  static_cast<double>(c.saved)});
    }
}

#else

constexpr double kMiB = 1 << 20;

/// Returns the median time of `run` in microseconds, until the device has finished. `before` runs before each repetition.
double median_us(int repetitions, const std::function<void()>& before, const std::function<void()>& run) {
    std::vector<double> times;
    for (int i = -1; i < repetitions; ++i) {
        before();
        CUDA_CHECK(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        run();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        if (i >= 0) times.push_back(time.count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

float* managed_array(std::size_t bytes) {
    float* x = nullptr;
    CUDA_CHECK(cudaMallocManaged(&x, bytes));
    return x;
}

void fill_on_host(float* x, std::size_t n) {
    std::fill(x, x + n, 1.0f);
}

void time_ways(Demo& demo) {
    if (!demo.part("ways")) return;
    const auto n = static_cast<std::size_t>(demo.n());
    Arrays arrays(n);
    demo.table("ways",
               "a kernel adds 1 to " + std::to_string(n) + " floats of the host, which then reads them",
               {"way", 32}, {{"kernel_us", 0}, {"with_host_us", 0, 12}, {"gb_per_s", 1}});
    for (const Way& way : ways()) {
        const auto before = [&] { fill_on_host(arrays.managed, n); };
        const auto run = [&] { way.run(arrays); };
        const float* const result = std::string(way.id) == "pageable"      ? arrays.ordinary.data()
                                    : way.id[0] == 'p' && way.id[1] == 'i' ? arrays.pinned
                                    : way.id[0] == 'm'                     ? arrays.pinned
                                                                           : arrays.managed;
        volatile float kept = 0;
        const double us = median_us(demo.repetitions(5), before, run);
        const double with_host = median_us(demo.repetitions(5), before, [&] {
            run();
            CUDA_CHECK(cudaDeviceSynchronize());
            kept = touch_on_host(result, n);
        });
        demo.row(way.id, way.name, {us, with_host, 2.0 * static_cast<double>(arrays.bytes()) / (us * 1000)});
    }
}

// One thread per touched element, one element per `stride` floats.
__global__ void touch(float* x, std::size_t stride, std::size_t touches) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < touches) x[i * stride] += 1.0f;
}

void faults(Demo& demo) {
    if (!demo.part("faults")) return;
    const std::size_t n = std::size_t{64} << 20;  // floats
    float* const x = managed_array(n * sizeof(float));
    demo.table("faults", "one element is touched in each piece of a managed array of 256 MiB on the host",
               {"distance of the touches", 24}, {{"touches"}, {"us", 0}, {"touches_per_ms", 0, 15}});
    for (const std::size_t kib : {4, 16, 64, 256, 2048}) {
        const std::size_t stride = kib * 1024 / sizeof(float), touches = n / stride;
        const double us = median_us(
            demo.repetitions(5), [&] { fill_on_host(x, n); },
            [&] {
                touch<<<static_cast<unsigned>(kit::ceil_div(touches, std::size_t{256})), 256>>>(x, stride,
                                                                                                touches);
                CUDA_CHECK_LAUNCH();
            });
        demo.row(std::to_string(kib) + "k", std::to_string(kib) + " KiB",
                 {static_cast<double>(touches), us, 1000 * static_cast<double>(touches) / us});
    }
    CUDA_CHECK(cudaFree(x));
}

/// Sums every `stride`th element.
__global__ void sum_some(const float* x, std::size_t stride, std::size_t count, float* sum) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(sum, x[i * stride]);
}

void advice(Demo& demo) {
    if (!demo.part("advice")) return;
    constexpr std::size_t n = std::size_t{16} << 20;
    constexpr int rounds = 10;
    kit::DeviceBuffer<float> sum(1);
    demo.table("advice", "10 rounds with 64 MiB: the host changes 16 elements, the kernel reads some",
               {"advice", 32}, {{"few_us", 0}, {"all_us", 0}});
    struct Advice {
        const char *id, *name;
        std::vector<std::pair<cudaMemoryAdvise, cudaMemLocation>> given;
    };
    const std::vector<Advice> all = {
        {"none", "none", {}},
        {"read_mostly", "read mostly", {{cudaMemAdviseSetReadMostly, on_device}}},
        {"accessed_by", "accessed by the device", {{cudaMemAdviseSetAccessedBy, on_device}}},
        {"host",
         "preferred on the host, accessed by",
         {{cudaMemAdviseSetPreferredLocation, on_host}, {cudaMemAdviseSetAccessedBy, on_device}}},
        {"device", "preferred on the device", {{cudaMemAdviseSetPreferredLocation, on_device}}}};
    for (const Advice& one : all) {
        std::vector<kit::demo::Value> times;
        for (const std::size_t stride : {std::size_t{4096}, std::size_t{1}}) {
            float* const x = managed_array(n * sizeof(float));
            for (const auto& [what, where] : one.given)
                CUDA_CHECK(cudaMemAdvise(x, n * sizeof(float), what, where));
            times.push_back(median_us(
                demo.repetitions(5), [&] { fill_on_host(x, n); },
                [&] {
                    for (int round = 0; round < rounds; ++round) {
                        for (std::size_t i = 0; i < 16; ++i) x[i * (n / 16)] += 1.0f;
                        sum_some<<<static_cast<unsigned>(kit::ceil_div(n / stride, std::size_t{256})), 256>>>(
                            x, stride, n / stride, sum.data());
                        CUDA_CHECK_LAUNCH();
                        CUDA_CHECK(cudaDeviceSynchronize());
                    }
                }));
            CUDA_CHECK(cudaFree(x));
        }
        demo.row(one.id, one.name, times);
    }
}

/// Leaves about this much memory of the device free.
class Ballast {
  public:
    explicit Ballast(std::size_t keep) {
        std::size_t left = 0, total = 0;
        CUDA_CHECK(cudaMemGetInfo(&left, &total));
        if (left > keep) CUDA_CHECK(cudaMalloc(&memory_, left - keep));
    }
    ~Ballast() { cudaFree(memory_); }
    Ballast(const Ballast&) = delete;
    Ballast& operator=(const Ballast&) = delete;

  private:
    char* memory_ = nullptr;
};

void thrash(Demo& demo) {
    if (!demo.part("thrash")) return;
    constexpr int steps = 4;
    const Ballast ballast(std::size_t{512} << 20);
    std::size_t left = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&left, &total));
    demo.table("thrash", "4 steps for an array, with 512 MiB of the device free", {"array, order", 32},
               {{"mib", 0}, {"us", 0}, {"gb_per_s", 2}});
    for (const double ratio : {0.5, 0.9, 1.1, 1.5, 2.0}) {
        const std::size_t n =
            static_cast<std::size_t>(ratio * static_cast<double>(left)) / sizeof(unsigned) / 1024 * 1024;
        unsigned* x = nullptr;
        CUDA_CHECK(cudaMallocManaged(&x, n * sizeof(unsigned)));
        const auto before = [&] { std::fill(x, x + n, 1u); };
        const auto row = [&](const char* id, const char* name, std::size_t window) {
            const double us = median_us(demo.repetitions(3), before,
                                        [&] { unified_memory::iterate(x, n, steps, 3, 1, window); });
            demo.row(id + std::to_string(static_cast<int>(ratio * 10)),
                     std::to_string(ratio).substr(0, 3) + " of it, " + name,
                     {static_cast<double>(n * sizeof(unsigned)) / kMiB, us,
                      2.0 * static_cast<double>(n * sizeof(unsigned)) / (us * 1000)});
        };
        const auto whole = [&] {
            for (int step = 0; step < steps; ++step) launch_add(reinterpret_cast<float*>(x), n);
        };
        const double us = median_us(demo.repetitions(3), before, whole);
        demo.row("whole" + std::to_string(static_cast<int>(ratio * 10)),
                 std::to_string(ratio).substr(0, 3) + " of it, step after step",
                 {static_cast<double>(n * sizeof(unsigned)) / kMiB, us,
                  2.0 * static_cast<double>(n * sizeof(unsigned)) / (us * 1000)});
        row("window", "windows", left / 3 / sizeof(unsigned) / 1024 * 1024);
        CUDA_CHECK(cudaFree(x));
    }
}

void sides(Demo& demo) {
    if (!demo.part("sides")) return;
    constexpr std::size_t n = std::size_t{16} << 20;
    constexpr int rounds = 4;
    float* const x = managed_array(n * sizeof(float));
    demo.table("sides", "4 rounds with 64 MiB: the kernel changes all elements, the host a part of them",
               {"part that the host changes", 28}, {{"us", 0}});
    for (const std::size_t part : {1, 4, 16, 256, 4096}) {
        const double us = median_us(
            demo.repetitions(3), [&] { fill_on_host(x, n); },
            [&] {
                for (int round = 0; round < rounds; ++round) {
                    launch_add(x, n);
                    CUDA_CHECK(cudaDeviceSynchronize());
                    for (std::size_t i = 0; i < n / part; ++i) x[i] += 1.0f;
                }
            });
        demo.row("part" + std::to_string(part), part == 1 ? "all" : "1/" + std::to_string(part), {us});
    }
    CUDA_CHECK(cudaFree(x));
}

#endif

}  // namespace

int main(int argc, char** argv) {
#ifdef KIT_CPU
    Demo demo(
        {"22_unified_memory", "pages of managed memory that move", 1 << 26, 1 << 16, 1 << 28, {}, {"pages"}},
        argc, argv);
    pages(demo);
#else
    Demo demo({"22_unified_memory",
               "managed memory: page faults, prefetches, copies",
               1 << 26,
               1 << 16,
               1 << 28,
               {},
               {"ways", "faults", "advice", "thrash", "sides"}},
              argc, argv);
    time_ways(demo);
    faults(demo);
    advice(demo);
    thrash(demo);
    sides(demo);
#endif
    return demo.finish();
}
