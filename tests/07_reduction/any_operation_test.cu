// Grades 07_reduction/any_operation: six operations, each with the inputs at which its identity matters.
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "07_reduction/07_reduction.hpp"
#include "07_reduction/shared_work.hpp"
#include "grader.cuh"

namespace {

using reduction::kMaxBlocks;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Reduces from left to right on the host, with the test's own identity, not the student's.
template <class T, class Operation>
T reference(const std::vector<T>& values, std::size_t count, Operation operation, T identity) {
    T result = identity;
    for (std::size_t i = 0; i < count; ++i) result = operation(result, values[i]);
    return result;
}

template <class T, class Operation>
T run(kit::Case& test, const std::vector<T>& values, Operation operation, kit::Output<T>& out) {
    auto in = test.input("in", values);
    auto partials = test.output<T>("partials", kMaxBlocks);
    if (values.size() > 20000) test.skip_if_work_is_repeated();
    test.call([&] {
        reduction::any_operation(in.data(), static_cast<int>(values.size()), operation, partials.data(),
                                 out.data());
    });
    test.watch_loads((values.size() + values.size() / 2 + kMaxBlocks) * sizeof(T));
    return out.values()[0];
}

/// Compares one value, and recognizes mistakes from it.
template <class T, class Operation>
void judge(kit::Case& test, const std::vector<T>& values, Operation operation, T identity,
           kit::Tolerance tolerance = kit::exact()) {
    auto out = test.output<T>("out", 1);
    run(test, values, operation, out);
    const std::size_t n = values.size(), tile = reduction::kTile, block = reduction::kBlock;
    const T want = reference(values, n, operation, identity);
    auto prefix = [&](std::size_t count) {
        return std::vector<T>{reference(values, count, operation, identity)};
    };
    if (n % tile != 0 && n > tile)
        test.mistake(kit::Diagnosis::tail, prefix(n / tile * tile),
                     "the end is left out: include the elements that do not fill the last block");
    if (n > tile)
        test.mistake(kit::Diagnosis::first_block_only, prefix(tile),
                     "only the first 512 values count: combine the results of all blocks");
    if (n > block)
        test.mistake(
            kit::Diagnosis::first_block_only, prefix(block),
            "only the first 256 values count: let each thread load its second value, and combine all blocks");
    // All blocks process kMaxBlocks * tile elements in one round. A second launch of one round leaves those of `tile` blocks.
    for (const std::size_t round : {kMaxBlocks * tile, tile * tile})
        if (n > round)
            test.mistake(kit::Diagnosis::tail, prefix(round),
                         "only the first " + kit::count_of(round, "value") +
                             " count, as many as all blocks process in one round: let each thread "
                             "continue until the "
                             "end of the input" +
                             kit::task(2));
    const std::vector<T> with_zero = {operation(want, T{0})};
    test.mistake(kit::Diagnosis::wrong_value, with_zero,
                 "this is the result with a 0 among the values: store the identity of the operation instead");
    test.expect(out, {want}, tolerance);
}

void sum(kit::Case& test, int n) {
    judge(test, kit::integers<float>(test.random(), n, -200, 200), reduction::Sum{}, 0.0f);
}

/// Returns how many times each of these elements counts in the results of the blocks, measured with a 1 at that element and 0
/// elsewhere. Returns an empty list if that reveals nothing.
std::vector<float> times_counted(kit::Case& test, std::size_t n, const std::vector<int>& places) {
    std::vector<float> times;
    auto out = test.output<float>("out", 1);
    auto partials = test.output<float>("partials", kMaxBlocks);
    for (int k = -1; k < static_cast<int>(places.size()); ++k) {
        std::vector<float> values(n, 0.0f);
        if (k >= 0) values[static_cast<std::size_t>(places[static_cast<std::size_t>(k)])] = 1;
        auto in = test.input("in", values);
        partials.reset();
        test.call([&] {
            reduction::any_operation(in.data(), static_cast<int>(n), reduction::Sum{}, partials.data(),
                                     out.data());
        });
        float sum = 0;
        for (const float value : partials.values())
            if (!kit::detail::is_poison(value)) sum += value;
        if (k < 0 && sum != 0) return {};  // the identity is not 0
        if (k >= 0) times.push_back(sum);
    }
    if (std::all_of(times.begin(), times.end(), [](float one) { return one == 0; })) return {};
    return times;
}

/// Uses one element per thread, then several. Which elements count how many times determines the wrong task.
void shares_and_tree(kit::Case& test) {
    const std::vector<int> in_a_block = {0, 1, 2, 77, 128, 255}, anywhere = {0, 300, 511, 512, 2000, 4095};
    const std::vector<float> times = times_counted(test, reduction::kBlock, in_a_block);
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k] == 1) continue;
        const bool alike = std::count(times.begin(), times.end(), times[0]) == std::int64_t(times.size());
        return test.check(
            false,
            "with one element per thread, element " + std::to_string(in_a_block[k]) + " is used " +
                kit::detail::to_text(times[k]) + " times: " +
                (alike ? "let each thread use its own elements once" + kit::task(2)
                       : "the tree skips some elements or uses them more than once, so check its strides" +
                             kit::task(3)),
            kit::Diagnosis::part);
    }
    const std::vector<float> shared = times_counted(test, 8 * reduction::kTile, anywhere);
    for (std::size_t k = 0; k < shared.size(); ++k) {
        if (shared[k] == 1) continue;
        return test.check(false,
                          "of 4096 elements, element " + std::to_string(anywhere[k]) + " counts " +
                              kit::detail::to_text(shared[k]) +
                              " times in the results of the blocks: check which elements each thread loads" +
                              kit::task(2),
                          kit::Diagnosis::part);
    }
    test.check(true, "");
}

void sum_of_heavy_tails(kit::Case& test, int n) {
    auto values = kit::heavy_tailed<float>(test.random(), n);
    auto out = test.output<float>("out", 1);
    run(test, values, reduction::Sum{}, out);
    const double want = std::accumulate(values.begin(), values.end(), 0.0);
    double scale = 0;
    for (float value : values) scale += std::fabs(value);
    test.expect(out, {static_cast<float>(want)}, kit::tolerance_sum<float>(n, scale));
}

void product(kit::Case& test, int n) {
    auto values = kit::uniform<double>(test.random(), n, 0.5, 1.9);
    for (double& value : values) value = std::pow(value, 60.0 / (60 + n));  // keeps the product in range
    // Without a value, every thread has a 1, in both launches.
    if (n == 0)
        test.mistake(
            kit::Diagnosis::part, std::vector<double>{2.0 * reduction::kBlock - 1},
            "the tree adds the identities of the threads: combine two elements with `operation` instead" +
                kit::task(3));
    judge(test, values, reduction::Product{}, 1.0, kit::tolerance(0, (n + 4) * 2e-16));
}

void minimum(kit::Case& test, int n, int low, int high) {
    judge(test, kit::integers<int>(test.random(), n, low, high), reduction::Min{},
          std::numeric_limits<int>::max());
}

void maximum(kit::Case& test, int n, double low, double high) {
    judge(test, kit::uniform<float>(test.random(), n, low, high), reduction::Max{}, -infinity);
}

void product_modulo(kit::Case& test, int n, unsigned int modulus) {
    auto values = kit::integers<unsigned int>(test.random(), n, 1, modulus - 1);
    judge(test, values, reduction::ProductModulo{modulus}, 1u % modulus);
}

void cover(kit::Case& test, int n, double low, double high) {
    auto middles = kit::uniform<float>(test.random(), n, low, high);
    auto widths = kit::uniform<float>(test.random(), n, 0, 1);
    std::vector<reduction::Interval> values(n);
    for (int i = 0; i < n; ++i) values[i] = {middles[i] - widths[i], middles[i] + widths[i]};
    auto out = test.output<reduction::Interval>("out", 1);
    const reduction::Interval got = run(test, values, reduction::Cover{}, out);
    const auto want = reference(values, n, reduction::Cover{}, reduction::Interval{infinity, -infinity});
    test.expect<float>("low end of out", {got.low}, {want.low});
    test.expect<float>("high end of out", {got.high}, {want.high});
}

/// The extreme is at a single place, so that the function must examine every place.
void one_maximum(kit::Case& test, int n, const std::vector<int>& places) {
    auto values = kit::uniform<float>(test.random(), n, -2, -1);
    for (int place : places) {
        auto planted = values;
        planted[place] = -0.5f;
        judge(test, planted, reduction::Max{}, -infinity);
    }
}

void two_calls(kit::Case& test) {
    auto many = kit::integers<int>(test.random(), 70000, -1000000, 1000000);
    auto few = kit::integers<int>(test.random(), 700, 5, 1000000);
    judge(test, many, reduction::Min{}, std::numeric_limits<int>::max());
    judge(test, few, reduction::Min{}, std::numeric_limits<int>::max());
}

#ifdef KIT_CPU
void count_work(kit::Case& test) {
    const auto values = kit::integers<float>(test.random(), 40000, -200, 200);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", 1);
    auto partials = test.output<float>("partials", kMaxBlocks);
    const auto counters = shared_work::call(test, in, values.size(), [&] {
        reduction::any_operation(in.data(), static_cast<int>(values.size()), reduction::Sum{},
                                 partials.data(), out.data());
    });
    test.demand("kernels", kit::between(counters.blocks, 3, kMaxBlocks + 1),
                "the kernels launch " + kit::count_of(counters.blocks, "block") +
                    " in total, expected 3 to " + std::to_string(kMaxBlocks + 1) +
                    ": let many blocks reduce a share each, and one block reduce their results");
    test.method(
        "kernels", counters.kernels == 2 || counters.blocks <= 2,
        {"a reduction in two launches", "you launched " + kit::detail::count_of(counters.kernels, "kernel"),
         "The end of the first kernel is a barrier for all blocks, and it needs no fence and no counter. "
         "single_pass shows what it takes to do without it.",
         4});
    shared_work::expect_meetings(test, counters, 4, "a tree");
    test.expect(out, {reference(values, values.size(), reduction::Sum{}, 0.0f)}, kit::exact());
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "any_operation", argc, argv);
    grader.task(1, {kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::tail});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(4, {kit::Diagnosis::first_block_only, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::not_written, kit::Diagnosis::uninitialised});
    grader.task(4, kit::About().fix(kit::facts::Fix::stream_of_kernels));
    grader.task(4, kit::About().demand("threads").demand("kernels"));
    auto add = [&](const std::string& name, auto body) { grader.add(name, body); };
    add("sum, which elements count", shares_and_tree);
    for (int n : kit::sizes(reduction::kTile)) {
        const std::string size = ", n=" + std::to_string(n);
        add("sum" + size, [n](kit::Case& test) { sum(test, n); });
        add("max of negative numbers" + size, [n](kit::Case& test) { maximum(test, n, -9, -1); });
    }
    for (int n : {0, 1, 255, 1025, 40007}) {
        const std::string size = ", n=" + std::to_string(n);
        add("product" + size, [n](kit::Case& test) { product(test, n); });
        add("min of positive numbers" + size, [n](kit::Case& test) { minimum(test, n, 3, 1 << 30); });
        add("min of any numbers" + size, [n](kit::Case& test) { minimum(test, n, -(1 << 30), 1 << 30); });
        add("product modulo 65521" + size, [n](kit::Case& test) { product_modulo(test, n, 65521); });
        add("cover" + size, [n](kit::Case& test) { cover(test, n, 5, 9); });
    }
    add("product modulo 4294967291, n=3001",
        [](kit::Case& test) { product_modulo(test, 3001, 4294967291u); });
    add("sum, heavy tails, n=30011", [](kit::Case& test) { sum_of_heavy_tails(test, 30011); });
    add("max of minus infinities, n=300", [](kit::Case& test) {
        judge(test, std::vector<float>(300, -infinity), reduction::Max{}, -infinity);
    });
    add("one maximum, n=2000", [](kit::Case& test) {
        one_maximum(test, 2000, {0, 2, 31, 255, 256, 511, 512, 1000, 1998, 1999});
    });
    grader.add("one maximum, beyond what one round of the grid takes",
               [](kit::Case& test) { one_maximum(test, 600011, {600010}); }, {30, true});
    add("two calls", two_calls);
#ifdef KIT_CPU
    add("work, counted", count_work);
#endif
    return grader.run();
}
