// Grades 17_device_graphs/scheduler: tasks in their order, and how many launches they took.
#include <string>
#include <vector>

#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;
using device_graphs::Task;

struct Owned {
    explicit Owned(device_graphs::Scheduler made) : made(made) {}
    ~Owned() {
        for (cudaGraphExec_t exec : {made.scheduler, made.triple, made.square})
            if (exec != nullptr) cudaGraphExecDestroy(exec);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    device_graphs::Scheduler made;
};

/// Launches the scheduler with all tasks, then with the first half of them.
void run(kit::Case& test, int n, const std::vector<Task>& tasks) {
    Stream stream;
    auto list = test.input("tasks", tasks.empty() ? std::vector<Task>{{0, 0, 0}} : tasks);
    auto count = test.output<int>("count", 1);
    auto next = test.output<int>("next", 1);
    auto current = test.output<Task>("current", 1);
    auto data = test.output<unsigned>("data", n);
    const device_graphs::Agenda agenda = {list.data(), count.data(), next.data(), current.data(),
                                          data.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_scheduler(agenda, stream); }));
    test.check(owned.made.scheduler && owned.made.triple && owned.made.square, "an instance is missing");
    if (!owned.made.scheduler) return;
    for (const std::size_t some : {tasks.size(), tasks.size() / 2}) {
        std::vector<unsigned> want = kit::integers<unsigned>(test.random(), n, 0, 1000);
        overwrite(test, count.data(), std::vector<int>{static_cast<int>(some)});
        overwrite(test, next.data(), std::vector<int>{0});
        overwrite(test, data.data(), want);
        const Ran ran = launch(test, owned.made.scheduler, stream);
        for (std::size_t t = 0; t < some; ++t) {
            for (int i = 0; i < tasks[t].count; ++i) {
                unsigned& x = want[static_cast<std::size_t>(tasks[t].first + i)];
                x = tasks[t].kind == 0 ? 3 * x + 1 : x * x;
            }
        }
        test.expect(data, want, kit::exact());
        test.equal("*next", next.values()[0], static_cast<int>(some));
        if (!is_counted) continue;
        test.demand("launches by kernels", ran.by_device == 2 * some,
                    count_of(ran.by_device, "graph") + " launched by kernels for " + count_of(some, "task") +
                        "; each has one for its worker and one for the scheduler");
    }
}

std::vector<Task> random_tasks(kit::Random& random, int n, int count) {
    std::vector<Task> tasks;
    for (int t = 0; t < count; ++t) {
        const int first = static_cast<int>(random.integer(0, n - 1));
        tasks.push_back(
            {static_cast<int>(random.integer(0, 1)), first, static_cast<int>(random.integer(0, n - first))});
    }
    return tasks;
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "scheduler", argc, argv);
    grader.task(1, "*next");
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::wrong_value, kit::Diagnosis::timeout});
    grader.task(3, {kit::Diagnosis::cuda_error});
    grader.add("no tasks", [](kit::Case& test) { run(test, 100, {}); });
    grader.add("one task", [](kit::Case& test) { run(test, 100, {{0, 0, 100}}); });
    grader.add("two tasks that do not commute", [](kit::Case& test) {
        run(test, 300, {{0, 0, 300}, {1, 0, 300}});
    });
    grader.add("the same worker twice", [](kit::Case& test) { run(test, 300, {{1, 0, 300}, {1, 0, 300}}); });
    for (int count : {10, 60}) {
        grader.add(std::to_string(count) + " random tasks",
                   [count](kit::Case& test) { run(test, 500, random_tasks(test.random(), 500, count)); });
    }
#ifndef KIT_CPU
    grader.add("2000 random tasks",
               [](kit::Case& test) { run(test, 100000, random_tasks(test.random(), 100000, 2000)); },
               {60, true});
#endif
    return grader.run();
}
