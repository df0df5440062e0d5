// Grades 17_device_graphs/device_update: the steps of the selected values, and the number of blocks that ran for them.
#include <algorithm>
#include <string>
#include <vector>

#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;
using device_graphs::kBlock;

constexpr int untouched = -77777;

int steps_to_one(unsigned x) {
    int steps = 0;
    for (; x > 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    return steps;
}

struct Owned {
    explicit Owned(cudaGraphExec_t exec) : exec(exec) {}
    ~Owned() {
        if (exec != nullptr) cudaGraphExecDestroy(exec);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    cudaGraphExec_t exec;
};

/// Values 1 .. n in random order: a limit of n - k selects exactly k of them. Launches one instance for each k.
void run(kit::Case& test, int n, const std::vector<int>& chosen) {
    Stream stream;
    const std::size_t size = static_cast<std::size_t>(n);
    std::vector<int> values = kit::permutation<int>(test.random(), size);
    for (int& value : values) ++value;
    auto in = test.input("values", values);
    auto limit = test.output<int>("limit", 1);
    auto list = test.output<int>("chosen", size);
    auto count = test.output<int>("count", 1);
    auto steps = test.output<int>("steps", size);
    const device_graphs::Candidates work = {in.data(),    n,           limit.data(), list.data(),
                                            count.data(), steps.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_update(work, stream); }));
    test.check(owned.exec != nullptr, "there is no instance: return one");
    if (owned.exec == nullptr) return;
    for (const int k : chosen) {
        overwrite(test, limit.data(), std::vector<int>{n - k});
        overwrite(test, list.data(), std::vector<int>(size, untouched));
        overwrite(test, steps.data(), std::vector<int>(size, untouched));
        const Ran ran =
            launch(test, owned.exec, stream,
                   k == 0 ? "a change for no value was refused: switch the node off instead" + kit::task(1)
                          : "a change was refused: make the node device-updatable" + kit::task(2) +
                                ", and upload its instance" + kit::task(4));
        std::vector<int> want(size, untouched);
        for (std::size_t i = 0; i < size; ++i)
            if (values[i] > n - k) want[i] = steps_to_one(static_cast<unsigned>(values[i]));
        // The wrong number of blocks explains wrong values.
        const auto all = static_cast<std::uint64_t>(kit::ceil_div(n, kBlock)),
                   needed = static_cast<std::uint64_t>(kit::ceil_div(k, kBlock));
        if (is_counted)
            test.demand("blocks", kit::exactly(ran.blocks, 2 + all + needed),
                        count_of(ran.blocks, "block") + " ran to choose " + std::to_string(k) + " of " +
                            count_of(static_cast<std::uint64_t>(n), "value") + ", expected " +
                            std::to_string(2 + all + needed) + ": 1 each for begin_choice and plan, " +
                            std::to_string(all) + " for choose, and " + std::to_string(needed) +
                            " for count_steps. Check how plan switches the node and sets its grid");
        test.expect(steps, want, kit::exact());
        test.equal("*count: values over the limit", count.values()[0], k,
                   "set it to 0 at each launch, and count each of these values once");
    }
}

/// Refuses the change with this number: the kernel must end with an error.
[[maybe_unused]] void run_refused(kit::Case& test, unsigned failing) {
    Stream stream;
    auto in = test.input("values", std::vector<int>(300, 5));
    auto limit = test.inout("limit", std::vector<int>{1});
    auto list = test.inout("chosen", std::vector<int>(300, untouched));
    auto count = test.output<int>("count", 1);
    auto steps = test.inout("steps", std::vector<int>(300, untouched));
    const device_graphs::Candidates work = {in.data(),   300,          limit.data(),
                                            list.data(), count.data(), steps.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_update(work, stream); }));
    expect_end(
        test, owned.exec, stream, failing,
        "a change by the kernel was refused, but the kernel ended as if it had worked: pass the result of "
        "each change to expect_changed()" +
            kit::task(1));
}

[[maybe_unused]] void left_behind(kit::Case& test) {
    Stream stream;
    auto in = test.input("values", std::vector<int>(300, 5));
    auto limit = test.inout("limit", std::vector<int>{1});
    auto list = test.output<int>("chosen", 300);
    auto count = test.output<int>("count", 1);
    auto steps = test.output<int>("steps", 300);
    const device_graphs::Candidates work = {in.data(),   300,          limit.data(),
                                            list.data(), count.data(), steps.data()};
    const Owned owned(made_by(test, [&] { return device_graphs::build_update(work, stream); }));
    expect_nothing_left(test, {0, 1}, kit::task(4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "device_update", argc, argv);
    grader.task(1,
                {kit::Diagnosis::wrong_value, kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds});
    grader.task(2, kit::About().rule(kit::facts::Rule::change_no_node));
    grader.task(3, kit::About().fix(kit::facts::Fix::edge));
    grader.task(3, kit::About()
                       .rule(kit::facts::Rule::change_not_ordered)
                       .rule(kit::facts::Rule::condition_not_ordered)
                       .rule(kit::facts::Rule::changed_by_two));
    grader.task(4, kit::About()
                       .rule(kit::facts::Rule::change_without_upload)
                       .rule(kit::facts::Rule::change_not_uploaded)
                       .rule(kit::facts::Rule::launched_not_uploaded));
    grader.task(4, {kit::Diagnosis::cuda_error});
    grader.task(1, kit::About().demand("blocks"));
    grader.task(1,
                {kit::Diagnosis::constant_output, kit::Diagnosis::block_offset});  // fewer values than chosen
    grader.add("one value, chosen, not chosen, chosen", [](kit::Case& test) { run(test, 1, {1, 0, 1}); });
    for (int n : {255, 257, 1009}) {
        grader.add("n=" + std::to_string(n) + ", all, none, a few, all", [n](kit::Case& test) {
            run(test, n, {n, 0, 3, n});
        });
    }
    grader.add("one block more, one less", [](kit::Case& test) {
        run(test, 1009, {kBlock, kBlock + 1, kBlock - 1, 2 * kBlock, 1});
    });
    grader.add("none first", [](kit::Case& test) { run(test, 600, {0, 0, 300}); });
#ifdef KIT_CPU  // it counts what is left behind, and can refuse a call
    grader.add("nothing is left behind", left_behind);
    for (const unsigned failing : {0u, 1u, 2u})
        grader.add(
            "change number " + std::to_string(failing + 1) + " by a kernel is refused",
            [failing](kit::Case& test) { run_refused(test, failing); }, ends_with_an_error);
#else
    grader.add("n=100000", [](kit::Case& test) { run(test, 100000, {100000, 10, 0, 99999}); }, {60, true});
#endif
    return grader.run();
}
