// Grades 15_work_queues/batched_counter: each task once, for any batch, numbers and number of workers.
// sanitizer.case: n=
#include <string>
#include <vector>

#include "15_work_queues/tasks.hpp"
#include "remembered.hpp"

namespace {

using namespace queues_test;

struct Call {
    unsigned long long first;
    int batch, blocks;
};

const kit::Said too_early =
    "the counter starts below the number of the first task: set it to `first` before the launch" +
    kit::task(2);
struct Earlier {
    bool begins_too_early = false, small_numbers_are_wrong = false;
};
const kit::Remembered<Earlier> earlier;  // findings of earlier cases

#ifdef KIT_CPU
/// Explains a read outside of the list. If the counter started before `first`, the first index is negative.
kit::Said cause_of(const kit::facts::Finding& outside, Call call) {
    if (call.first == 0) return "";
    if (outside.memory.position == kit::facts::Memory::Position::before) earlier->begins_too_early = true;
    if (earlier->begins_too_early) return too_early;
    if (call.first >= (1ull << 30) && !earlier->small_numbers_are_wrong)
        return "the task numbers of this list need more than 31 bits: use 64 bits in every variable that "
               "holds one" +
               kit::task(1);
    return "";
}

/// Explains a plain write that sets the counter while the kernel updates it: no barrier of a block stops other blocks from claiming.
kit::Said cause_of(const kit::facts::Finding& race) {
    const auto& both = race.accesses;
    const bool sets = race.memory.name == "next" && both.size() == 2 && both[0].atomic != both[1].atomic &&
                      (both[0].atomic ? both[1] : both[0]).write;
    return sets ? "other threads may have claimed before a thread of the same kernel sets the counter: set "
                  "it before the launch" +
                      kit::task(2)
                : "";
}
#endif

void judge(kit::Case& test, const std::vector<Task>& tasks, Call call) {
    const bool small = call.first < (1ull << 30);
    const bool wrong_before = earlier->small_numbers_are_wrong;
    earlier->small_numbers_are_wrong = wrong_before || small;  // until this case has passed
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::out_of_bounds,
                 [call](const kit::facts::Finding& found) { return cause_of(found, call); });
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& found) { return cause_of(found); });
#endif
    const Words words = table(test.random());
    const int n = static_cast<int>(tasks.size());
    auto in = test.input("tasks", tasks);
    auto steps = test.input("table", words);
    auto out = test.output<std::uint32_t>("out", tasks.size());
    auto next = test.output<unsigned long long>("next", 1);
    const Did did = counted_call(test, [&] {
        work_queues::batched_counter(in.data(), call.first, n, steps.data(), out.data(), next.data(),
                                     call.batch, call.blocks);
    });
    const Words want = results(words, tasks);
    if (out.values() == want) earlier->small_numbers_are_wrong = wrong_before;
    test.expect(out, want);
    const unsigned long long counted = next.values()[0],
                             end = call.first + static_cast<unsigned long long>(n);
    test.check(counted >= end, "*next is " + std::to_string(counted) +
                                   " after the call, but the tasks end at " + std::to_string(end) +
                                   ": add the size of each batch to it" + kit::task(2));
    const auto batch = static_cast<std::uint64_t>(call.batch);
    const std::uint64_t workers = static_cast<std::uint64_t>(call.blocks) * work_queues::kBlock;
    if (n == 0)
        test.check(counted <= end + (workers + 1) * batch,
                   "*next is " + std::to_string(counted) + " after a call without tasks, expected " +
                       std::to_string(end) + ": set the counter even if there are no tasks" + kit::task(2));
    judge_threads(test, did, call.blocks, kit::named_task(1));
    judge_stores(test, did, tasks.size(), kit::named_task(1));
    judge_claims(test, did, tasks.size(), batch, n == 0 ? 0 : workers,
                 call.batch == 1 ? "each task" : "each " + kit::count_of(call.batch, "task"),
                 kit::named_task(1));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("15_work_queues", "batched_counter", argc, argv);
    // The counter begins before `first`.
    grader.task(2, kit::About().on("out").position(kit::facts::Memory::Position::before));
    grader.task(1, kit::About().on("out"));
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::race, kit::Diagnosis::tail,
                    kit::Diagnosis::not_written});
    grader.task(2, {kit::Diagnosis::uninitialised, kit::Diagnosis::second_call, kit::Diagnosis::timeout});
    for (const int batch : {1, 8, 16, 32}) {
        for (const int n : {0, 1, 31, 255, 257, 3001}) {
            grader.add("batch " + std::to_string(batch) + ", n=" + std::to_string(n), [=](kit::Case& test) {
                judge(test, heavy_tail(test.random(), n), {0, batch, 2});
            });
        }
    }
    grader.add("batch 5, one block, n=5003", [](kit::Case& test) {
        judge(test, heavy_tail(test.random(), 5003), {1000, 5, 1});
    });
    grader.add("batch 64, more workers than batches", [](kit::Case& test) {
        judge(test, heavy_tail(test.random(), 700), {0, 64, 3});
    });
    grader.add("numbers beyond 2^31", [](kit::Case& test) {
        judge(test, heavy_tail(test.random(), 2000), {(1ull << 31) - 1000, 8, 1});
    });
    grader.add("numbers beyond 2^32", [](kit::Case& test) {
        judge(test, heavy_tail(test.random(), 2000), {(1ull << 32) - 1000, 8, 1});
    });
    grader.add("the last claims go beyond 2^32", [](kit::Case& test) {
        judge(test, heavy_tail(test.random(), 2000), {(1ull << 32) - 2001, 32, 1});
    });
    grader.add("two calls, one counter", [](kit::Case& test) {
        const Words words = table(test.random());
        auto steps = test.input("table", words);
        auto next = test.output<unsigned long long>("next", 1);
        for (const int n : {2000, 700}) {
            const std::vector<Task> tasks = heavy_tail(test.random(), n);
            auto in = test.input("tasks", tasks);
            auto out = test.output<std::uint32_t>("out", tasks.size());
            test.call([&] {
                work_queues::batched_counter(in.data(), 0, n, steps.data(), out.data(), next.data(), 8, 1);
            });
            test.expect(out, results(words, tasks));
        }
    });
#ifndef KIT_CPU
    grader.add("4000037 tasks",
               [](kit::Case& test) {
                   judge(test, heavy_tail(test.random(), 4000037), {0, 8, 528});
               },
               {60, true});
#endif
    return grader.run();
}
