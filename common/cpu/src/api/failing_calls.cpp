// Makes one call of the runtime fail on purpose, to test whether the program checks the error that it
// returns.
#include <dlfcn.h>
#include <execinfo.h>

#include <kit_cpu/executor.hpp>
#include <kit_cpu/timeline.hpp>
#include <thread>

#include "api.hpp"

namespace kit::cpu {
namespace {

std::int64_t calls_before = -1;  // number of calls that still succeed before one fails; below 0: no call
                                 // fails
std::thread::id caller;          // the thread whose calls count
void (*went_on_after)(const char*) = nullptr;
bool allocation_failed = false;
std::string& failed = *new std::string;
constexpr const char* kernel_launch = "<<<>>>";

/// Returns the words for a call that a program must check; empty for others. A check is required unless the function frees something
/// or only returns facts. Several functions of the runtime share one function of the executor, whose name is `function`: "submit" is a
/// kernel launch. For a template, the compiler adds the arguments: "add<cudaGraphAddHostNode(...)::<lambda> >".
std::string checked_call(const char* function) {
    static constexpr const char* shared[][2] = {{"submit", kernel_launch},
                                                {"new_stream", "cudaStreamCreate"},
                                                {"new_event", "cudaEventCreate"},
                                                {"record", "cudaEventRecord"},
                                                {"allocate_in_stream", "cudaMallocAsync"},
                                                {"copy_between_devices", "cudaMemcpyPeerAsync"},
                                                {"add", "cudaGraphAdd*Node"},
                                                {"change", "cudaGraph*SetParams"},
                                                {"make_instance", "cudaGraphInstantiate"}};
    static constexpr const char* names[] = {"cudaMalloc",
                                            "cudaMallocHost",
                                            "cudaHostAlloc",
                                            "cudaMallocManaged",
                                            "cudaMemcpy",
                                            "cudaMemcpyAsync",
                                            "cudaMemcpy2DAsync",
                                            "cudaMemset",
                                            "cudaMemsetAsync",
                                            "cudaStreamWaitEvent",
                                            "cudaStreamSynchronize",
                                            "cudaEventSynchronize",
                                            "cudaDeviceSynchronize",
                                            "cudaStreamBeginCapture",
                                            "cudaStreamEndCapture",
                                            "cudaGraphCreate",
                                            "cudaGraphAddNode",
                                            "cudaGraphAddDependencies",
                                            "cudaGraphConditionalHandleCreate",
                                            "cudaGraphUpload",
                                            "cudaGraphLaunch",
                                            "cudaLaunchHostFunc"};
    const std::string whole = function, name = whole.substr(0, whole.find('<'));
    for (const auto& [internal, words] : shared)
        if (name == internal) return words;
    for (const char* const one : names)
        if (name == one) return name;
    return "";
}

/// A call by the program.
struct OutsideCall {
    Place place;
    std::string
        function;  ///< function of the runtime; empty if a template of the executor's headers calls the executor
};

/// Returns whether this code belongs to a library of the kit, such as libkit_executor.so.
bool is_of_kit(const Dl_info& code) {
    return code.dli_fname && std::string(code.dli_fname).find("libkit_") != std::string::npos;
}

OutsideCall call_from_outside() {
    void* frames[32];
    const int count = backtrace(frames, 32);
    Dl_info frame = {};
    std::string function;
    for (int i = 1; i < count; ++i) {
        if (!dladdr(frames[i], &frame)) continue;
        if (!is_of_kit(frame)) return {look_up(place_of_call(frames[i])), function};
        const std::string name = frame.dli_sname ? frame.dli_sname : "";
        function = name.compare(0, 4, "cuda") == 0 ? name : "";
    }
    return {};
}

/// Returns whether the place is in a test or in a header of the tests, given by the end of its path. For example, tests
/// copy guard zones when memory is freed. A place without a line is in a test, too: when a class is graded, the test's
/// object has no debug information (common/classroom/hide_names.sh), but the student's file has.
bool is_of_test(Place place) {
    if (place.line <= 0) return true;
    const std::string file = place.file;
    const auto ends_with = [&](const std::string& end) {
        return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
    };
    return ends_with(".hpp") || ends_with("_test.cu");
}

}  // namespace

void fail_host_call(unsigned after, void (*went_on)(const char*)) {
    calls_before = after;
    caller = std::this_thread::get_id();
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
    if ((calls_before < 0 && !allocation_failed) || std::this_thread::get_id() != caller) return false;
    std::string call = checked_call(function);
    if (call.empty()) return false;
    if (allocation_failed && went_on_after) went_on_after(failed.c_str());
    if (calls_before < 0 || (calls_before > 0 && calls_before-- > 0)) return false;
    const OutsideCall made = call_from_outside();
    if (is_of_test(made.place)) return false;
    calls_before = -1;
    const std::string line = line_in_words(made.place);
    allocation_failed = call.find("Alloc") != std::string::npos || call.find("Malloc") != std::string::npos;
    if (call != kernel_launch && !made.function.empty()) call = made.function;
    failed = call + (line.empty() ? "" : "@" + line + "@" + made.place.file);
    return true;
}

}  // namespace kit::cpu
