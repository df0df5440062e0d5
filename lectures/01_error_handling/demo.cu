// Demo of 01_error_handling: which call reports each error, what a check costs, what a sticky error does.
//
// Build: cmake --build --preset demo -t demo.01_error_handling
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon lectures/01_error_handling/demo.cu common/roofs.cu
//            common/demo/*.cu -o demo
// Run:   build/course/demo/01_error_handling [--help]
//
//   who_tells   mistakes, and what the call, cudaGetLastError and a synchronization report for each
//   cost_*      time per launch with no check, cudaGetLastError or a synchronization (CPU executor: counts)
//   null_write  what a null write is reported as, and what works after it (last: the context is lost)

#include <string>
#include <vector>

#include "demo.hpp"
#include "kit.cuh"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

__global__ void do_nothing() {}

__global__ void store(int* where) {
    *where = 1;
}

/// Keeps one thread busy for `cycles` clock cycles.
__global__ void busy(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

std::string name(cudaError_t error) {
    return cudaGetErrorName(error);
}

// ---- who tells ----

void who_tells(Demo& demo) {
    demo.table("who_tells", "1. Who tells?", {"mistake", 22},
               {{"call", 0, 25}, {"last_error", 0, 25}, {"synchronisation", 0, 15}});
    void* memory = nullptr;
    const std::string call = name(cudaMalloc(&memory, std::size_t{1} << 50));
    const std::string last_error = name(cudaGetLastError());
    demo.row("allocation", "allocate 2^50 bytes", {call, last_error, name(cudaDeviceSynchronize())});
    const auto after_launch = [&](const char* id, const char* what, auto launch) {
        launch();
        const std::string told = name(cudaGetLastError());
        demo.row(id, what, {"(returns nothing)", told, name(cudaDeviceSynchronize())});
    };
    int threads = 1025, none = 0;  // not constants: a compiler may object to constants
    after_launch("threads", "1025 threads per block", [&] { do_nothing<<<1, threads>>>(); });
    after_launch("no_blocks", "no blocks", [&] { do_nothing<<<none, 32>>>(); });
    after_launch("shared_memory", "1 MiB of shared memory", [&] { do_nothing<<<1, 32, 1 << 20>>>(); });
}

// ---- what checking costs ----

/// The same launches in three versions: unchecked, with cudaGetLastError, with a synchronization after each.
std::vector<Version> checks(long long cycles, bool with_last_error) {
    const auto version = [cycles](const char* id, const char* name, const char* change, auto check) {
        return Version{id, name, change, [cycles, check](long long launches) {
                           for (long long i = 0; i < launches; ++i) {
                               if (cycles == 0) {
                                   do_nothing<<<1, 32>>>();
                               } else {
                                   busy<<<1, 1>>>(cycles);
                               }
                               check();
                           }
                       }};
    };
    std::vector<Version> all = {
        version("none", "no check", "The host goes on at once: launches queue up.", [] {})};
    if (with_last_error)
        all.push_back(version("get", "cudaGetLastError", "Reads what the runtime knows already.",
                              [] { CUDA_CHECK(cudaGetLastError()); }));
    all.push_back(
        version("wait", "cudaDeviceSynchronize", "The host waits, and the device waits for the host.", [] {
            CUDA_CHECK(cudaGetLastError());
            CUDA_CHECK(cudaDeviceSynchronize());
        }));
    return all;
}

void costs(Demo& demo) {
    int khz = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    Work work;
    work.host_clock = true;
    work.piece = "launch";
    work.n = 500;
    demo.ladder("cost_empty", "2. What does checking cost? 500 empty kernels", work, checks(0, true));
#ifndef KIT_CPU
    work.n = 50;
    for (const int us : {10, 100, 1000}) {
        demo.ladder("cost_" + std::to_string(us) + "_us", "50 kernels of " + std::to_string(us) + " us", work,
                    checks(us * (khz / 1000ll), false));
    }
#endif
}

// ---- a sticky error ----

void null_write(Demo& demo) {
    demo.table("null_write", "3. A kernel stores to a null pointer. Then:", "asked", {{"answer", 0, 23}});
    void* memory = nullptr;
    int* null = nullptr;
    const auto ask = [&](const char* id, const char* question, cudaError_t answer) {
        demo.row(id, question, {name(answer)});
    };
    store<<<1, 1>>>(null);
    ask("at_once", "cudaGetLastError, at once", cudaGetLastError());
    ask("synchronise", "cudaDeviceSynchronize", cudaDeviceSynchronize());
    ask("synchronise_again", "cudaDeviceSynchronize again", cudaDeviceSynchronize());
    ask("peek", "cudaPeekAtLastError", cudaPeekAtLastError());
    ask("get", "cudaGetLastError", cudaGetLastError());
    ask("get_again", "cudaGetLastError again", cudaGetLastError());
    ask("allocate", "cudaMalloc", cudaMalloc(&memory, 1024));
    do_nothing<<<1, 1>>>();
    ask("launch", "cudaGetLastError after a launch", cudaGetLastError());
    ask("reset", "cudaDeviceReset", cudaDeviceReset());
    ask("get_after_reset", "cudaGetLastError after the reset", cudaGetLastError());
    ask("allocate_after_reset", "cudaMalloc after the reset", cudaMalloc(&memory, 1024));
    demo.say("the text of the error: %s", cudaGetErrorString(cudaErrorIllegalAddress));
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"01_error_handling",
               "where each error is told, and what asking costs",
               0,
               0,
               0,
               {},
               {"who_tells", "cost_empty", "cost_10_us", "cost_100_us", "cost_1000_us", "null_write"}},
              argc, argv);
    if (demo.part("who_tells")) who_tells(demo);
    costs(demo);
    if (demo.part("null_write")) null_write(demo);
    return demo.finish();
}
