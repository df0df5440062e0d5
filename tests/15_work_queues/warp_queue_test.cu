// Grades 15_work_queues/warp_queue: each task once, one claim per warp, and new tasks for free lanes.
// sanitizer.case: n=
#include <string>
#include <vector>

#include "15_work_queues/tasks.hpp"
#include "remembered.hpp"

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

/// Returns the average number of lanes per load of the table. Each step has one such load, in the contract's header.
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

/// Returns the number of steps after which a task has this value, or -1 if it is not one of the first steps.
int steps_to(std::uint32_t value, const Words& words, const Task& task) {
    std::uint32_t x = task.seed;
    for (int steps = 0; steps <= task.steps + 2 * work_queues::kRun; ++steps) {
        if (x == value) return steps;
        x = x * 1664525u + words[x / (1u << 19)];
    }
    return -1;
}

/// Explains a wrong result that belongs to a different number of steps of its own task. The correct
/// result can also be an earlier value of the same task, because a few of millions of tasks return
/// to a value that they have had.
kit::Said wrong_steps(const Words& got, const Words& want, const Words& words,
                      const std::vector<Task>& tasks) {
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == want[i]) continue;
        const int steps = steps_to(got[i], words, tasks[i]);
        if (steps >= 0)
            return "result " + std::to_string(i) + " is what " + std::to_string(steps) +
                   (steps == 1 ? " step gives" : " steps give") + ", but its task has " +
                   std::to_string(tasks[i].steps) +
                   ": let a lane perform as many steps as are left, and at most kRun before the next vote" +
                   kit::task(5);
    }
    return "";
}

/// Claims of all warps, and the largest number allowed.
struct Claims {
    std::uint64_t made = 0, most = 0;

    std::string in_words() const {
        return kit::count_of(made, "atomic addition") + ", but at most " + std::to_string(most) +
               " are needed: ";
    }
};

/// Claims of warp_queue in an earlier case that had too many.
const kit::Remembered<Claims> too_many_claims;

/// Explains why v3 has more claims than needed: every lane claims, or parts of a warp do.
kit::Said advice(const Claims& claims) {
    return claims.made > 16 * claims.most
               ? "let one lane claim for all lanes of its warp" + kit::task(1)
               : "parts of a diverged warp claim separately, so let a fixed lane add, and name all "
                 "lanes in the shuffle, not those that happen to be active (__activemask())" +
                     kit::task(1);
}

kit::Said too_many_in_words(const Claims& claims) {
    return claims.made > claims.most ? claims.in_words() + advice(claims) : "";
}

#ifdef KIT_CPU
/// Explains a lane that has returned, or that runs alone, and does not reach the warp's next vote or shuffle.
kit::Said cause_of(const kit::facts::Finding& waits, bool refills) {
    bool claims = false, votes = false;
    for (const kit::facts::Waiting& group : waits.waiting) {
        claims = claims || group.in.find("shfl") != std::string::npos;
        votes = votes || group.in.find("any") != std::string::npos ||
                group.in.find("ballot") != std::string::npos;
    }
    if (refills && claims && votes)
        return "some lanes of a warp claim while the others vote: let all lanes call claim() together, "
               "because its shuffle names all lanes" +
               kit::task(3);
    if (!waits.value("returned")) return "";
    return refills ? "a lane returns although lanes of its warp have tasks: return only when a vote of all "
                     "lanes finds no task" +
                         kit::task(5)
                   : "a lane leaves the loop before the others: let all lanes leave it together, even "
                     "without a task" +
                         kit::task(2);
}

/// Explains a kernel that does not end. A warp that stops claiming is not the cause.
kit::Said cause_of_late(const Did& did, const Claims& claims, std::size_t n, bool refills) {
    if (claims.made > claims.most && did.stores > n + kBlock)
        return "the warps execute the same tasks repeatedly: pass the number that the claiming lane has "
               "received to "
               "every lane" +
               kit::task(1);
    if (claims.made > claims.most)
        return "the warps keep claiming although no task is left: stop when a claim finds none" +
               kit::task(refills ? 3 : 2);
    return refills ? "no task is left to claim, but the warps continue: let a lane without steps write its "
                     "result, and count as free" +
                         kit::task(5)
                   : "";
}
#endif

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
    const std::uint64_t warps = static_cast<std::uint64_t>(blocks) * (kBlock / kLanes);
    // In v4, a claim has at least one task, and at most one claim of a warp reaches the end of the list or finds nothing. A kernel may use
    // one more atomic to set the counter.
    Claims claims;
    claims.most = (refills ? tasks.size() : (tasks.size() + kLanes - 1) / kLanes) + warps + 1;
#ifdef KIT_CPU
    const auto counted_so_far = [&] {
        const kit::cpu::Counters now = kit::cpu::counters();
        Did so_far;
        so_far.stores = now.global_stores;
        claims.made = now.atomics;
        return so_far;
    };
    kit::cpu::reset_counters();
    kit::cpu::set_kernel_time_limit(2);
    test.explain(kit::Diagnosis::barrier,
                 [refills](const kit::facts::Finding& waits) { return cause_of(waits, refills); });
    test.explain(kit::Diagnosis::timeout, [&](const kit::facts::Finding&) {
        const Did did = counted_so_far();
        return cause_of_late(did, claims, tasks.size(), refills);
    });
    test.explain(kit::Diagnosis::race, [&](const kit::facts::Finding&) {
        counted_so_far();
        return refills ? "" : too_many_in_words(claims);
    });
#endif
    if (counted == Counted::lanes) {
        const kit::Counts counts = test.counts(run);
        test.expect(out, results(words, tasks));
        const double lanes = lanes_per_step(counts);
        if (counts.counted)
            test.demand(
                "active lanes", kit::at_least(lanes, 16),
                tenths(lanes) +
                    " of 32 lanes execute a step together on average, but at least 16 must, because all "
                    "tasks of this case are equally long: let all lanes start their tasks together" +
                    kit::task(2));
        return;
    }
    const Did did = counted_call(test, run);
    claims.made = did.atomics;
    const auto judge_too_many = [&] {
        if (!did.counted || refills) return;
        if (claims.made > claims.most) *too_many_claims = claims;
        test.demand("atomics", kit::at_most(claims.made, claims.most), too_many_in_words(claims));
    };
    // More claims than tasks explain missing results, in both exercises.
    if (out.values() != results(words, tasks)) {
        judge_too_many();
        test.demand("atomics", kit::exactly(refills ? too_many_claims->made : 0, 0),
                    "results are missing, and warp_queue claims too often: " + advice(*too_many_claims));
    }
    if (refills) {
        const kit::Said steps_differ = wrong_steps(out.values(), results(words, tasks), words, tasks);
        test.check(steps_differ.empty(), steps_differ);
    }
    test.expect(out, results(words, tasks));
    judge_threads(test, did, blocks, refills ? kit::named_task(3) : kit::named_task(2));
    judge_stores(test, did, tasks.size(), refills ? kit::named_task(5) : kit::named_task(2));
    judge_too_many();
    if (!did.counted || counted == Counted::nothing) return;
    if (!refills) {
        judge_claims(test, did, tasks.size(), kLanes, warps, "each 32 tasks", kit::named_task(1));
        return;
    }
    test.demand(
        "atomics", kit::at_most(claims.made, claims.most),
        claims.in_words() + "stop claiming after a claim that reaches the end of the list" + kit::task(3));
    if (counted != Counted::refills) return;
    // In a heavy-tailed list, 32 lanes are rarely free at the same time.
    const std::uint64_t by_warps = tasks.size() / kLanes, least = 2 * by_warps;
    // If all steps of a task are performed without a vote, the warp hardly votes between two claims.
    const kit::Said in_pieces =
        did.votes <= 5 * did.atomics
            ? ": perform at most kRun steps, and then vote again" + kit::task(5)
            : ": give a free lane a new task while other lanes continue" + kit::task(3);
    test.demand("atomics", kit::at_least(did.atomics, least),
                kit::count_of(did.atomics, "atomic addition") + ", but at least " + std::to_string(least) +
                    " are expected (" + std::to_string(by_warps) +
                    " if all lanes of a warp wait for the longest of 32 tasks)" + in_pieces);
}

/// Two lists of which a warp claims all tasks at once: 32 tasks end exactly where the claim does, and 31 before.
void judge_last_claim(kit::Case& test) {
    const Words words = table(test.random());
    auto steps = test.input("table", words);
    auto next = test.output<unsigned int>("next", 1);
    std::uint64_t made[2] = {};
    for (const int n : {31, 32}) {
        const std::vector<Task> tasks = alike(test.random(), n, 9);
        auto in = test.input("tasks", tasks);
        auto out = test.output<std::uint32_t>("warp_refill", tasks.size());
        const Did did = counted_call(
            test, [&] { work_queues::warp_refill(in.data(), n, steps.data(), out.data(), next.data(), 1); });
        test.expect(out, results(words, tasks));
        if (!did.counted) return;
        made[n - 31] = did.atomics;
    }
    test.demand("atomics", kit::at_most(made[1], made[0]),
                kit::count_of(made[1], "atomic addition") + " for 32 tasks, and " + std::to_string(made[0]) +
                    " for 31: stop claiming after a claim that reaches the end exactly, too" + kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "warp_queue", argc, argv);
    for (const int task : {1, 2})  // claims that leave tasks out, or one claim for each warp
        grader.task(task, kit::About().output("warp_queue").diagnosis(kit::Diagnosis::first_block_only));
    grader.task(2, kit::About().output("warp_queue"));
    for (const int task : {4, 5})
        grader.task(task, kit::About()
                              .output("warp_refill")
                              .diagnosis(kit::Diagnosis::not_written)
                              .diagnosis(kit::Diagnosis::race));
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
    grader.add("warp_refill, the last claim", judge_last_claim);
    return grader.run();
}
