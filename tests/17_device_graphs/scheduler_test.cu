// Grades 17_device_graphs/scheduler: tasks in order, and the number of launches.
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

/// Returns the data after the first tasks. `shift` is added to the kind of each task.
std::vector<unsigned> after(const std::vector<Task>& tasks, std::size_t some, std::vector<unsigned> data,
                            int shift) {
    for (std::size_t t = 0; t < some; ++t) {
        for (int i = 0; i < tasks[t].count; ++i) {
            unsigned& x = data[static_cast<std::size_t>(tasks[t].first + i)];
            x = (tasks[t].kind + shift) % 2 == 0 ? 3 * x + 1 : x * x;
        }
    }
    return data;
}

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
    overwrite(test, current.data(), std::vector<Task>{{0, 0, 0}});  // in case the function launches
#ifdef KIT_CPU
    const auto of_another_thread = [](const kit::facts::Finding& found) -> kit::Said {
        const auto by_thread = [](const kit::facts::Who& who) {
            return who.name.find("schedule") != std::string::npos && who.thread.known && who.thread.at[0] > 0;
        };
        bool another = by_thread(found.who);
        for (const kit::facts::Access& access : found.accesses) another = another || by_thread(access.who);
        return another
                   ? "give the node of `schedule` one thread, because only one may take a task and launch" +
                         kit::task(3)
                   : "";
    };
    for (const kit::Diagnosis diagnosis : {kit::Diagnosis::cuda_error, kit::Diagnosis::race})
        test.explain(diagnosis, of_another_thread);
#endif
    const Owned owned(made_by(test, [&] { return device_graphs::build_scheduler(agenda, stream); }));
    test.check(owned.made.scheduler && owned.made.triple && owned.made.square,
               "an instance is missing: return all three");
    if (!owned.made.scheduler) return;
    for (const std::size_t some : {tasks.size(), tasks.size() / 2}) {
        std::vector<unsigned> want = kit::integers<unsigned>(test.random(), n, 0, 1000);
        overwrite(test, count.data(), std::vector<int>{static_cast<int>(some)});
        overwrite(test, next.data(), std::vector<int>{0});
        overwrite(test, data.data(), want);
        const Ran ran = launch(test, owned.made.scheduler, stream);
        const std::vector<unsigned> exchanged = after(tasks, some, want, 1);
        want = after(tasks, some, want, 0);
        if (exchanged != want)
            test.mistake(kit::Diagnosis::wrong_value, exchanged,
                         "each task is done by the worker of the other kind: exchange the two instances" +
                             kit::task(2, 3));
        test.expect(data, want, kit::exact());
        test.equal("*next", next.values()[0], static_cast<int>(some),
                   "draw each task once, and stop at the end of the list");
        if (!is_counted) continue;
        std::uint64_t with_work = 0;
        for (std::size_t t = 0; t < some; ++t) with_work += tasks[t].count > 0;
        test.demand("launches by kernels", kit::between(ran.by_device, with_work, 2 * some),
                    count_of(ran.by_device, "graph") + " launched by kernels for " + count_of(some, "task") +
                        ": launch one worker for each task, and the scheduler at most once for each");
    }
}

/// Refuses the launch with this number: the scheduler must end with an error.
[[maybe_unused]] void run_refused(kit::Case& test, unsigned failing) {
    Stream stream;
    auto list = test.input("tasks", std::vector<Task>{{0, 0, 100}, {1, 0, 100}});
    auto count = test.inout("count", std::vector<int>{2});
    auto next = test.inout("next", std::vector<int>{0});
    auto current = test.inout("current", std::vector<Task>{{0, 0, 0}});
    auto data = test.inout("data", std::vector<unsigned>(100, 1));
    const device_graphs::Agenda agenda = {list.data(), count.data(), next.data(), current.data(),
                                          data.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_scheduler(agenda, stream); }));
    expect_end(
        test, owned.made.scheduler, stream, failing,
        "a launch by the scheduler was refused, but its kernel ended as if it had worked: pass the result "
        "of each cudaGraphLaunch to expect_launched()" +
            kit::task(2));
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

[[maybe_unused]] void left_behind(kit::Case& test) {
    Stream stream;
    auto list = test.input("tasks", std::vector<Task>{{0, 0, 100}});
    auto numbers = test.inout("numbers", std::vector<int>{1, 0});
    auto current = test.inout("current", std::vector<Task>{{0, 0, 0}});
    auto data = test.inout("data", std::vector<unsigned>(100, 1));
    const device_graphs::Agenda agenda = {list.data(), numbers.data(), numbers.data() + 1, current.data(),
                                          data.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_scheduler(agenda, stream); }));
    expect_nothing_left(test, {0, 3}, kit::task(3), kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "scheduler", argc, argv);
    grader.task(1, kit::About().output("*next"));
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(1, kit::About::endless());  // the scheduler never stops
    grader.task(3, kit::About()
                       .rule(kit::facts::Rule::launched_no_instance)
                       .rule(kit::facts::Rule::launched_not_for_device)
                       .rule(kit::facts::Rule::launched_not_uploaded));
    for (const int task : {3, 2})
        grader.task(task,
                    kit::About().fix(kit::facts::Fix::edge));  // the edge to a worker is missing
    grader.task(1, {kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
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
#ifdef KIT_CPU  // it counts what is left behind, and can refuse a call
    grader.add("nothing is left behind", left_behind);
    for (const unsigned failing : {0u, 1u})
        grader.add(
            failing ? "the launch of the scheduler itself is refused" : "the launch of a worker is refused",
            [failing](kit::Case& test) { run_refused(test, failing); }, ends_with_an_error);
#else
    grader.add("2000 random tasks",
               [](kit::Case& test) { run(test, 100000, random_tasks(test.random(), 100000, 2000)); },
               {60, true});
#endif
    return grader.run();
}
