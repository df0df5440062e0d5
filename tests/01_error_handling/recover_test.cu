// Grades 01_error_handling/recover: it must repair a failed allocation or launch, and stop at a sticky error.
// sanitizer.case: one good job
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "01_error_handling/01_error_handling.hpp"
#include "01_error_handling/probe.hpp"
#include "grader.cuh"
#include "kit.cuh"
#include "remembered.hpp"

using namespace error_handling;

namespace {

constexpr kit::CaseOptions one_process = {60, true};  // a fresh CUDA context may take a while

// Seconds that a probe may compute. Some machines take seconds to start a CUDA context.
#ifdef KIT_CPU
constexpr unsigned int patience = 2;
#else
constexpr unsigned int patience = 15;
#endif
constexpr std::size_t too_much = std::size_t{1} << 50;

const char* name(Ending ending) {
    return ending == Ending::done ? "done" : ending == Ending::repaired ? "repaired" : "lost";
}

// Runs in the probe: three jobs, of which job `bad` has no data. For `bad` + 10, that job also requests too much.
int probe_main(int bad) {
    limit_processor_time(patience);
    constexpr int n = 500;
    int* data = nullptr;
    if (cudaMalloc(&data, n * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, n * sizeof(int)) != cudaSuccess) return 1;
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;  // the exercise may use a stream that does not wait for the default stream
    std::vector<Job> jobs(3, Job{data, n, 128, 0});
    jobs[bad % 10].data = nullptr;
    if (bad >= 10) jobs[bad % 10].block = 2048, jobs[bad % 10].scratch = too_much;
    Report report = serve(jobs.data(), 3);
    std::printf("ending=%s\nfinished=%d\n", name(report.ending), report.finished);
    return 0;
}

void sticky(kit::Case& test, int bad) {
    static bool hung = false;  // once is enough: each attempt costs seconds
    Probe probe;
    if (!hung) probe = run_probe(std::to_string(bad), 50);
    hung = hung || probe.timed_out || probe.signal == SIGXCPU || probe.signal == SIGKILL;
    if (hung)
        return test.fail(
            kit::Diagnosis::timeout,
            "after a sticky error serve() does not return: do not try again, because no call can succeed" +
                kit::task(3));
    std::string ending = probe.value("ending"), finished = probe.value("finished"),
                want = std::to_string(bad % 10);
    test.check(!ending.empty(), "after a sticky error, the program " + probe.ending() + ", " + probe.said() +
                                    ". Return from serve() instead" + kit::task(3));
    if (ending.empty()) return;
    test.check(ending == "lost",
               "a kernel wrote to a null pointer, so the context is lost, but serve() reported " + ending +
                   ": report lost" + kit::task(3));
    test.check(finished == want,
               "serve() reported " + finished +
                   (finished == "1" ? " finished job, expected " : " finished jobs, expected ") + want +
                   ": count the jobs before the one whose kernel failed" + kit::task(3));
    std::string error = cudaGetErrorName(cudaErrorIllegalAddress);
    test.check(probe.err.find(error) != std::string::npos,
               "no line on standard error says " + error + ": print the name of the error" + kit::task(3));
}

struct Wish {
    int block = 128;
    std::size_t scratch = 0;
};

// A repaired launch has blocks of 256 threads. Only the executor counts them.
void expect_threads([[maybe_unused]] kit::Case& test, [[maybe_unused]] const std::vector<Wish>& wishes,
                    [[maybe_unused]] int n) {
#ifdef KIT_CPU
    std::uint64_t want = 0;
    for (const Wish& wish : wishes) {
        const int block = wish.block > 1024 ? 256 : wish.block;
        want += static_cast<std::uint64_t>(kit::ceil_div(n, block)) * static_cast<std::uint64_t>(block);
    }
    const std::uint64_t got = kit::cpu::counters().threads;
    test.demand("threads", kit::at_most(got, want),
                "the kernels had " + kit::count_of(got, "thread") + ", expected " + std::to_string(want) +
                    ": launch a refused job again with 256 threads per block" + kit::task(2));
#endif
}

/// A job without large wishes has run twice. Cases without such wishes come first.
const kit::Remembered<bool> good_job_ran_twice;

// Serves one job per request, each with its own data.
void serve_wishes(kit::Case& test, const std::vector<Wish>& wishes, int n, Ending want) {
    std::vector<std::vector<int>> values;
    std::vector<decltype(test.inout("", values[0]))> data;
    std::vector<Job> jobs;
    for (const Wish& wish : wishes) {
        values.push_back(kit::integers<int>(test.random(), n, -1000, 1000));
        data.push_back(test.inout("data of job " + std::to_string(jobs.size()), values.back()));
        jobs.push_back({data.back().data(), n, wish.block, wish.scratch});
    }
    const auto wants = [&](auto member, auto limit) {
        return std::any_of(wishes.begin(), wishes.end(),
                           [&](const Wish& wish) { return wish.*member > limit; });
    };
    const bool memory = wants(&Wish::scratch, too_much - 1), threads = wants(&Wish::block, 1024);
    const kit::Said task = memory == threads ? "" : memory ? kit::task(1) : kit::task(2);
    Report report = {Ending::lost, -1};
    cudaError_t left = cudaSuccess;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call_unchecked([&] {
        report = serve(jobs.data(), static_cast<int>(jobs.size()));
        left = cudaGetLastError();
    });
    test.check(report.ending == want,
               std::string("serve() reported ") + name(report.ending) + ", expected " + name(want) +
                   (want == Ending::repaired ? ": repair each refused job, run it again, and report repaired"
                                             : ": report done if no job was refused") +
                   task);
    test.equal("finished jobs", report.finished, static_cast<int>(jobs.size()),
               "count every job that has finished, including the repaired ones");
    test.check(left == cudaSuccess,
               std::string("serve() left ") + cudaGetErrorName(left) +
                   " behind, although the job was repaired: clear the error with cudaGetLastError()" + task);
    for (std::size_t i = 0; i < data.size(); ++i) {
        std::vector<int> twice = values[i];
        for (int& value : twice) value *= 4;
        if (!memory && data[i].values() == twice) *good_job_ran_twice = true;
        test.mistake(
            kit::Diagnosis::wrong_value, twice,
            memory && !*good_job_ran_twice
                ? "the job ran twice, because the check of its launch returned the error of the failed "
                  "allocation: clear that error before the launch" +
                      kit::task(1)
                : "the job ran twice: launch it again only if the first launch failed" + kit::task(2));
        if (wishes[i].block > 1024)
            test.mistake(kit::Diagnosis::wrong_value, values[i],
                         "the job has not run: launch it again with safe_block" + kit::task(2));
        for (int& value : values[i]) value *= 2;
        test.expect(data[i], values[i], kit::exact());
    }
    expect_threads(test, wishes, n);
}

void leak(kit::Case& test) {
    constexpr std::size_t bytes = 8 << 20;
    kit::DeviceBuffer<int> data(std::vector<int>(100, 1));
    std::vector<Job> jobs(8, Job{data.data(), 100, 64, bytes});
    serve(jobs.data(), 1);  // the runtime allocates for itself at the first call
    const std::size_t lost = lost_memory([&] { serve(jobs.data(), 8); });
    test.check(lost < bytes,
               "serve() does not free the scratch memory of its jobs: let each job allocate it once" +
                   kit::task(1) + ", and free it after the wait" + kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = probe_asked(argc, argv)) return probe_main(std::atoi(what));
    kit::Grader grader("01_error_handling", "recover", argc, argv);
    auto add = [&](const std::string& name, std::vector<Wish> wishes, int n, Ending want) {
        grader.add(name, [=](kit::Case& test) { serve_wishes(test, wishes, n, want); });
    };
    add("no job at all", {}, 0, Ending::done);
    add("one good job", {{128, 64}}, 1, Ending::done);
    add("three good jobs", {{128, 0}, {1024, 4096}, {32, 1 << 20}}, 1000, Ending::done);
    add("too much scratch memory", {{128, too_much}}, 777, Ending::repaired);
    add("too many threads", {{1025, 0}}, 777, Ending::repaired);
    add("too many threads first", {{4096, 0}, {128, 0}, {128, 0}}, 1031, Ending::repaired);
    add("too many threads in the middle", {{128, 0}, {2000, 0}, {128, 0}}, 1031, Ending::repaired);
    add("too much scratch memory last", {{128, 0}, {128, 64}, {128, too_much}}, 1031, Ending::repaired);
    add("both wishes too large", {{128, 0}, {2000, too_much}, {256, 4096}}, 5000, Ending::repaired);
    grader.add("good jobs after a repair", [](kit::Case& test) {
        serve_wishes(test, {{2000, too_much}}, 300, Ending::repaired);
        serve_wishes(test, {{128, 4096}, {64, 0}}, 300, Ending::done);
    });
    grader.add("scratch memory is freed", leak);
    for (int bad : {0, 1, 2}) {
        grader.add(
            "a sticky error in job " + std::to_string(bad), [bad](kit::Case& test) { sticky(test, bad); },
            one_process);
    }
    grader.add(
        "a sticky error after two repairs", [](kit::Case& test) { sticky(test, 11); }, one_process);
    return grader.run();
}
