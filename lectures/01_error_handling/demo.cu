// Demo of 01_error_handling: where each error is told, what a sticky one does, and what asking costs.
//
// Build: cmake --build --preset demo -t demo.01_error_handling
//        or: nvcc -std=c++17 -O3 -Icommon lectures/01_error_handling/demo.cu -o demo
// Run:   ./demo [--json FILE]
//
//   1  who tells: five mistakes, and what the call, cudaGetLastError and a synchronisation say about each
//   2  what checking costs per launch: nothing, cudaGetLastError, a synchronisation (times; CPU: counts)
//   3  what a null write is reported as, and what works after it (last, because the context does not survive)

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

__global__ void do_nothing() {}

__global__ void store(int* where) {
    *where = 1;
}

// Keeps one thread busy for so many clock cycles.
__global__ void busy(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

std::string name(cudaError_t error) {
    return cudaGetErrorName(error);
}

struct Mistake {
    std::string what, call, last_error, synchronisation;
};

// ---- 1: who tells ----

template <class Launch>
Mistake after_launch(const std::string& what, Launch launch) {
    launch();
    std::string last_error = name(cudaGetLastError());
    return {what, "(returns nothing)", last_error, name(cudaDeviceSynchronize())};
}

std::vector<Mistake> who_tells() {
    std::vector<Mistake> rows;
    void* memory = nullptr;
    std::string call = name(cudaMalloc(&memory, std::size_t{1} << 50));
    std::string last_error = name(cudaGetLastError());
    rows.push_back({"allocate 2^50 bytes", call, last_error, name(cudaDeviceSynchronize())});
    int threads = 1025, none = 0;  // not constants: a compiler may object to constants
    rows.push_back(after_launch("1025 threads per block", [&] { do_nothing<<<1, threads>>>(); }));
    rows.push_back(after_launch("no blocks", [&] { do_nothing<<<none, 32>>>(); }));
    rows.push_back(after_launch("1 MiB of shared memory", [&] { do_nothing<<<1, 32, 1 << 20>>>(); }));
    return rows;
}

// ---- 2: what checking costs ----

enum class Check { none, last_error, synchronise };

struct Cost {
    std::string kernel, check;
    double us_per_launch;
    unsigned long long synchronisations;  // as the executor counts them; 0 on a GPU
    int launches, repetitions;
};

std::string device_name(const cudaDeviceProp& device) {
#ifdef KIT_CPU
    return std::string("CPU executor as ") + device.name;
#else
    return device.name;
#endif
}

// What a time needs besides itself: the machine, the versions of CUDA, the date. The executor's counts need none.
std::string facts_of_the_run() {
#ifdef KIT_CPU
    return "";
#else
    int multiprocessors = 0, driver = 0, runtime = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    char date[32];
    std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return "\n  \"multiprocessors\": " + std::to_string(multiprocessors) +
           ", \"driver_cuda\": " + std::to_string(driver) + ", \"runtime_cuda\": " + std::to_string(runtime) +
           ", \"date\": \"" + date + "\",";
#endif
}

unsigned long long executed_synchronisations() {
#ifdef KIT_CPU
    return kit::cpu::counters().synchronizations;
#else
    return 0;
#endif
}

// Median over 21 runs of `launches` launches and one synchronisation at the end, in microseconds per launch.
Cost cost(const std::string& kernel, long long cycles, Check check, int launches) {
    const char* names[] = {"none", "cudaGetLastError", "cudaDeviceSynchronize"};
    std::vector<double> times;
    unsigned long long before = executed_synchronisations();
    const int runs = 21;
    for (int run = -2; run < runs; ++run) {
        if (run == 0) before = executed_synchronisations();
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < launches; ++i) {
            if (cycles == 0) {
                do_nothing<<<1, 32>>>();
            } else {
                busy<<<1, 1>>>(cycles);
            }
            if (check != Check::none) CUDA_CHECK(cudaGetLastError());
            if (check == Check::synchronise) CUDA_CHECK(cudaDeviceSynchronize());
        }
        CUDA_CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        if (run >= 0) times.push_back(time.count() / launches);
    }
    std::sort(times.begin(), times.end());
#ifdef KIT_CPU
    times.assign(1, 0.0);  // the executor counts; its times say nothing about a GPU
#endif
    return {kernel,
            names[static_cast<int>(check)],
            times[times.size() / 2],
            (executed_synchronisations() - before) / runs,
            launches,
            runs};
}

std::vector<Cost> costs(int cycles_per_us) {
    std::vector<Cost> rows;
    for (Check check : {Check::none, Check::last_error, Check::synchronise}) {
        rows.push_back(cost("empty", 0, check, 500));
    }
#ifndef KIT_CPU
    for (int us : {10, 100, 1000}) {
        for (Check check : {Check::none, Check::synchronise}) {
            rows.push_back(
                cost(std::to_string(us) + " us", us * static_cast<long long>(cycles_per_us), check, 50));
        }
    }
#else
    (void)cycles_per_us;
#endif
    return rows;
}

// ---- 3: a sticky error ----

std::vector<std::pair<std::string, std::string>> null_write() {
    std::vector<std::pair<std::string, std::string>> said;
    void* memory = nullptr;
    int* null = nullptr;
    auto ask = [&](const char* question, cudaError_t answer) { said.emplace_back(question, name(answer)); };
    store<<<1, 1>>>(null);
    ask("cudaGetLastError, at once", cudaGetLastError());
    ask("cudaDeviceSynchronize", cudaDeviceSynchronize());
    ask("cudaDeviceSynchronize again", cudaDeviceSynchronize());
    ask("cudaPeekAtLastError", cudaPeekAtLastError());
    ask("cudaGetLastError", cudaGetLastError());
    ask("cudaGetLastError again", cudaGetLastError());
    ask("cudaMalloc", cudaMalloc(&memory, 1024));
    do_nothing<<<1, 1>>>();
    ask("cudaGetLastError after another launch", cudaGetLastError());
    ask("cudaDeviceReset", cudaDeviceReset());
    ask("cudaGetLastError after the reset", cudaGetLastError());
    ask("cudaMalloc after the reset", cudaMalloc(&memory, 1024));
    return said;
}

}  // namespace

int main(int argc, char** argv) {
    const char* json = argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr;
    if (argc > 1 && json == nullptr) {
        std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
        return 2;
    }
    std::FILE* out = json != nullptr ? std::fopen(json, "w") : nullptr;
    if (json != nullptr && out == nullptr) {
        std::fprintf(stderr, "cannot write %s\n", json);
        return 1;
    }
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    int khz = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    std::printf("01_error_handling   %s\n", device_name(device).c_str());

    std::string facts = facts_of_the_run();  // now: after part 3 the device may not answer
    std::vector<Mistake> mistakes = who_tells();
    std::printf("\n1. Who tells?\n%-24s %-30s %-30s %s\n", "mistake", "the call itself", "cudaGetLastError",
                "cudaDeviceSynchronize");
    for (const Mistake& row : mistakes) {
        std::printf("%-24s %-30s %-30s %s\n", row.what.c_str(), row.call.c_str(), row.last_error.c_str(),
                    row.synchronisation.c_str());
    }

    std::vector<Cost> measured = costs(khz / 1000);
#ifdef KIT_CPU
    std::printf("\n2. What does checking cost?\n%-10s %-24s %16s\n", "kernel", "check", "waits per run");
    for (const Cost& row : measured) {
        std::printf("%-10s %-24s %16llu\n", row.kernel.c_str(), row.check.c_str(), row.synchronisations);
    }
#else
    std::printf("\n2. What does checking cost?\n%-10s %-24s %14s\n", "kernel", "check", "us per launch");
    for (const Cost& row : measured) {
        std::printf("%-10s %-24s %14.2f\n", row.kernel.c_str(), row.check.c_str(), row.us_per_launch);
    }
#endif

    std::printf("\n3. A kernel stores to a null pointer. Then:\n");
    auto said = null_write();
    for (const auto& [question, answer] : said) std::printf("%-40s %s\n", question.c_str(), answer.c_str());
    std::printf("the text of the error: %s\n", cudaGetErrorString(cudaErrorIllegalAddress));

    if (out == nullptr) return 0;
    std::fprintf(out, "{\n  \"topic\": \"01_error_handling\", \"device\": \"%s\",%s\n  \"mistakes\": [",
                 device_name(device).c_str(), facts.c_str());
    const char* separator = "\n";
    for (const Mistake& row : mistakes) {
        std::fprintf(out,
                     "%s    {\"mistake\": \"%s\", \"call\": \"%s\", \"last_error\": \"%s\", "
                     "\"synchronisation\": \"%s\"}",
                     separator, row.what.c_str(), row.call.c_str(), row.last_error.c_str(),
                     row.synchronisation.c_str());
        separator = ",\n";
    }
    std::fprintf(out, "\n  ],\n  \"costs\": [");
    separator = "\n";
    for (const Cost& row : measured) {
        std::fprintf(out,
                     "%s    {\"kernel\": \"%s\", \"check\": \"%s\", \"us_per_launch\": %.3f, "
                     "\"synchronisations\": %llu, \"launches\": %d, \"repetitions\": %d}",
                     separator, row.kernel.c_str(), row.check.c_str(), row.us_per_launch,
                     row.synchronisations, row.launches, row.repetitions);
        separator = ",\n";
    }
    std::fprintf(out, "\n  ],\n  \"null_write\": [");
    separator = "\n";
    for (const auto& [question, answer] : said) {
        std::fprintf(out, "%s    {\"asked\": \"%s\", \"answer\": \"%s\"}", separator, question.c_str(),
                     answer.c_str());
        separator = ",\n";
    }
    std::fprintf(out, "\n  ]\n}\n");
    std::fclose(out);
    return 0;
}
