// Grades 17_device_graphs/device_launch: the clipped values, their sum, and which graphs were launched.
#include <algorithm>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;

struct Owned {
    explicit Owned(device_graphs::ClippingGraphs graphs) : graphs(graphs) {}
    ~Owned() {
        for (cudaGraphExec_t exec : {graphs.main, graphs.sum})
            if (exec != nullptr) cudaGraphExecDestroy(exec);
        for (cudaGraphExec_t exec : graphs.clip)
            if (exec != nullptr) cudaGraphExecDestroy(exec);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    bool complete() const {
        for (cudaGraphExec_t exec : graphs.clip)
            if (exec == nullptr) return false;
        return graphs.main && graphs.sum;
    }
    device_graphs::ClippingGraphs graphs;
};

/// Checks the launches of the kernel of `main`.
void demand_launches(kit::Case& test, const Ran& ran, const std::vector<int>& over) {
    test.demand("launches by kernels", kit::unless(ran.by_device < 1, kit::exactly(ran.tails, 1)),
                std::to_string(ran.tails) + " of " + count_of(ran.by_device, "graph") +
                    " launched by kernels into the tail: launch only `sum` there, and the parts as "
                    "fire-and-forget, so that they can start immediately" +
                    kit::task(1));
    const auto parts = static_cast<std::uint64_t>(
        std::count_if(over.begin(), over.end(), [](int number) { return number > 0; }));
    test.demand("launches by kernels", kit::exactly(ran.by_device, parts + 1),
                count_of(ran.by_device, "graph") + " launched by kernels, expected " +
                    std::to_string(parts + 1) + ": launch `sum`, " +
                    (parts == 0 ? std::string("and no part, because no value is over the limit")
                                : "and the " + count_of(parts, "part") + " with values over the limit") +
                    kit::task(1));
}

/// Launches the same instances several times, with values up to each of these.
void run(kit::Case& test, int n, int limit, const std::vector<int>& most) {
    Stream stream;
    auto values = test.output<int>("values", n);
    auto over = test.output<int>("over", device_graphs::kParts);
    auto total = test.output<unsigned long long>("total", 1);
    const device_graphs::Clipping work = {values.data(), n, limit, over.data(), total.data()};
    // A launch inside the function is reported as such, not as a wrong read.
    overwrite(test, values.data(), std::vector<int>(static_cast<std::size_t>(n), 2 * limit + 1));
    overwrite(test, total.data(), std::vector<unsigned long long>{0});
    const Owned made(made_by(test, [&] { return device_graphs::build_clipping(work, stream); }));
    test.check(made.complete(), "an instance is missing: return all of them");
    if (!made.graphs.main) return;
    test.explain(kit::Diagnosis::cuda_error, [](const kit::facts::Finding& found) -> kit::Said {
        return found.rule == kit::facts::Rule::launched_active
                   ? "several threads launch the same graph: let one thread launch `sum`, and one thread "
                     "each "
                     "graph of a part" +
                         kit::task(1)
                   : "";
    });
    for (const int largest : most) {
        std::vector<int> now = kit::integers<int>(test.random(), n, 0, largest);
        overwrite(test, values.data(), now);
        over.reset();
        total.reset();
        const Ran ran = launch(test, made.graphs.main, stream);
        std::vector<int> want_over(device_graphs::kParts);
        unsigned long long want = 0, unclipped = 0;
        for (std::size_t i = 0; i < now.size(); ++i) {
            int& value = now[i];
            unclipped += static_cast<unsigned long long>(value);
            want_over[i / static_cast<std::size_t>(work.width())] += value > limit;
            value = std::min(value, limit);
            want += static_cast<unsigned long long>(value);
        }
        test.expect(over, want_over, kit::exact());
        if (is_counted) demand_launches(test, ran, want_over);
        test.check(
            total.values()[0] != unclipped || unclipped == want,
            "*total is the sum of the values before they were clipped: let `sum` start after the parts, "
            "so launch the parts as fire-and-forget and `sum` into the tail" +
                kit::task(1, 4));
        test.expect(values, now, kit::exact());
        test.expect(total, {want}, kit::exact());
    }
}

/// Refuses the launch with this number: the kernel must end with an error.
[[maybe_unused]] void run_refused(kit::Case& test, unsigned failing) {
    Stream stream;
    std::vector<int> one_over(300, 100);
    one_over[100] = 900;  // The kernel launches two graphs: one part, and the sum.
    auto values = test.inout("values", one_over);
    auto over = test.inout("over", std::vector<int>(device_graphs::kParts));
    auto total = test.inout("total", std::vector<unsigned long long>{0});
    const device_graphs::Clipping work = {values.data(), 300, 500, over.data(), total.data()};
    const Owned made(made_by(test, [&] { return device_graphs::build_clipping(work, stream); }));
    expect_end(
        test, made.graphs.main, stream, failing,
        "a launch by the kernel was refused, but the kernel ended as if it had worked: pass the result of "
        "each cudaGraphLaunch to expect_launched()" +
            kit::task(1));
}

[[maybe_unused]] void left_behind(kit::Case& test) {
    Stream stream;
    auto values = test.inout("values", std::vector<int>(300, 900));
    auto over = test.inout("over", std::vector<int>(device_graphs::kParts));
    auto total = test.inout("total", std::vector<unsigned long long>{0});
    const device_graphs::Clipping work = {values.data(), 300, 500, over.data(), total.data()};
    const Owned made(made_by(test, [&] { return device_graphs::build_clipping(work, stream); }));
    expect_nothing_left(test, {0, device_graphs::kParts + 2}, kit::task(2, 4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "device_launch", argc, argv);
    grader.task(3,
                kit::About().kernel("device_graphs::clip_values").diagnosis(kit::Diagnosis::out_of_bounds));
    grader.task(3, kit::About().rule(kit::facts::Rule::grid_without_blocks));
    for (const char* kernel : {"device_graphs::clip_values", "device_graphs::sum_values"})
        grader.task(1, kit::About().kernel(kernel));
    grader.task(4, kit::About().fix(kit::facts::Fix::edge));
    grader.task(4, kit::About().output("over"));
    for (const char* name : {"over", "total"})
        grader.task(4, kit::About().on(name).diagnosis(kit::Diagnosis::uninitialised));
    grader.task(2, kit::About().demand("graph launches"));
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(2, kit::About().rule(kit::facts::Rule::launched_not_uploaded));
    grader.task(2, kit::About().rule(kit::facts::Rule::launched_not_for_device));
    grader.task(4, {kit::Diagnosis::cuda_error});
    for (int n : {1, 9, 255, 256, 257, 4099}) {
        grader.add("n=" + std::to_string(n) + ", some values over the limit", [n](kit::Case& test) {
            run(test, n, 500, {1000, 2000, 100000});
        });
    }
    grader.add("nothing to clip", [](kit::Case& test) { run(test, 700, 500, {500, 10, 0}); });
    grader.add("something, nothing, something", [](kit::Case& test) {
        run(test, 700, 500, {900, 500, 900});
    });
    grader.add("n=5, the last part is empty", [](kit::Case& test) { run(test, 5, 500, {100000, 400}); });
    grader.add("a limit of 0", [](kit::Case& test) { run(test, 300, 0, {5, 0, 5}); });
#ifdef KIT_CPU  // it counts what is left behind, and can refuse a call
    grader.add("nothing is left behind", left_behind);
    for (const unsigned failing : {0u, 1u})
        grader.add(
            failing ? "the second launch by a kernel is refused" : "the first launch by a kernel is refused",
            [failing](kit::Case& test) { run_refused(test, failing); }, ends_with_an_error);
#else
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003, 500, {1000, 400}); }, {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"nothing to clip"},
                                        error_handling::Checked::all);
    return grader.run();
}
