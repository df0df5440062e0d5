// Grades 07_reduction/single_pass: the whole sum in double, in one launch, repeated calls with the same
// bits.
#include <string>
#include <vector>

#include "07_reduction/shared_work.hpp"
#include "07_reduction/whole_sum.hpp"

namespace {

using namespace reduction_test;

/// Integers: their sum is exact in any order, so every missing or doubled element changes it by a
/// recognizable amount.
void judge_exact(kit::Case& test, const std::vector<float>& values) {
    const int n = static_cast<int>(values.size());
    auto in = test.input("in", values);
    auto out = test.output<double>("out", 1);
    CheckedWorkspace workspace(test);
    explain_ticket(test);
    test.call([&] { reduction::single_pass(in.data(), n, out.data(), workspace.get()); });
    auto prefix = [&](int count) { return std::vector<double>{reference(values, 0, count).sum}; };
    if (n > reduction::kTile) {
        test.mistake(kit::Diagnosis::tail, prefix(n / reduction::kTile * reduction::kTile),
                     "the end is left out: include the elements that do not fill the last block");
        test.mistake(kit::Diagnosis::first_block_only, prefix(reduction::kTile),
                     "only the first 512 values count: combine the sums of all blocks");
    }
    workspace.expect_end(test, out.values()[0], prefix(n)[0]);
    test.expect(out, prefix(n), kit::exact());
    workspace.expect_ready(test);
}

/// Compares with a sum in double, and reports a result that has only the precision of a float.
void judge_precision(kit::Case& test, const std::vector<float>& values) {
    auto in = test.input("in", values);
    auto out = test.output<double>("out", 1);
    CheckedWorkspace workspace(test);
    const int n = static_cast<int>(values.size());
    test.call([&] { reduction::single_pass(in.data(), n, out.data(), workspace.get()); });
    const Sums want = reference(values, 0, values.size());
    const kit::Tolerance tolerance = kit::tolerance_sum<double>(n, want.magnitude);
    const double error = std::fabs(out.values()[0] - want.sum);
    const double of_a_float = n * 1e-7 * want.magnitude;
    if (error > tolerance.abs && error <= of_a_float) {
        test.fail(kit::Diagnosis::precision, "the sum is off by " + bits(error) +
                                                 ", but with double it would be within " +
                                                 bits(tolerance.abs) + ": add in double everywhere");
    }
    test.expect(out, {want.sum}, tolerance);
}

void judge_several_calls(kit::Case& test) {
    auto out = test.output<double>("out", 1);
    CheckedWorkspace workspace(test);
    for (int n : {20000, 100, 0, 60000, 1, 20000}) {
        auto values = kit::integers<float>(test.random(), n, -1000, 1000);
        auto in = test.input("in", values);
        out.reset();
        test.call([&] { reduction::single_pass(in.data(), n, out.data(), workspace.get()); });
        test.expect(out, {reference(values, 0, n).sum}, kit::exact());
        workspace.expect_ready(test);
    }
}

#ifdef KIT_CPU
void count_launches(kit::Case& test) {
    auto values = kit::integers<float>(test.random(), 30000, -1000, 1000);
    auto in = test.input("in", values);
    auto out = test.output<double>("out", 1);
    CheckedWorkspace workspace(test);
    const auto kernels = shared_work::call(test, in, values.size(), [&] {
                             reduction::single_pass(in.data(), 30000, out.data(), workspace.get());
                         }).kernels;
    test.check(kernels == 1,
               kit::count_of(kernels, "kernel", "were") +
                   " launched, but only one is allowed: let the last block add the partial sums");
    // Traces the block that finishes last. In the forward order, that is the block with the highest index.
    const int blocks = kit::ceil_div(30000, reduction::kTile);
    kit::cpu::set_schedule(kit::cpu::Order::forward, 1);
    kit::cpu::trace_thread(blocks - 1, 0);
    test.call([&] { reduction::single_pass(in.data(), 30000, out.data(), workspace.get()); });
    const char* const partials = reinterpret_cast<const char*>(workspace.get().partials);
    int read = 0;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace())
        read +=
            !access.write && access.address >= partials && access.address < partials + blocks * sizeof(double)
                ? 1
                : 0;
    test.check(read * 2 < blocks,
               "one thread reads " + std::to_string(read) + " of " + std::to_string(blocks) +
                   " partial sums: share them among all threads of the last block" + kit::task(2));
    test.expect(out, {reference(values, 0, values.size()).sum}, kit::exact());
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "single_pass", argc, argv);
    grader.task(1, {kit::Diagnosis::not_written, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::first_block_only, kit::Diagnosis::tail,
                    kit::Diagnosis::precision, kit::Diagnosis::race});
    grader.task(3, {kit::Diagnosis::second_call});
    grader.task(
        1, kit::About().rule(kit::facts::Rule::race).on("workspace.partials"));  // passed on without an order
    // Threads that do not see one value of is_last part, or part in Task 2.
    for (const int task : {1, 2}) grader.task(task, kit::About().rule(kit::facts::Rule::threads_missing));
    for (int n : kit::sizes(reduction::kTile)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) {
            judge_exact(test, kit::integers<float>(test.random(), n, -100000, 100000));
        });
    }
    grader.add("n=10007, spikes at the edges of the blocks", [](kit::Case& test) {
        judge_exact(test, kit::spikes<float>(test.random(), 10007, reduction::kTile));
    });
    grader.add(
        "more elements than one round of the grid takes, n=600011",
        [](kit::Case& test) { judge_exact(test, kit::integers<float>(test.random(), 600011, -1000, 1000)); },
        large);
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=33600003",
               [](kit::Case& test) {
                   judge_exact(test, kit::integers<float>(test.random(), 33600003, -1000, 1000));
               },
               {60, true});
#endif
    grader.add("large values that cancel, n=50021",
               [](kit::Case& test) { judge_precision(test, cancelling(test.random(), 50021)); });
    grader.add("heavy tails, n=50021", [](kit::Case& test) {
        judge_precision(test, kit::heavy_tailed<float>(test.random(), 50021));
    });
    grader.add("several calls, one workspace", judge_several_calls);
    grader.add("equal calls, equal bits, n=40009", [](kit::Case& test) {
        expect_same_bits<double>(test, reduction::single_pass, many_magnitudes(test.random(), 40009));
    });
#ifdef KIT_CPU
    grader.add("launches, counted", count_launches);
#endif
    return grader.run();
}
