// Grades 01_error_handling/which_error: the right code from the right place, and nothing left behind.
// sanitizer.case:  works
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/probe.hpp"
#include "grader.cuh"

using namespace error_handling;

namespace {

constexpr kit::CaseOptions one_process = {60, true};  // a fresh CUDA context may take a while

__global__ void do_nothing() {}

// The code that a refused launch gives here. It is not the same for every version of CUDA, so we ask.
cudaError_t refusal(int blocks, int threads, std::size_t shared_bytes) {
    do_nothing<<<blocks, threads, shared_bytes>>>();
    return cudaGetLastError();
}

// In the probe: an illegal address ends the context, hence a process for it alone.
int probe_main() {
    cudaError_t got = store(nullptr, 1);
    cudaError_t next = cudaDeviceSynchronize();
    std::printf("code=%s\nnext=%s\n", cudaGetErrorName(got), cudaGetErrorName(next));
    return 0;
}

void null_write(kit::Case& test) {
    Probe probe = run_probe("null");
    std::string want = cudaGetErrorName(cudaErrorIllegalAddress);
    test.check(!probe.value("code").empty(), "the program " + probe.ending() + ", " + probe.said());
    if (probe.value("code").empty()) return;
    test.check(
        probe.value("code") == want,
        "store(nullptr) returned " + probe.value("code") + ", expected " + want +
            (probe.value("next") == want ? ": only a synchronisation tells about a running kernel (Task 1)"
                                         : " (Task 1)"));
}

void expect_code(kit::Case& test, const std::string& call, int task, cudaError_t got, cudaError_t want) {
    const std::string see = " (Task " + std::to_string(task) + ")";
    cudaError_t left = cudaGetLastError();
    test.check(got == want,
               call + " returned " + cudaGetErrorName(got) + ", expected " + cudaGetErrorName(want) + see);
    test.check(left == cudaSuccess,
               call + " left " + cudaGetErrorName(left) +
                   " behind: the next one who calls cudaGetLastError() is blamed for it" + see);
}

// One function, and one argument after the other; a good one after each bad one.
template <class T>
void add(kit::Grader& grader, int task, const std::string& name, cudaError_t (*function)(T),
         std::vector<T> good, std::vector<T> bad, cudaError_t (*error)()) {
    auto test_one = [=](kit::Case& test, T argument, cudaError_t want) {
        cudaError_t got = test.call_unchecked([=] { return function(argument); });
        expect_code(test, name + "(" + std::to_string(argument) + ")", task, got, want);
    };
    for (T argument : good) {
        grader.add(name + "(" + std::to_string(argument) + ") works",
                   [=](kit::Case& test) { test_one(test, argument, cudaSuccess); });
    }
    for (T argument : bad) {
        grader.add(name + "(" + std::to_string(argument) + ") fails",
                   [=](kit::Case& test) { test_one(test, argument, error()); });
    }
    grader.add(name + ", right after wrong", [=](kit::Case& test) {
        for (T argument : bad) {
            test_one(test, argument, error());
            test_one(test, good[0], cudaSuccess);
        }
    });
}

void leak(kit::Case& test) {
    constexpr std::size_t bytes = 8 << 20;
    allocate(bytes);  // the runtime allocates for itself at the first call
    const std::size_t lost = lost_memory([] {
        for (int i = 0; i < 8; ++i) allocate(bytes);
    });
    test.check(lost < bytes, "allocate() does not free what it has allocated (Task 3)");
    allocate(bytes);
    std::size_t kept = 0, free_now = 0, total = 0;
    test.cuda(cudaMemGetInfo(&kept, &total));
    allocate(1);
    test.cuda(cudaMemGetInfo(&free_now, &total));
    test.check(free_now < kept + bytes,
               "allocate() does not free what it has allocated before it returns (Task 3)");
}

}  // namespace

int main(int argc, char** argv) {
    if (probe_asked(argc, argv) != nullptr) return probe_main();
    kit::Grader grader("01_error_handling", "which_error", argc, argv);
    for (int value : {7, -123456}) {
        grader.add("store(address, " + std::to_string(value) + ") works", [value](kit::Case& test) {
            auto where = test.output<int>("where", 1);
            cudaError_t got = cudaErrorUnknown;
            test.call([&] { got = store(where.data(), value); });
            expect_code(test, "store(address)", 1, got, cudaSuccess);
            test.expect(where, std::vector<int>{value}, kit::exact());
        });
    }
    grader.add("store(null) fails", null_write, one_process);
    add<int>(grader, 2, "launch_threads", launch_threads, {32, 1, 1024}, {1025, 0, 1 << 20},
             [] { return refusal(1, 1025, 0); });
    add<std::size_t>(grader, 3, "allocate", allocate, {1 << 20, 1}, {std::size_t{1} << 50},
                     [] { return cudaErrorMemoryAllocation; });
    grader.add("allocate frees", leak);
    add<int>(grader, 4, "launch_blocks", launch_blocks, {1, 1000}, {0}, [] { return refusal(0, 32, 0); });
    add<std::size_t>(grader, 5, "launch_shared", launch_shared, {0, 4, 48 << 10}, {(48 << 10) + 4, 1 << 20},
                     [] { return refusal(1, 32, (48 << 10) + 4); });
    return grader.run();
}
