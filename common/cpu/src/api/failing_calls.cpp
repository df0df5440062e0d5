// Makes one call of the runtime fail on purpose, to test whether the program checks the error that it
// returns.
#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <cstring>
#include <kit_cpu/executor.hpp>
#include <kit_cpu/timeline.hpp>

#include "api.hpp"

namespace kit::cpu {
namespace {

std::int64_t calls_before = -1;  // number of calls that still succeed before one fails; below 0: no call
                                 // fails
void (*went_on_after)(const char*) = nullptr;
bool allocation_failed = false;
std::string& failed = *new std::string;

/// Returns whether a program must check the result of this function. A check is required unless the function
/// frees something or only returns facts. "submit" is a kernel launch.
bool must_be_checked(const char* function) {
    static constexpr const char* names[] = {"submit",
                                            "cudaMalloc",
                                            "cudaMallocAsync",
                                            "cudaMallocHost",
                                            "cudaHostAlloc",
                                            "cudaMallocManaged",
                                            "cudaMemcpy",
                                            "cudaMemcpyAsync",
                                            "cudaMemcpyPeerAsync",
                                            "cudaMemset",
                                            "cudaMemsetAsync",
                                            "cudaStreamCreateWithPriority",
                                            "cudaStreamBeginCapture",
                                            "cudaGraphInstantiate",
                                            "cudaGraphLaunch",
                                            "cudaLaunchHostFunc"};
    return std::any_of(std::begin(names), std::end(names),
                       [function](const char* name) { return std::strcmp(name, function) == 0; });
}

/// Returns the place in the program that called the executor.
Place caller_outside() {
    void* frames[32];
    const int count = backtrace(frames, 32);
    Dl_info here = {}, frame = {};
    dladdr(frames[0], &here);
    for (int i = 1; i < count; ++i)
        if (dladdr(frames[i], &frame) && frame.dli_fbase != here.dli_fbase)
            return look_up(place_of_call(frames[i]));
    return {};
}

/// Returns whether the place is in a header of the tests, given by the end of its path. For example, tests
/// copy guard zones when memory is freed.
bool is_of_test(Place place) {
    const std::string file = place.line > 0 ? place.file : "";
    return file.size() > 4 && file.compare(file.size() - 4, 4, ".hpp") == 0;
}

}  // namespace

void fail_host_call(unsigned after, void (*went_on)(const char*)) {
    calls_before = after;
    went_on_after = went_on;
    allocation_failed = false;
    failed.clear();
}

std::string failed_host_call() {
    calls_before = -1;
    allocation_failed = false;
    return failed;
}

bool host_call_fails(const char* function) {
    if (calls_before < 0 && !allocation_failed) return false;
    if (!must_be_checked(function)) return false;
    if (allocation_failed && went_on_after) went_on_after(failed.c_str());
    if (calls_before < 0 || (calls_before > 0 && calls_before-- > 0)) return false;
    const Place place = caller_outside();
    if (is_of_test(place)) return false;
    calls_before = -1;
    const std::string line = line_in_words(place);
    failed = (std::strcmp(function, "submit") == 0 ? "<<<>>>" : function) + (line.empty() ? "" : "@" + line);
    allocation_failed =
        std::strstr(function, "Alloc") != nullptr || std::strstr(function, "Malloc") != nullptr;
    return true;
}

}  // namespace kit::cpu
