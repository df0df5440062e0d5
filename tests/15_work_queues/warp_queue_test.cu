// Grades 15_work_queues/warp_queue: each task once; one claim per warp; lanes that are free get new tasks.
// sanitizer.case: n=
#include <string>
#include <vector>

#include "15_work_queues/tasks.hpp"

namespace {

using namespace queues_test;
using work_queues::kBlock;
using work_queues::kLanes;

struct Exercise {
    const char* name;
    void (*run)(const Task*, int, const std::uint32_t*, std::uint32_t*, unsigned int*, int);
};
const Exercise exercises[] = {{"warp_queue", work_queues::warp_queue},
                              {"warp_refill", work_queues::warp_refill}};

/// How many lanes load from the table at once: that is a step, and it stands in the contract's header.
double lanes_per_step([[maybe_unused]] const kit::Counts& counts) {
    double requests = 0, lanes = 0;
#ifdef KIT_CPU
    for (const kit::cpu::KernelProfile& kernel : counts.kernels) {
        for (const kit::cpu::LineCounts& line : kernel.lines) {
            if (std::string(line.place.file).find("15_work_queues.hpp") == std::string::npos) continue;
            requests += static_cast<double>(line.of(kit::cpu::RequestKind::load).requests);
            lanes += static_cast<double>(line.of(kit::cpu::RequestKind::load).lanes);
        }
    }
#endif
    return requests > 0 ? lanes / requests : 0;
}

std::string tenths(double value) {
    const int all = static_cast<int>(10 * value);
    return std::to_string(all / 10) + "." + std::to_string(all % 10);
}

enum class Counted { nothing, claims, refills, lanes };

void judge(kit::Case& test, const Exercise& exercise, const std::vector<Task>& tasks, int blocks,
           Counted counted = Counted::nothing) {
    const Words words = table(test.random());
    const int n = static_cast<int>(tasks.size());
    auto in = test.input("tasks", tasks);
    auto steps = test.input("table", words);
    auto out = test.output<std::uint32_t>(exercise.name, tasks.size());
    auto next = test.output<unsigned int>("next", 1);
    const auto run = [&] { exercise.run(in.data(), n, steps.data(), out.data(), next.data(), blocks); };
    const bool refills = exercise.run == work_queues::warp_refill;
    if (counted == Counted::lanes) {
        const kit::Counts counts = test.counts(run);
        test.expect(out, results(words, tasks));
        const double lanes = lanes_per_step(counts);
        if (counts.counted)
            test.demand("active lanes", lanes >= 16,
                        tenths(lanes) +
                            " of 32 lanes make a step together, on average, and at least 16 are asked "
                            "for: all tasks of this case are equally long (Task 2)");
        return;
    }
    const Did did = counted_call(test, run);
    test.expect(out, results(words, tasks));
    judge_threads(test, did, blocks, refills ? "Task 3" : "Task 2");
    judge_stores(test, did, tasks.size(), refills ? "Task 4" : "Task 2");
    if (!did.counted || counted == Counted::nothing) return;
    const std::uint64_t warps = static_cast<std::uint64_t>(blocks) * (kBlock / kLanes);
    if (!refills) {
        judge_claims(test, did, tasks.size(), kLanes, warps, "each 32 tasks", "Task 1");
        return;
    }
    // A claim has one task at least; of a warp's claims one at most comes to the end or finds nothing. A kernel may set the
    // counter with one more.
    const std::uint64_t most = tasks.size() + warps + 1;
    test.demand("atomics", did.atomics <= most,
                std::to_string(did.atomics) + " atomic additions, at most " + std::to_string(most) +
                    " are needed: a claim that comes to the end of the list is the warp's last one (Task 3)");
    if (counted != Counted::refills) return;
    // In a list of heavy tails 32 lanes are hardly ever free at once.
    const std::uint64_t by_warps = tasks.size() / kLanes, least = 2 * by_warps;
    test.demand(
        "atomics", did.atomics >= least,
        std::to_string(did.atomics) + " atomic additions, and " + std::to_string(by_warps) +
            " would do if all lanes of a warp waited for the longest of 32 tasks: who is free gets a new "
            "task while others go on, which takes " +
            std::to_string(least) + " at least (Task 3)");
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "warp_queue", argc, argv);
    grader.task(2, kit::About().output("warp_queue"));
    for (const int task : {3, 4})
        grader.task(task, kit::About().output("warp_refill").diagnosis(kit::Diagnosis::not_written));
    grader.task(3, kit::About().output("warp_refill"));
    grader.task(2, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::barrier});
    grader.task(3, kit::About().demand("active lanes"));
    for (const Exercise& exercise : exercises) {
        const std::string name = exercise.name;
        for (const int n : {0, 1, 31, 32, 33, 255, 257, 3001}) {
            grader.add(name + ", n=" + std::to_string(n), [&exercise, n](kit::Case& test) {
                judge(test, exercise, heavy_tail(test.random(), n), 2);
            });
        }
        grader.add(name + ", one block, n=5003", [&exercise](kit::Case& test) {
            judge(test, exercise, heavy_tail(test.random(), 5003), 1);
        });
        grader.add(name + ", tasks of 0, 1, 8 and 9 steps", [&exercise](kit::Case& test) {
            std::vector<Task> tasks = alike(test.random(), 1000, 0);
            for (std::size_t i = 0; i < tasks.size(); ++i)
                tasks[i].steps = std::vector<int>{0, 1, 8, 9}[i % 4];
            judge(test, exercise, tasks, 1);
        });
        for (const int n : {1, 32, 100, 999}) {
            grader.add(
                name + ", tasks without steps, n=" + std::to_string(n),
                [&exercise, n](kit::Case& test) { judge(test, exercise, alike(test.random(), n, 0), 1); });
        }
        grader.add(name + ", one very long task", [&exercise](kit::Case& test) {
            std::vector<Task> tasks = alike(test.random(), 100, 3);
            tasks[17].steps = 4000;
            judge(test, exercise, tasks, 1, Counted::claims);
        });
        grader.add(name + ", claims counted", [&exercise](kit::Case& test) {
            judge(test, exercise, heavy_tail(test.random(), 4001), 2, Counted::claims);
        });
        grader.add(name + ", two calls, one counter", [&exercise](kit::Case& test) {
            const Words words = table(test.random());
            auto steps = test.input("table", words);
            auto next = test.output<unsigned int>("next", 1);
            for (const int n : {1500, 700}) {
                const std::vector<Task> tasks = heavy_tail(test.random(), n);
                auto in = test.input("tasks", tasks);
                auto out = test.output<std::uint32_t>(exercise.name, tasks.size());
                test.call([&] { exercise.run(in.data(), n, steps.data(), out.data(), next.data(), 1); });
                test.expect(out, results(words, tasks));
            }
        });
#ifndef KIT_CPU
        grader.add(
            name + ", 4000037 tasks",
            [&exercise](kit::Case& test) { judge(test, exercise, heavy_tail(test.random(), 4000037), 528); },
            {60, true});
#endif
    }
    grader.add("warp_queue, tasks alike, active lanes", [](kit::Case& test) {
        judge(test, exercises[0], alike(test.random(), 2048, 40), 1, Counted::lanes);
    });
    grader.add("warp_refill, heavy tail, claims counted", [](kit::Case& test) {
        judge(test, exercises[1], heavy_tail(test.random(), 8192, 300), 1, Counted::refills);
    });
    return grader.run();
}
