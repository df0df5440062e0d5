// Grades 16_dynamic_parallelism/quicksort: it sorts, it ends for all values, and it handles refused launches.
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "16_dynamic_parallelism/launches.hpp"

namespace {

using namespace nested_test;

using Values = std::vector<int>;

Values uniform(kit::Random& random, int n) {
    return kit::integers<int>(random, n, -2000000000, 2000000000);
}

struct Pattern {
    const char* name;
    std::function<Values(kit::Random&, int)> make;
};

const std::vector<Pattern>& patterns() {
    static const std::vector<Pattern> all = {
        {"random", uniform},
        {"all equal",
         [](kit::Random& random, int n) { return Values(n, static_cast<int>(random.integer(1, 99))); }},
        {"two values", [](kit::Random& random, int n) { return kit::integers<int>(random, n, 6, 7); }},
        {"sorted",
         [](kit::Random& random, int n) {
             Values values = uniform(random, n);
             std::sort(values.begin(), values.end());
             return values;
         }},
        {"reversed",
         [](kit::Random& random, int n) {
             Values values = uniform(random, n);
             std::sort(values.begin(), values.end(), std::greater<int>());
             return values;
         }},
        {"organ pipe",
         [](kit::Random& random, int n) {
             Values values(n);
             const int first = static_cast<int>(random.integer(-50, 50));
             for (int i = 0; i < n; ++i) values[i] = first + std::min(i, n - 1 - i);
             return values;
         }},
        {"few large, many equal",
         [](kit::Random& random, int n) {
             Values values(n, 5);
             for (int i = 0; i < n; i += 97) values[i] = static_cast<int>(random.integer(6, 1000000));
             return values;
         }},
    };
    return all;
}

/// Returns values for which a median of nine, at places (2 k + 1) n / 18, is near the edge of every range: the smaller part has
/// little more than kCutOff values, the larger part has all others. Partitions a range of places as the given code does, and then
/// chooses the values. They also suit other ways to choose a pivot or to partition.
Values near_the_edge(kit::Random&, int n) {
    constexpr int small = nested::kCutOff + 8;  // including the pivot
    Values values(static_cast<std::size_t>(n), 0);
    std::vector<int> range(
        values.size());  // range[i]: index of the value that is at place i of the unsorted rest
    std::iota(range.begin(), range.end(), 0);
    int next = 0;
    while (static_cast<int>(range.size()) > 2 * small) {
        const int count = static_cast<int>(range.size());
        std::vector<int> where(range.size(),
                               0);  // -1: less than the pivot, 0: greater, 1: the pivot, 2: a sample, greater
        for (int k = 0; k < 9; ++k)
            where[static_cast<std::size_t>((2 * k + 1LL) * count / 18)] = k < 4 ? -1 : k == 4 ? 1 : 2;
        int less = 4;
        for (std::size_t i = 0; less < small - 1; ++i)
            if (where[i] == 0) where[i] = -1, ++less;
        int pivot = next + less;
        for (std::size_t i = 0; i < range.size(); ++i)
            if (where[i] == -1)
                values[static_cast<std::size_t>(range[i])] = next++;
            else if (where[i] == 1)
                values[static_cast<std::size_t>(range[i])] = pivot;
        next = pivot + 1;
        std::vector<int> greater;  // in the order in which the threads write them
        for (int t = 0; t < nested::kSortBlock; ++t)
            for (int i = t; i < count; i += nested::kSortBlock)
                if (where[static_cast<std::size_t>(i)] % 2 == 0)
                    greater.push_back(range[static_cast<std::size_t>(i)]);
        range = std::move(greater);
    }
    for (int whose : range) values[static_cast<std::size_t>(whose)] = next++;
    return values;
}

/// Sorts and compares. Returns the counted launches.
Launches judge(kit::Case& test, const Values& values) {
    const int n = static_cast<int>(values.size());
    Values want = values;
    std::sort(want.begin(), want.end());
    auto data = test.inout("data", values);
    auto scratch = test.output<int>("scratch", values.size());
    const Launches launches = counted_call(test, [&] { nested::quicksort(data.data(), n, scratch.data()); });
    test.expect(data, want);
    return launches;
}

void count_children(kit::Case& test) {
    constexpr int n = 12000;
    const Launches equal = judge(test, Values(n, 4));
    test.demand(
        "launches by kernels", kit::exactly(equal.by_kernels, 0),
        kernels(equal.by_kernels) +
            " launched for equal values: leave out values equal to the pivot, because they are in place",
        kit::Diagnosis::timeout);
    const Launches mixed = judge(test, uniform(test.random(), n));
    test.demand(
        "launches by the host", kit::exactly(mixed.by_host, 1),
        kernels(mixed.by_host) +
            " launched by the host, expected 1: launch one kernel, and let its blocks launch the others");
    test.method("launches by kernels", mixed.by_kernels > 0,
                {"a sort whose blocks launch children for parts of their ranges",
                 "your blocks launched no child for random values",
                 "A part of a range can go to another block as soon as its size is known, and only the "
                 "device knows it.",
                 2});
    test.demand("launches by kernels", kit::at_most(mixed.by_kernels, n / nested::kCutOff),
                kernels(mixed.by_kernels) + " launched by kernels, but at most " +
                    std::to_string(n / nested::kCutOff) +
                    " are needed: launch none for parts below the cut-off");
    const Launches uneven = judge(test, near_the_edge(test.random(), n));
    test.demand("depth of launches", kit::at_most(uneven.depth, 4),
                "children are nested " + std::to_string(uneven.depth) +
                    " deep, although the larger part is nearly the whole range: let a child sort the smaller "
                    "part, and let the block continue with the larger part" +
                    kit::task(2));
}

/// The executor sorts a few thousand values per second and schedule, a GPU a few hundred million.
#ifdef KIT_CPU
constexpr int usual = 3500, many = 12000, of_two_values = 1 << 18;
const char* const two_values = "two values, n=2^18";
#else
constexpr int usual = 300000, many = 1 << 20, of_two_values = 1 << 20;
const char* const two_values = "two values, n=2^20";
#endif
constexpr kit::CaseOptions once = {60, true};

/// Limits the time of a pattern to a multiple of the time for random values of the same number. An endless loop is then detected soon,
/// even if other programs use this machine.
void judge_pattern(kit::Case& test, const Pattern& pattern) {
#ifdef KIT_CPU
    // The executor limits processor time. A third of the values shows how much time is enough.
    const std::clock_t begin = std::clock();
    judge(test, uniform(test.random(), usual / 3));
    const double usually = 3.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    kit::cpu::set_kernel_time_limit(1 + std::ceil(5 * usually));
#endif
    judge(test, pattern.make(test.random(), usual));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("16_dynamic_parallelism", "quicksort", argc, argv);
    grader.task(1, kit::About().between(1, 1));
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::uninitialised, kit::Diagnosis::timeout});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::race});
    const int c = nested::kCutOff;
    for (int n : {0, 1, 2, 500, c - 1, c, c + 1, 2 * c + 1}) {
        grader.add("n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, kit::integers<int>(test.random(), n, -n, n)); });
    }
    for (const Pattern& pattern : patterns()) {
        grader.add(
            std::string(pattern.name) + ", n=" + std::to_string(usual),
            [pattern](kit::Case& test) { judge_pattern(test, pattern); }, once);
    }
    grader.add(
        "random, n=" + std::to_string(many),
        [](kit::Case& test) { judge(test, uniform(test.random(), many)); }, once);
    // Two passes over all values are enough for these patterns, so the executor can sort more of them.
    grader.add(
        two_values,
        [](kit::Case& test) { judge(test, kit::integers<int>(test.random(), of_two_values, 6, 7)); }, once);
    if (launches_are_counted) grader.add("launches, counted", count_children, once);
    grader.add(
        "a pivot near the edge, 1 may be pending",
        [](kit::Case& test) {
            const PendingLimit pending(1);
            judge(test, near_the_edge(test.random(), (nested::kStack + 4) * (nested::kCutOff + 8)));
        },
        once);
    for (int limit : {1, 3}) {
        grader.add(
            "launches are refused: " + std::to_string(limit) +
                " may be pending, n=" + std::to_string(2 * usual),
            [limit](kit::Case& test) {
                const PendingLimit pending(static_cast<std::size_t>(limit));
                judge(test, uniform(test.random(), 2 * usual));
            },
            once);
    }
    error_handling::check_failing_calls(grader, argc, argv, {"n=500"});
    return grader.run();
}
