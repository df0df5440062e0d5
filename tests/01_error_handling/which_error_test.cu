// Grades 01_error_handling/which_error: each function must return the correct code of the correct stage, and leave no error behind.
// sanitizer.case:  works
#include <algorithm>
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

// Returns the error codes of refused launches. They differ between versions of CUDA, so the test asks the runtime.
cudaError_t refused_launch(int threads) {
    do_nothing<<<1, threads>>>();
    return cudaGetLastError();
}

cudaError_t refused_copy(const int* from) {
    (void)cudaMemcpy(nullptr, from, sizeof(int), cudaMemcpyDeviceToHost);
    return cudaGetLastError();
}

cudaError_t refused_wish(std::size_t bytes) {
    const auto wanted = static_cast<int>(bytes);
    const cudaError_t refused =
        cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, wanted);
    (void)cudaGetLastError();
    return refused;
}

std::size_t most_shared_bytes() {
    int bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return static_cast<std::size_t>(bytes);
}

const char* name_of(Stage stage) {
    switch (stage) {
        case Stage::none:
            return "none";
        case Stage::launch:
            return "launch";
        case Stage::kernel:
            return "kernel";
        case Stage::copy:
            return "copy";
    }
    return "no stage of the contract";
}

// Runs in a probe of its own, because an illegal address destroys the context.
int probe_main(const std::string& asked) {
    int result = 0;
    const Outcome got =
        asked == "null" ? Outcome{store(nullptr, 1), Stage::none} : store_and_fetch(nullptr, 1, 1, &result);
    const cudaError_t next = cudaDeviceSynchronize();
    std::printf("code=%s\nnext=%s\nstage=%s\n", cudaGetErrorName(got.code), cudaGetErrorName(next),
                name_of(got.stage));
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
            (probe.value("next") == want
                 ? ": synchronize, because only then the error of a running kernel is reported" + kit::task(1)
                 : kit::task(1)));
}

void null_write_and_copy(kit::Case& test) {
    const Probe probe = run_probe("fetch");
    const std::string want = cudaGetErrorName(cudaErrorIllegalAddress), stage = probe.value("stage");
    test.check(!stage.empty(), "the program " + probe.ending() + ", " + probe.said());
    if (stage.empty()) return;
    test.check(
        probe.value("code") == want && stage == "kernel",
        "store_and_fetch(null, ...): returned " + probe.value("code") + " of the stage " + stage +
            ", expected " + want +
            " of the stage kernel: synchronize before the copy, because a copy also reports earlier errors" +
            kit::task(4));
}

void expect_code(kit::Case& test, const std::string& call, int task, cudaError_t got, cudaError_t want) {
    const kit::Said see = kit::task(task);
    cudaError_t left = cudaGetLastError();
    test.check(got == want,
               call + " returned " + cudaGetErrorName(got) + ", expected " + cudaGetErrorName(want) +
                   (want == cudaSuccess ? ": find the call that causes this error"
                                        : ": find the call that reports the expected error, and return it") +
                   see);
    test.check(left == cudaSuccess,
               call + " left " + cudaGetErrorName(left) +
                   " behind: clear it with cudaGetLastError(), or the next check reports it again" + see);
}

/// Calls launch_threads once, while an earlier error `waiting` has not been cleared.
void launch_with(kit::Case& test, int threads, cudaError_t waiting) {
    const cudaError_t want = threads < 1 || threads > 1024 ? refused_launch(threads) : cudaSuccess;
    cudaError_t before = cudaErrorUnknown;
    const cudaError_t got = test.call_unchecked([&] {
        void* memory = nullptr;
        if (waiting != cudaSuccess) (void)cudaMalloc(&memory, std::size_t{1} << 50);
        return launch_threads(threads, &before);
    });
    const std::string call = "launch_threads(" + std::to_string(threads) + ")";
    if (waiting != cudaSuccess && got == waiting) {
        return test.check(
            false, call + " returned " + cudaGetErrorName(got) +
                       ", which an earlier call caused, not this launch: clear that error before you launch" +
                       kit::task(2));
    }
    expect_code(test, call, 2, got, want);
    test.check(before == waiting, call + " stored " + cudaGetErrorName(before) +
                                      " as the earlier error, but " + cudaGetErrorName(waiting) +
                                      " was not cleared before the call: store the error that you clear" +
                                      kit::task(2));
}

void fetch(kit::Case& test, int threads, bool has_result) {
    constexpr int value = 4711, untouched = -1;
    auto where = test.inout("where", std::vector<int>{55});
    int result = untouched;
    const bool launched = threads >= 1 && threads <= 1024;
    const Outcome want = !launched     ? Outcome{refused_launch(threads), Stage::launch}
                         : !has_result ? Outcome{refused_copy(where.data()), Stage::copy}
                                       : Outcome{cudaSuccess, Stage::none};
    const Outcome got = test.call_unchecked(
        [&] { return store_and_fetch(where.data(), value, threads, has_result ? &result : nullptr); });
    const std::string call = "store_and_fetch(where, " + std::to_string(value) + ", " +
                             std::to_string(threads) + (has_result ? ", result)" : ", null)");
    expect_code(test, call, 4, got.code, want.code);
    test.check(got.stage == want.stage, call + " blames the stage " + name_of(got.stage) + ", expected " +
                                            name_of(want.stage) + kit::task(4));
    if (!has_result) return;
    if (!launched) {
        test.check(result == untouched,
                   call + " continued after the launch had failed, and returned the result " +
                       std::to_string(result) + ": return after a failed launch" + kit::task(4));
    } else {
        test.check(result == value, call + " stored the result " + std::to_string(result) + ", expected " +
                                        std::to_string(value) + kit::task(4));
    }
}

// Calls one function with one argument after another, with a good argument after each bad one.
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
#ifdef KIT_CPU
    constexpr std::size_t bytes =
        1 << 20;  // small: the executor fills all allocated memory, and a leak here repeats many times
#else
    constexpr std::size_t bytes = 8 << 20;
#endif
    allocate(bytes);  // the runtime allocates for itself at the first call
    const std::size_t lost = lost_memory([] {
        for (int i = 0; i < 8; ++i) allocate(bytes);
    });
    test.check(lost < bytes, "allocate() does not free its memory: free it before you return" + kit::task(3));
    // If the function leaves its memory for the next call to free, a small call frees it. Other users of the GPU allocate and free in some rounds, not in most.
    constexpr int rounds = 15;
    int came_back = 0;
    for (int round = 0; round < rounds; ++round) {
        std::size_t kept = 0, free_now = 0, total = 0;
        allocate(bytes);
        test.cuda(cudaMemGetInfo(&kept, &total));
        allocate(1);
        test.cuda(cudaMemGetInfo(&free_now, &total));
        came_back += free_now >= kept + bytes / 2;  // a small allocation may take up to 2 MiB, too
    }
    test.check(
        2 * came_back < rounds,
        "allocate() does not free its memory before it returns: free it in the same call" + kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* asked = probe_asked(argc, argv)) return probe_main(asked);
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
    for (int threads : {32, 1, 1024})
        grader.add("launch_threads(" + std::to_string(threads) + ") works",
                   [threads](kit::Case& test) { launch_with(test, threads, cudaSuccess); });
    for (int threads : {1025, 0, 1 << 20})
        grader.add("launch_threads(" + std::to_string(threads) + ") fails",
                   [threads](kit::Case& test) { launch_with(test, threads, cudaSuccess); });
    for (int threads : {32, 1025})
        grader.add("launch_threads(" + std::to_string(threads) + "), and an older error is waiting",
                   [threads](kit::Case& test) { launch_with(test, threads, cudaErrorMemoryAllocation); });
    add<std::size_t>(grader, 3, "allocate", allocate, {1 << 20, 1}, {std::size_t{1} << 50},
                     [] { return cudaErrorMemoryAllocation; });
    grader.add("allocate frees", leak);
    for (int threads : {1, 1024, 1025, 0}) {
        const bool works = threads >= 1 && threads <= 1024;
        grader.add("store_and_fetch, " + kit::count_of(threads, "thread") + (works ? ", works" : ": launch"),
                   [threads](kit::Case& test) { fetch(test, threads, true); });
    }
    grader.add("store_and_fetch, no place for the result: copy",
               [](kit::Case& test) { fetch(test, 32, false); });
    grader.add("store_and_fetch, neither threads nor a place: launch",
               [](kit::Case& test) { fetch(test, 0, false); });
    grader.add("store_and_fetch(null): kernel", null_write_and_copy, one_process);
    add<std::size_t>(grader, 5, "launch_shared", launch_shared, {0, 4, 48 << 10}, {1 << 20},
                     [] { return refused_wish(1 << 20); });
    grader.add("launch_shared, the most that a block can have, and 4 bytes more", [](kit::Case& test) {
        const std::size_t most = most_shared_bytes();
        for (std::size_t bytes : {most, (std::size_t{48} << 10) + 4, most + 4, std::size_t{4}, most}) {
            const cudaError_t want = bytes > most ? refused_wish(bytes) : cudaSuccess;
            const cudaError_t got = test.call_unchecked([=] { return launch_shared(bytes); });
            expect_code(test, "launch_shared(" + std::to_string(bytes) + ")", 5, got, want);
        }
    });
    return grader.run();
}
