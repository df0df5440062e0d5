// Grades 15_work_queues/persistent: one launch that fills the device, and a queue that is ready again.
#include <algorithm>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "15_work_queues/tasks.hpp"
#include "grader/devices.hpp"

namespace {

using namespace queues_test;
using work_queues::kBlock;
using work_queues::Queue;

int attribute(kit::Case& test, cudaDeviceAttr which) {
    int value = 0;
    test.cuda(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

/// Returns how many blocks with the table in shared memory all multiprocessors hold together, by the scarcest resource.
int resident(kit::Case& test) {
    const int table_bytes = work_queues::kTable * 4;
    const int by_shared = attribute(test, cudaDevAttrMaxSharedMemoryPerMultiprocessor) /
                          (table_bytes + attribute(test, cudaDevAttrReservedSharedMemoryPerBlock));
    const int by_threads = attribute(test, cudaDevAttrMaxThreadsPerMultiProcessor) / kBlock;
    return attribute(test, cudaDevAttrMultiProcessorCount) * std::min(by_shared, by_threads);
}

void judge(kit::Case& test, const std::vector<std::vector<Task>>& lists) {
    const Words words = table(test.random());
    auto steps = test.input("table", words);
    auto queue = test.inout("queue", std::vector<Queue>{{0, 0}});
    for (const std::vector<Task>& tasks : lists) {
        const int n = static_cast<int>(tasks.size());
        auto in = test.input("tasks", tasks);
        auto out = test.output<std::uint32_t>("out", tasks.size());
        const Did did = counted_call(
            test, [&] { work_queues::persistent(in.data(), n, steps.data(), out.data(), queue.data()); });
        test.expect(out, results(words, tasks));
        const Queue after = queue.values()[0];
        test.check(after.next == 0 && after.left == 0,
                   "queue->next is " + std::to_string(after.next) + " and queue->left is " +
                       std::to_string(after.left) +
                       " after the call, expected 0 and 0: let the last block that leaves reset both" +
                       kit::task(2),
                   kit::Diagnosis::second_call);
        if (!did.counted) continue;
        test.demand("launches", kit::exactly(did.kernels, n > 0 ? 1 : 0),
                    kit::count_of(did.kernels, "launch") + " for " + kit::count_of(n, "task") +
                        ": launch once, and only if there are tasks" + kit::task(3));
        test.demand("launches", kit::exactly(did.others, 0),
                    did.besides +
                        " is queued in addition to the launch: queue only one launch, and let the last block "
                        "that leaves reset the queue" +
                        kit::task(2));
        const auto fit = static_cast<std::uint64_t>(resident(test));
        const std::uint64_t busy = (tasks.size() + kBlock - 1) / kBlock;
        const std::uint64_t most = std::min(fit, busy);
        test.demand("blocks", kit::at_most(did.blocks, most),
                    kit::count_of(did.blocks, "block", "are") + " launched, but the device holds only " +
                        std::to_string(fit) + " with 32 KB of shared memory each, and the tasks fill only " +
                        std::to_string(busy) + ": launch at most the smaller number" + kit::task(3));
        test.demand("blocks", kit::at_least(did.blocks, kit::ceil_div(most, 2)),
                    kit::count_of(did.blocks, "block", "are") + " launched, but there is room and work for " +
                        std::to_string(most) + ": launch as many as the device holds" + kit::task(3));
        judge_stores(test, did, tasks.size(), kit::named_task(1));
        const std::uint64_t claims = (tasks.size() + 31) / 32, warps = 8 * did.blocks;
        test.demand("atomics", kit::at_most(did.atomics_of_one, claims + warps + 2),
                    kit::count_of(did.atomics_of_one, "atomic update") + " of one number, but at most " +
                        std::to_string(claims + warps + 2) +
                        " are needed: let a warp claim 32 tasks with one update");
        std::uint64_t steps_of_all = 0;
        for (const Task& task : tasks) steps_of_all += static_cast<std::uint64_t>(task.steps);
        test.demand("shared loads", kit::at_least(did.shared_loads, steps_of_all),
                    "the tasks have " + kit::count_of(steps_of_all, "step") + ", but only " +
                        kit::count_of(did.shared_loads, "word", "were") +
                        " read from shared memory: let each step read the block's own table" + kit::task(1));
        // A block reads from global memory the table, and a task (one access or two) for each result.
        const std::uint64_t loads = did.blocks * (work_queues::kTable + 64) + 2 * tasks.size();
        test.demand("loads", kit::at_most(did.loads, loads),
                    kit::count_of(did.loads, "load") + " of global memory, but at most " +
                        std::to_string(loads) + " are needed: let each block copy the table once" +
                        kit::task(1));
    }
}

void work_in_probe(const std::function<void()>& begin) {
    kit::DeviceBuffer<Task> tasks(std::vector<Task>(10, Task{1, 1}));
    kit::DeviceBuffer<std::uint32_t> words(Words(work_queues::kTable, 1)), out(10);
    kit::DeviceBuffer<Queue> queue(std::vector<Queue>{{0, 0}});
    begin();
    work_queues::persistent(tasks.data(), 10, words.data(), out.data(), queue.data());
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(work_in_probe);
    kit::Grader grader("15_work_queues", "persistent", argc, argv);
    grader.task(1,
                {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(1, kit::About().rule(kit::facts::Rule::race).on("local"));
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::second_call});
    grader.task(3, {kit::Diagnosis::cuda_error});
    grader.task(3, kit::About().memory(kit::facts::Memory::Kind::no_shared));
    for (const int bytes : {0, 4, 32, 1024, work_queues::kTable})  // the launch passes too little
        grader.task(3, kit::About().on("local").bytes(static_cast<std::uint64_t>(bytes)));
    for (const int n : {0, 1, 31, 33, 255, 257, 3001}) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) {
            const kit::CurrentDevice device("t4");  // a small device: even too many blocks are few
            judge(test, {heavy_tail(test.random(), n)});
        });
    }
    grader.add("three calls, one queue", [](kit::Case& test) {
        const kit::CurrentDevice device("t4");
        judge(test, {heavy_tail(test.random(), 2000), heavy_tail(test.random(), 300),
                     heavy_tail(test.random(), 2000)});
    });
    // The executor acts as an A100, which holds fewer threads than an H200: 110,592 instead of 202,752. (On a T4, one block
    // per multiprocessor would be correct.)
    grader.add("more tasks than threads",
               [](kit::Case& test) {
                   const kit::CurrentDevice device("a100");
                   std::vector<Task> tasks = alike(test.random(), resident(test) * kBlock + 1000, 1);
                   judge(test, {tasks});
               },
               {60, true});
    error_handling::add_failing_calls(grader, kit::named_task(3));
    return grader.run();
}
