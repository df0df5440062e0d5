// What the parts of the demo share: sizes and options, and the contest of several versions of one task.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace demo {

#ifdef KIT_CPU
constexpr bool on_gpu = false;
#else
constexpr bool on_gpu = true;
#endif

struct Sizes {
    int points = on_gpu ? 10000000 : 20000;
    int rows = on_gpu ? 100000 : 3000;
    int values = on_gpu ? 1 << 20 : 6000;
    std::string part = "all";
    bool wants(const char* name) const { return part == "all" || part == name; }
};

struct Version {
    std::string name;
    std::function<void()> run;
    std::function<bool()> right = [] { return true; };
    std::function<int()> units = [] { return 1; };  ///< launches, rounds, levels: what the time is divided by
};

inline std::FILE* json = nullptr;
inline const char* separator = "";

/// Runs the versions of one contest, prints a line for each, and writes it to the file.
inline void compare(const char* part, const std::string& what, const char* unit,
                    const std::vector<Version>& versions, int repetitions = 21) {
    std::printf("\n%s: %s\n", part, what.c_str());
    double first = 0;
    for (const Version& version : versions) {
#ifdef KIT_CPU
        (void)unit, (void)repetitions, (void)first;
        kit::cpu::reset_counters();
        version.run();
        const auto waits = kit::cpu::counters().synchronizations;
        CUDA_CHECK(cudaDeviceSynchronize());
        const kit::cpu::Counters c = kit::cpu::counters();
        const unsigned long long counts[] = {c.kernels - c.child_kernels, c.child_kernels, waits, c.blocks,
                                             c.atomics};
        std::printf("  %-34s by host %6llu  by kernels %6llu  waits %5llu  blocks %7llu  atomics %8llu\n",
                    version.name.c_str(), counts[0], counts[1], counts[2], counts[3], counts[4]);
        if (json != nullptr)
            std::fprintf(
                json,
                "%s\n    {\"part\": \"%s\", \"case\": \"%s\", \"version\": \"%s\", \"launches_by_host\": "
                "%llu, "
                "\"launches_by_kernels\": %llu, \"waits\": %llu, \"blocks\": %llu, \"atomics\": %llu}",
                separator, part, what.c_str(), version.name.c_str(), counts[0], counts[1], counts[2],
                counts[3], counts[4]);
#else
        kit::TimeOptions options;
        options.repetitions = repetitions;
        const kit::Timing timing = kit::time(version.run, 0, options);
        const int units = version.units();
        const double us = timing.median_ms * 1e3, per_unit = us / units;
        if (first == 0) first = per_unit;
        std::printf("  %-34s %11.1f us  spread %5.1f%%  %9.2f us per %s (%d)  %6.2fx%s\n",
                    version.name.c_str(), us, timing.spread * 100, per_unit, unit, units, first / per_unit,
                    timing.valid ? "" : "  INVALID");
        if (json != nullptr)
            std::fprintf(
                json,
                "%s\n    {\"part\": \"%s\", \"case\": \"%s\", \"version\": \"%s\", \"median_us\": %.3f, "
                "\"spread\": %.4f, \"units\": %d, \"unit\": \"%s\", \"speed_up\": %.4f, \"repetitions\": %d}",
                separator, part, what.c_str(), version.name.c_str(), us, timing.spread, units, unit,
                first / per_unit, timing.repetitions);
#endif
        separator = ",";
        if (version.right()) continue;
        std::fprintf(stderr, "%s, %s, %s: the result is wrong\n", part, what.c_str(), version.name.c_str());
        std::exit(EXIT_FAILURE);
    }
}

// ---- options --------------------------------------------------------------------------------------------

[[noreturn]] inline void refuse(const char* what) {
    std::fprintf(stderr,
                 "%s\nusage: demo [--part launches|quicksort|spmv|octree|loops|all] [--points N] [--rows N] "
                 "[--values N] "
                 "[--json FILE]\n",
                 what);
    std::exit(2);
}

inline int number(const char* text) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*end != 0 || value < 16 || value > 100000000) refuse("a size is not a number from 16 to 100000000");
    return static_cast<int>(value);
}

/// Reads the options and begins the report.
inline Sizes begin(int argc, char** argv) {
    Sizes sizes;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i], value = argv[i + 1];
        if (option == "--part")
            sizes.part = value;
        else if (option == "--points")
            sizes.points = number(argv[i + 1]);
        else if (option == "--rows")
            sizes.rows = number(argv[i + 1]);
        else if (option == "--values")
            sizes.values = number(argv[i + 1]);
        else if (option == "--json")
            json = std::fopen(argv[i + 1], "w");
        else
            refuse("unknown option");
        if (option == "--json" && json == nullptr) refuse("cannot write the file");
    }
    if (argc % 2 == 0) refuse("an option without a value");
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const std::string name = std::string(on_gpu ? "" : "CPU executor as ") + device.name;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was measured stays, whatever ends the program
    std::printf("16_dynamic_parallelism   %s\n", name.c_str());
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    if (json != nullptr) {
        std::fprintf(json, "{\n  \"topic\": \"16_dynamic_parallelism\", \"device\": \"%s\",", name.c_str());
        if (on_gpu)
            std::fprintf(json, " \"multiprocessors\": %d, \"date\": \"%s\",", device.multiProcessorCount,
                         date);
        std::fprintf(json, "\n  \"rows\": [");
    }
    return sizes;
}

inline void end() {
    if (json == nullptr) return;
    std::fprintf(json, "\n  ]\n}\n");
    std::fclose(json);
}

}  // namespace demo
