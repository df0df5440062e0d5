// Grades 02_occupancy/calculator with each limit alone, on several devices, and against the runtime's answers.
#include <functional>

#include "02_occupancy/devices.hpp"

namespace {

using namespace occupancy_test;
using occupancy::Multiprocessor;
using occupancy::Needs;
using occupancy::Residency;

struct Named {
    const char* name;
    Multiprocessor has;
};

// The last device does not exist, because the rules must hold for any numbers.
const Named known[] = {
    {"T4", {32, 16, 65536, 256, 65536, 256, 0, 1024}},
    {"A100", {64, 32, 65536, 256, 167936, 128, 1024, 1024}},
    {"H200", {64, 32, 65536, 256, 233472, 128, 1024, 1024}},
    {"a made-up device", {48, 24, 49152, 512, 100000, 1000, 300, 768}},
};

/// Fills the multiprocessor block by block, and for registers warp by warp.
Residency reference(const Multiprocessor& m, const Needs& needs) {
    Residency r = {};
    int warps = 0;
    for (int t = 0; t < needs.threads; t += 32) ++warps;
    r.by_blocks = m.blocks;
    if (needs.threads <= m.threads_per_block)
        for (int left = m.warps; left >= warps; left -= warps) ++r.by_warps;

    int per_warp = 0;
    while (per_warp < 32 * needs.registers) per_warp += m.register_unit;
    int warps_of_quarter = 0;
    for (int left = m.registers / 4; left >= per_warp; left -= per_warp) ++warps_of_quarter;
    for (int left = 4 * warps_of_quarter; left >= warps; left -= warps) ++r.by_registers;

    int per_block = 0;
    while (per_block < needs.shared + m.shared_reserved) per_block += m.shared_unit;
    if (per_block == 0) r.by_shared = r.by_blocks;
    for (int left = m.shared; per_block > 0 && left >= per_block; left -= per_block) ++r.by_shared;

    r.blocks = r.by_warps;
    for (int limit : {r.by_blocks, r.by_registers, r.by_shared})
        if (limit < r.blocks) r.blocks = limit;
    r.occupancy = double(r.blocks) * warps / m.warps;
    return r;
}

std::string describe(const Needs& needs) {
    return kit::count_of(needs.registers, "register") + " per thread, " +
           kit::count_of(needs.shared, "byte") + " of shared memory, " +
           kit::count_of(needs.threads, "thread") + " per block";
}

using Field = int Residency::*;

/// Compares one field for many launches, and reports the first mismatch.
void expect_field(kit::Case& test, const Named& device, const std::vector<Needs>& all, const char* name,
                  Field field, int task) {
    for (const Needs& needs : all) {
        const int got = kit::detail::passed(name, occupancy::residency(device.has, needs).*field);
        const int want = reference(device.has, needs).*field;
        test.check(got == want,
                   std::string(name) + " is " + std::to_string(got) + ", expected " + std::to_string(want) +
                       " for " + device.name + ", " + describe(needs) +
                       ": compute it by hand for this kernel, and compare each step with your code" +
                       kit::task(task));
        if (got != want) return;
    }
}

std::vector<Needs> many(kit::Random& random) {
    std::vector<Needs> all;
    for (int registers : {1, 16, 17, 24, 32, 33, 40, 41, 64, 65, 72, 96, 128, 129, 168, 255})
        for (int threads :
             {1, 31, 32, 33, 64, 96, 100, 128, 160, 192, 256, 352, 512, 544, 768, 1000, 1024, 1025})
            for (int shared : {0, 1, 128, 1000, 3000, 10000, 30000, 49152, 100000, 232448})
                all.push_back({registers, shared, threads});
    for (int i = 0; i < 500; ++i)
        all.push_back({static_cast<int>(random.integer(1, 255)), static_cast<int>(random.integer(0, 120000)),
                       static_cast<int>(random.integer(1, 1100))});
    return all;
}

void expect_occupancy(kit::Case& test, const Named& device) {
    for (const Needs& needs : many(test.random())) {
        const double got =
            kit::detail::passed("occupancy", occupancy::residency(device.has, needs).occupancy);
        const double want = reference(device.has, needs).occupancy;
        const bool near = got - want < 1e-12 && want - got < 1e-12;
        test.check(near, "occupancy is " + std::to_string(got) + ", expected " + std::to_string(want) +
                             " for " + device.name + ", " + describe(needs) +
                             ": compute it by hand for this kernel, and compare each step with your code" +
                             kit::task(4));
        if (!near) return;
    }
}

/// A kernel that keeps LIVE values at the same time, so that it needs about LIVE registers, and has STATIC bytes of shared memory.
template <int LIVE, int STATIC>
__global__ void hold(const float* in, float* out, int n) {
    float value[LIVE];
#pragma unroll
    for (int i = 0; i < LIVE; ++i) value[i] = in[i * n + threadIdx.x];
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < LIVE; ++i) value[i] = value[i] * value[(i + 1) % LIVE] + in[k];
    }
    __shared__ float fixed[STATIC / 4];
    fixed[threadIdx.x % (STATIC / 4)] = value[n % LIVE];
    __syncthreads();
    out[threadIdx.x] = fixed[n % (STATIC / 4)];
}

/// Compares the runtime's answer for this kernel with the student's function for the kernel's registers and shared memory.
void compare_with_runtime(kit::Case& test, const void* kernel, const std::string& device,
                          [[maybe_unused]] int registers) {
    const CurrentDevice current(device);
#ifdef KIT_CPU
    kit::cpu::assume_registers(kernel, registers);
#endif
    cudaFuncAttributes facts;
    test.cuda(cudaFuncGetAttributes(&facts, kernel));
    const int most = grant_all_shared(test, kernel);
    const Multiprocessor has = multiprocessor(test);
    for (int threads : {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1000, 1024}) {
        if (threads > facts.maxThreadsPerBlock) continue;
        for (int dynamic : {0, 100, 2000, 9000, 24000, 40000, most}) {
            int want = 0;
            test.cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&want, kernel, threads, dynamic));
            const Needs needs = {facts.numRegs, static_cast<int>(facts.sharedSizeBytes) + dynamic, threads};
            const int got = kit::detail::passed("blocks", occupancy::residency(has, needs).blocks);
            test.check(got == want, "blocks is " + std::to_string(got) + ", but the runtime reports " +
                                        std::to_string(want) + " for " + properties(test).name + ", " +
                                        describe(needs) + ": check how each limit is rounded");
            if (got != want) return;
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("02_occupancy", "calculator", argc, argv);
    grader.host_may_compute();
    const struct {
        const char* name;
        Field field;
        int task;
    } fields[] = {{"by_warps", &Residency::by_warps, 1},
                  {"by_blocks", &Residency::by_blocks, 1},
                  {"by_registers", &Residency::by_registers, 2},
                  {"by_shared", &Residency::by_shared, 3},
                  {"blocks", &Residency::blocks, 4}};
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::crash));  // a division by zero on the host
    for (const auto& field : fields) {
        for (const Named& device : known) {
            grader.add(std::string(field.name) + ", " + device.name, [=](kit::Case& test) {
                expect_field(test, device, many(test.random()), field.name, field.field, field.task);
            });
        }
    }
    for (const Named& device : known)
        grader.add(std::string("occupancy, ") + device.name,
                   [=](kit::Case& test) { expect_occupancy(test, device); });
    for (const std::string& device : devices()) {
        grader.add("the runtime's answers, " + device, [=](kit::Case& test) {
            compare_with_runtime(test, reinterpret_cast<const void*>(hold<4, 1024>), device, 20);
            compare_with_runtime(test, reinterpret_cast<const void*>(hold<20, 400>), device, 36);
            compare_with_runtime(test, reinterpret_cast<const void*>(hold<40, 5000>), device, 54);
            compare_with_runtime(test, reinterpret_cast<const void*>(hold<90, 64>), device, 106);
            compare_with_runtime(test, reinterpret_cast<const void*>(hold<180, 20000>), device, 208);
        });
    }
    return grader.run();
}
