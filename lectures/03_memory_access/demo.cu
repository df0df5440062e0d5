// Demo of 03_memory_access: sectors predicted, and what they cost. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.03_memory_access
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/03_memory_access/demo.cu
//            solutions/03_memory_access/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/03_memory_access [--help]
//
//   cases        the accesses of section 2, launched once each, for a profiler
//   rows         v2 one thread per row, v3 neighbours           particles   v4 structures, v5 arrays
//   wide         v6 4 bytes per access, v7 16 bytes
//   strides, offsets, widths, indexed: reading by different rules: the measured time, and sectors x 32 bytes
//   columns, tall, stores, fetch, passes: the effect of the caches
//
//   counted      on the CPU executor: sectors per request of v2 to v7
//
// On the CPU executor the tables have sectors, predicted and counted, but no times, because these would say nothing about a GPU.

#include <string>
#include <vector>

#include "patterns.cuh"
#include "versions.hpp"

namespace {

using kit::demo::Column;
using namespace memory_access_demo;
using namespace patterns;

/// Sectors of a request, or the ideal, by the solution of the first exercise: the mean over some full warps.
template <class Rule>
double per_request(Rule rule, int bytes, int (*of)(const memory_access::Request&)) {
    double all = 0;
    constexpr int warps = 64;
    for (std::size_t warp = 0; warp < warps; ++warp) {
        memory_access::Request request = {};
        request.bytes = bytes;
        for (std::size_t l = 0; l < 32; ++l) {
            request.active[l] = true;
            request.address[l] = rule(warp * 32 + l) * static_cast<std::size_t>(bytes);
        }
        all += of(request);
    }
    return all / warps;
}

template <class Rule>
double sectors_per_request(Rule rule, int bytes) {
    return per_request(rule, bytes, memory_access::sectors);
}

#ifndef KIT_CPU
/// The time in which a device copy moves the bytes of all sectors.
double predicted_us(double sectors_per_request, std::size_t threads) {
    return static_cast<double>(threads) / 32 * sectors_per_request * 32 / kit::copy_gb_per_s() / 1e3;
}
#endif

/// One launch of each access of section 2. On a GPU, look at it with a profiler. The executor counts.
class Cases {
  public:
    explicit Cases(Demo& demo) : demo_(demo), in_(8 * kCaseThreads + 64), out_(1) {
        in_.clear();
        out_.clear();
    }

    template <class T, class Rule>
    void row(const std::string& id, const std::string& label, Rule rule) {
        const auto launch = [&] {
            one_access<T><<<kCaseThreads / kThreads, kThreads>>>(reinterpret_cast<const T*>(in_.data()), rule,
                                                                 out_.data());
            CUDA_CHECK_LAUNCH();
            CUDA_CHECK(cudaDeviceSynchronize());
        };
        const double requests = kCaseThreads / 32.0, sectors = sectors_per_request(rule, sizeof(T));
        std::vector<kit::demo::Value> values = {requests, requests * sectors, sectors};
#ifdef KIT_CPU
        const Counted c = counted(launch);
        for (const std::uint64_t count : {c.loads.requests, c.loads.units, c.loads.ideal})
            values.push_back(static_cast<double>(count));
#else
        launch();
#endif
        demo_.row(id, label, values);
    }

  private:
    static constexpr std::size_t kCaseThreads = 1 << 14;

    Demo& demo_;
    kit::DeviceBuffer<float> in_;
    kit::DeviceBuffer<float> out_;
};

void cases(Demo& demo) {
    if (!demo.part("cases")) return;
    std::vector<Column> columns = {{"requests", 0, 8}, {"sectors", 0, 7}, {"per_request", 1, 7}};
#ifdef KIT_CPU
    for (const char* field : {"counted_requests", "counted_sectors", "counted_ideal"})
        columns.push_back({field, 0, 8});
#endif
    demo.table("cases", "one access per thread, predicted: compare it with a profiler", {"access", 26},
               columns);
    Cases cases(demo);
    cases.row<float>("bytes_4", "4 bytes", Strided{0, 1});
    cases.row<char>("bytes_1", "1 byte", Strided{0, 1});
    cases.row<double>("bytes_8", "8 bytes", Strided{0, 1});
    cases.row<float4>("bytes_16", "16 bytes", Strided{0, 1});
    cases.row<float>("shifted", "shifted by one float", Strided{1, 1});
    cases.row<float>("stride_2", "every second float", Strided{0, 2});
    cases.row<float>("permuted", "permuted within the warp", Permuted{});
    cases.row<float>("alike", "all lanes the same float", Alike{});
    cases.row<float>("indexed", "indexed", Indexed{});
}

/// The columns that all tables of accesses share. The executor measures no times.
std::vector<Column> columns_of_accesses() {
#ifdef KIT_CPU
    return {{"sectors", 2}, {"ideal", 2}};
#else
    return {{"sectors", 2}, {"ideal", 2}, {"us", 1}, {"predicted_us", 1}, {"gb_per_s"}, {"of_copy", 2}};
#endif
}

/// The rows of one table. The predicted time is that of a device copy that moves all bytes of the sectors.
template <class T>
class Accesses {
  public:
    Accesses(Demo& demo, const T* in, std::size_t n, float* out) : demo_(demo), in_(in), n_(n), out_(out) {}

    template <class Rule>
    void row(const std::string& id, const std::string& label, Rule rule) {
        const double sectors = sectors_per_request(rule, sizeof(T));
        const double ideal = per_request(rule, sizeof(T), memory_access::ideal);
#ifdef KIT_CPU
        (void)in_, (void)out_;
        demo_.row(id, label, {sectors, ideal});
#else
        int processors = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
        const double us =
            1000 * kit::time([&] { gather<T><<<processors * 8, kThreads>>>(in_, n_, rule, out_); }).median_ms;
        CUDA_CHECK_LAUNCH();
        const double predicted = predicted_us(sectors, n_);
        const double rate = static_cast<double>(n_) * sizeof(T) / us / 1e3;
        demo_.row(id, label, {sectors, ideal, us, predicted, rate, rate / kit::copy_gb_per_s()});
#endif
    }

  private:
    Demo& demo_;
    const T* in_;
    std::size_t n_;
    float* out_;
};

void strides_and_offsets(Demo& demo, const float* in, std::size_t n, float* out) {
    const std::string what = "reading " + std::to_string(n) + " floats: ";
    if (demo.part("strides")) {
#ifndef KIT_CPU
        kit::time([&] {
            gather<float><<<132 * 8, kThreads>>>(in, n, Strided{0, 1}, out);
        });  // wakes the device up
#endif
        demo.table("strides", what + "thread i reads element i * stride", {"stride", 16},
                   columns_of_accesses());
        Accesses<float> accesses(demo, in, n, out);
        for (const std::size_t stride : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32})
            accesses.row("s" + std::to_string(stride), std::to_string(stride), Strided{0, stride});
    }
    if (demo.part("offsets")) {
        demo.table("offsets", what + "thread i reads element i + offset", {"offset", 16},
                   columns_of_accesses());
        Accesses<float> accesses(demo, in, n, out);
        for (const std::size_t offset : {0, 1, 2, 3, 4, 7, 8, 16, 31})
            accesses.row("o" + std::to_string(offset), std::to_string(offset), Strided{offset, 1});
    }
    if (demo.part("indexed")) {
        demo.table("indexed", what + "in another order", {"order", 34}, columns_of_accesses());
        Accesses<float> accesses(demo, in, n, out);
        accesses.row("in_order", "in order", Strided{0, 1});
        accesses.row("permuted", "permuted within the warp", Permuted{});
        accesses.row("groups_8", "groups of 8, scattered", Scattered{n, 8});
        accesses.row("groups_4", "groups of 4, scattered", Scattered{n, 4});
        accesses.row("groups_2", "groups of 2, scattered", Scattered{n, 2});
        accesses.row("scattered", "every float elsewhere", Scattered{n, 1});
        accesses.row("alike", "all lanes the same", Alike{});
    }
}

template <class T>
void width(Demo& demo, const float* in, std::size_t n, float* out) {
    Accesses<T> accesses(demo, reinterpret_cast<const T*>(in), n, out);
    const std::string bytes = std::to_string(sizeof(T));
    accesses.row("b" + bytes, bytes + (bytes == "1" ? " byte" : " bytes"), Strided{0, 1});
    accesses.row("b" + bytes + "_shifted", "the same, shifted by one", Strided{1, 1});
}

void widths(Demo& demo, const float* in, std::size_t n, float* out) {
    if (!demo.part("widths")) return;
    demo.table("widths", "reading " + std::to_string(n) + " elements side by side", {"bytes per lane", 26},
               columns_of_accesses());
    width<char>(demo, in, n, out);
    width<short>(demo, in, n, out);
    width<float>(demo, in, n, out);
    width<float2>(demo, in, n, out);
    width<float4>(demo, in, n, out);
}

#ifndef KIT_CPU

void stores(Demo& demo, float* out, std::size_t n) {
    if (!demo.part("stores")) return;
    demo.table("stores",
               "writing " + std::to_string(n) + " floats: thread i writes element offset + i * stride",
               {"offset, stride", 16}, {{"sectors", 2}, {"us", 1}, {"predicted_us", 1}, {"gb_per_s"}});
    for (const Strided rule : {Strided{0, 1}, Strided{1, 1}, Strided{4, 1}, Strided{0, 2}, Strided{0, 4},
                               Strided{0, 8}, Strided{0, 16}, Strided{0, 32}}) {
        const double sectors = sectors_per_request(rule, 4);
        const double us = 1000 * kit::time([&] { scatter<<<132 * 8, kThreads>>>(out, n, rule); }).median_ms;
        CUDA_CHECK_LAUNCH();
        const std::string first = std::to_string(rule.first), stride = std::to_string(rule.stride);
        demo.row("o" + first + "_s" + stride, first + ", " + stride,
                 {sectors, us, predicted_us(sectors, n), static_cast<double>(n) * 4 / us / 1e3});
    }
}

/// The effect of a hint to the device: how many bytes L2 fetches if one sector is missing.
void fetch(Demo& demo, const float* in, std::size_t n, float* out) {
    if (!demo.part("fetch")) return;
    std::size_t usual = 0;
    CUDA_CHECK(cudaDeviceGetLimit(&usual, cudaLimitMaxL2FetchGranularity));
    demo.table("fetch",
               "reading with strides, by how much L2 fetches at once (here " + std::to_string(usual) +
                   " bytes unless asked)",
               {"bytes, stride", 16}, {{"bytes"}, {"stride"}, {"us", 1}});
    for (const std::size_t bytes : {32, 64, 128}) {
        CUDA_CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes));
        for (const std::size_t stride : {1, 8, 16, 32}) {
            const double us = 1000 * kit::time([&] {
                                         gather<float><<<132 * 8, kThreads>>>(in, n, Strided{0, stride}, out);
                                     }).median_ms;
            const std::string name = std::to_string(bytes), s = std::to_string(stride);
            demo.row("f" + name + "_s" + s, name + ", " + s,
                     {static_cast<double>(bytes), static_cast<double>(stride), us});
        }
    }
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, usual));
}

/// Reads the same sectors many times: from L2 if they fit, otherwise from memory.
void passes(Demo& demo, const float* in, std::size_t n, float* out) {
    if (!demo.part("passes")) return;
    demo.table("passes", "reading everything once, in `stride` passes that each touch every sector",
               {"array and stride", 22}, {{"mib"}, {"stride"}, {"gb_per_s"}, {"of_one_pass", 2}});
    for (const std::size_t floats : {std::size_t{1} << 22, std::size_t{1} << 23, n}) {
        if (floats > 32 * n) continue;  // `in` is no larger
        double one_pass = 0;
        for (const std::size_t stride : {1, 2, 4, 8}) {
            const int rounds = static_cast<int>(std::max(n / floats, std::size_t{1}));
            kit::TimeOptions options;
            options.cold_l2 = false;
            const double ms =
                kit::time([&] { in_passes<4><<<132 * 8, kThreads>>>(in, floats, stride, rounds, out); }, 0,
                          options)
                    .median_ms;
            const double rate = static_cast<double>(floats) * rounds * 4 / ms / 1e6;
            if (stride == 1) one_pass = rate;
            const double mib = static_cast<double>(floats) * 4 / (1 << 20);
            const std::string size = std::to_string(static_cast<int>(mib)), s = std::to_string(stride);
            demo.row("m" + size + "_s" + s, size + " MiB, stride " + s,
                     {mib, static_cast<double>(stride), rate, rate / one_pass});
        }
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"03_memory_access",
               "sectors predicted, and what they cost",
               1 << 28,
               1 << 16,
               1 << 29,
               {},
               {"cases", "rows", "particles", "wide", "strides", "offsets", "indexed", "widths",
#ifdef KIT_CPU
                "counted"
#else
                "columns", "tall", "stores", "fetch", "passes"
#endif
               }},
              argc, argv);
    cases(demo);
    rows(demo);
    particles(demo);
    wide(demo);
    const std::size_t n = static_cast<std::size_t>(demo.n()) / 4;
#ifdef KIT_CPU
    counted_versions(demo);
    strides_and_offsets(demo, nullptr, n, nullptr);
    widths(demo, nullptr, n, nullptr);
#else
    tall(demo);
    kit::DeviceBuffer<float> in(32 * n + 64), out(1);
    in.clear();
    strides_and_offsets(demo, in.data(), n, out.data());
    widths(demo, in.data(), n, out.data());
    stores(demo, in.data(), n);
    in.clear();
    fetch(demo, in.data(), n, out.data());
    passes(demo, in.data(), n, out.data());
#endif
    return demo.finish();
}
