// Grades 02_occupancy/report: warps and percentages of several kernels, on several devices, and the printed line.
#include <cmath>

#include "02_occupancy/devices.hpp"

namespace {

using namespace occupancy_test;
using occupancy::Report;

__global__ void plain(float* out) {
    out[threadIdx.x] = 1;
}

/// A kernel with 10,000 bytes of static shared memory, which its caller cannot see.
__global__ void with_tile(float* out, int n) {
    __shared__ float tile[2500];
    tile[threadIdx.x] = static_cast<float>(n);
    __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + n) % 2500];
}

__global__ void __launch_bounds__(256) small_blocks(float* out) {
    out[threadIdx.x] = 2;
}

struct Kernel {
    const char* name;
    const void* address;
};
const Kernel kernels[] = {{"plain", reinterpret_cast<const void*>(plain)},
                          {"with_tile", reinterpret_cast<const void*>(with_tile)},
                          {"small_blocks", reinterpret_cast<const void*>(small_blocks)}};

std::string describe(const Kernel& kernel, int block, std::size_t shared) {
    return std::string(kernel.name) + ", " + kit::count_of(block, "thread") + " per block, " +
           kit::count_of(shared, "byte") + " of dynamic shared memory";
}

Report reference(kit::Case& test, const Kernel& kernel, int block, std::size_t shared) {
    int blocks = 0;
    test.cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.address, block, shared));
    const int warps = properties(test).maxThreadsPerMultiProcessor / 32;
    const int active = blocks * ((block + 31) / 32);
    return {active, warps, 100.0 * active / warps};
}

/// Makes the result visible to the judge of a class, see grader/wall.hpp.
Report passed(const Report& report) {
    return {kit::detail::passed("active_warps", report.active_warps),
            kit::detail::passed("maximum_warps", report.maximum_warps),
            kit::detail::passed("percent", report.percent)};
}

/// Returns false after the first mistake.
bool expect(kit::Case& test, const Kernel& kernel, int block, std::size_t shared) {
    const Report got = passed(occupancy::report(kernel.address, block, shared));
    const Report want = reference(test, kernel, block, shared);
    const std::string what = describe(kernel, block, shared);
    const auto equal = [&](const char* name, int a, int b, int task) {
        test.check(a == b, std::string(name) + " is " + std::to_string(a) + ", expected " +
                               std::to_string(b) + " for " + what +
                               ": compute it by hand for this launch, and compare each step with your code" +
                               kit::task(task));
        return a == b;
    };
    if (!equal("maximum_warps", got.maximum_warps, want.maximum_warps, 2)) return false;
    const bool no_warps = got.active_warps != want.active_warps;
    if (no_warps && shared > 0 && got.active_warps == reference(test, kernel, block, 0).active_warps) {
        test.check(false, "active_warps is " + std::to_string(got.active_warps) + ", expected " +
                              std::to_string(want.active_warps) + " for " + what +
                              ": this is the answer without dynamic shared memory, so pass its bytes" +
                              kit::task(1));
        return false;
    }
    for (const int other : {1024, 256}) {
        int blocks = 0;
        test.cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.address, other, shared));
        if (!no_warps || got.active_warps == 0 || got.active_warps != blocks * ((block + 31) / 32)) continue;
        test.check(false, "active_warps is " + std::to_string(got.active_warps) + ", expected " +
                              std::to_string(want.active_warps) + " for " + what +
                              ": this is the number of blocks for " + kit::count_of(other, "thread") +
                              " per block, so pass the caller's number" + kit::task(1));
        return false;
    }
    if (!equal("active_warps", got.active_warps, want.active_warps, 3)) return false;
    const bool near = std::fabs(got.percent - want.percent) < 1e-9;
    test.check(near, "percent is " + std::to_string(got.percent) + ", expected " +
                         std::to_string(want.percent) +
                         (std::floor(want.percent) == got.percent || got.percent == 0
                              ? " (divide in double, because an int divided by an int is an int)"
                              : "") +
                         " for " + what +
                         ": compute it by hand for this launch, and compare each step with your code" +
                         kit::task(3));
    return near;
}

void many(kit::Case& test, const std::string& device) {
    const CurrentDevice current(device);
    const int optin = static_cast<int>(properties(test).sharedMemPerBlockOptin);
    for (const Kernel& kernel : kernels) {
        grant_all_shared(test, kernel.address);
        for (int block : {1, 32, 33, 64, 96, 100, 128, 192, 250, 256, 352, 512, 768, 1000, 1024})
            for (int shared : {0, 1000, 5000, 20000, 48 * 1024, optin})
                if (!expect(test, kernel, block, static_cast<std::size_t>(shared))) return;
    }
#ifdef KIT_CPU
    test.demand("kernels", kit::exactly(kit::cpu::counters().kernels, 0),
                "a kernel ran: query the occupancy from the runtime instead");
#endif
}

std::string printed(const char* name, const Report& report) {
    std::FILE* file = std::tmpfile();
    occupancy::print(file, name, report);
    std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
    std::rewind(file);
    const std::size_t read = std::fread(text.data(), 1, text.size(), file);
    std::fclose(file);
    return text.substr(0, read);
}

void lines(kit::Case& test) {
    const struct {
        const char* name;
        Report report;
        const char* want;
    } all[] = {{"reduce", {48, 64, 75.0}, "reduce: 48 of 64 warps, 75.0%\n"},
               {"scan<256>", {63, 64, 98.4375}, "scan<256>: 63 of 64 warps, 98.4%\n"},
               {"impossible", {0, 32, 0.0}, "impossible: 0 of 32 warps, 0.0%\n"},
               {"full", {32, 32, 100.0}, "full: 32 of 32 warps, 100.0%\n"}};
    for (const auto& one : all) {
        const std::string got = printed(one.name, one.report);
        test.check(got == one.want, "printed \"" + got + "\", expected \"" + std::string(one.want) +
                                        "\": check the format" + kit::task(4));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("02_occupancy", "report", argc, argv);
    grader.host_may_compute();
    for (const std::string& device : devices())
        grader.add("three kernels, " + device, [=](kit::Case& test) { many(test, device); });
    grader.add("the printed line", lines);
    return grader.run();
}
