// Grades 01_error_handling/debug_sync, which is built twice, without and with KIT_DEBUG_SYNC. Counts how many times it waits.
// sanitizer.case: 0 good steps
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/probe.hpp"
#include "grader.cuh"

using namespace error_handling;

namespace {

constexpr kit::CaseOptions one_process = {60, true};  // a fresh CUDA context may take a while

__global__ void do_nothing() {}

// Returns the error code of a launch with too many threads. It differs between versions of CUDA.
cudaError_t refusal() {
    int threads = 1025;
    do_nothing<<<1, threads>>>();
    return cudaGetLastError();
}

std::string name(cudaError_t error) {
    return cudaGetErrorName(error);
}

// Runs in the probe: five steps, of which step `bad` writes to a null pointer.
int probe_main(int bad) {
    constexpr int n = 1000, count = 5;
    int* data = nullptr;
    if (cudaMalloc(&data, n * sizeof(int)) != cudaSuccess ||
        cudaMemset(data, 0, n * sizeof(int)) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    std::vector<Step> steps(count, Step{data, n, 128});
    steps[bad].data = nullptr;
    Progress progress = pipeline(steps.data(), count);
    std::printf("error=%s\nstep=%d\nwaits=%d\n", cudaGetErrorName(progress.error), progress.step, waits());
    return 0;
}

void check_waits(kit::Case& test, int got, int launches) {
    std::string times = std::to_string(got) + (got == 1 ? " time for " : " times for ") +
                        std::to_string(launches) + (launches == 1 ? " launch" : " launches");
    if (debug_build()) {
        test.check(got >= launches,
                   "the debug build waited only " + times + ": wait after each launch" + kit::task(2));
        test.check(got <= launches, "the debug build waited " + times +
                                        ": wait exactly once after each launch" + kit::task(2));
    } else {
        test.check(got == 0,
                   "the release build waited " + times + ": wait only in the debug build" + kit::task(2));
    }
}

// Runs `count` steps. Step `bad`, if there is one, has too many threads per block.
void run(kit::Case& test, int n, int count, int bad) {
    auto values = kit::integers<int>(test.random(), n, -1000, 1000);
    auto data = test.inout("data", values);
    std::vector<Step> steps(count, Step{data.data(), n, 128});
    if (bad >= 0) steps[bad].block = 1025;
    int done = bad >= 0 ? bad : count;

    Progress progress = {cudaErrorUnknown, -1};
    int before = waits();
    test.call_unchecked([&] {
        progress = pipeline(steps.data(), count);
        cudaError_t left = cudaGetLastError();
        test.check(left == cudaSuccess,
                   "the check left " + name(left) +
                       " behind for the next check: clear the error with cudaGetLastError()" + kit::task(1));
    });
    test.call([] {});  // waits for the kernels and checks their results
    cudaError_t want = bad >= 0 ? refusal() : cudaSuccess;
    test.check(progress.error == want,
               "pipeline returned " + name(progress.error) + ", expected " + name(want) +
                   (bad >= 0 ? ": check each launch, and return its error" + kit::task(1) : ""));
    test.equal("the step that failed", progress.step, done,
               "return the step whose check has found the error, or the number of steps");
    check_waits(test, waits() - before, done);
    if (progress.step != done) return;
    for (int& value : values) value += done;
    test.expect(data, values, kit::exact());
}

void execution_error(kit::Case& test, int bad) {
    Probe probe = run_probe(std::to_string(bad));
    test.check(!probe.value("step").empty(), "the program " + probe.ending() + ", " + probe.said());
    if (probe.value("step").empty()) return;
    if (!debug_build()) {
        test.check(probe.value("waits") == "0",
                   "the release build waited: wait only in the debug build" + kit::task(2));
        return;
    }
    std::string want = name(cudaErrorIllegalAddress);
    test.check(probe.value("error") == want && probe.value("step") == std::to_string(bad),
               "the debug build must see " + want + " at step " + std::to_string(bad) + ", but reported " +
                   probe.value("error") + " at step " + probe.value("step") +
                   ": synchronize after each step, and return its error" + kit::task(2));
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = probe_asked(argc, argv)) return probe_main(std::atoi(what));
    kit::Grader grader("01_error_handling", "debug_sync", argc, argv);
    std::string build = debug_build() ? " (with KIT_DEBUG_SYNC)" : "";
    for (int count : {0, 1, 5, 40}) {
        grader.add(std::to_string(count) + " good steps" + build,
                   [count](kit::Case& test) { run(test, 1000, count, -1); });
    }
    for (int bad : {0, 2, 4}) {
        grader.add("launch error at step " + std::to_string(bad) + build,
                   [bad](kit::Case& test) { run(test, 1000, 5, bad); });
    }
    grader.add("good steps after a launch error" + build, [](kit::Case& test) {
        run(test, 100, 3, 1);
        run(test, 300, 3, -1);
    });
    for (int bad : {0, 3, 4}) {
        grader.add(
            "null pointer at step " + std::to_string(bad) + build,
            [bad](kit::Case& test) { execution_error(test, bad); }, one_process);
    }
    return grader.run();
}
