// Grades 06_histogram/partial_privatization: up to 65,536 bins, of which 8192 are private.
#include "01_error_handling/failing_calls.hpp"
#include "06_histogram/many_bins.hpp"
#include "last_blocks.hpp"

namespace {

using namespace histogram_test;

/// Returns the bins if the private ones are added wrongly: only those below `limit` are added, and the first of them to bin `to`.
Counts with_private(const Values& values, int bin_count, int first_private, int limit, int to) {
    const Counts all = count_values(values, 0, values.size(), static_cast<std::size_t>(bin_count));
    const int inside = std::clamp(bin_count - first_private, 0, histogram::kPrivateBins);
    Counts bins = all;
    for (int i = 0; i < inside; ++i) bins[static_cast<std::size_t>(first_private + i)] = 0;
    for (int i = 0; i < std::min(inside, limit); ++i)
        bins[static_cast<std::size_t>(to + i)] += all[static_cast<std::size_t>(first_private + i)];
    return bins;
}

void judge(kit::Case& test, const Values& values, int bin_count, int first_private) {
    const bool shows = values.size() > 100;  // one value in a wrong bin can be chance
    if (shows && first_private > 0)
        test.mistake(kit::Diagnosis::wrong_value,
                     with_private(values, bin_count, first_private, bin_count, 0),
                     "the private bins are added to the first bins: add private bin i to bin "
                     "first_private + i" +
                         kit::task(2));
    if (shows)
        test.mistake(kit::Diagnosis::wrong_value,
                     with_private(values, bin_count, first_private, histogram::kBlock, first_private),
                     "only the first " + std::to_string(histogram::kBlock) +
                         " private bins are added: loop over them, because a block has more private bins "
                         "than threads" +
                         kit::task(2));
    judge_values(
        test,
        [first_private](const unsigned short* in, std::size_t n, unsigned int* bins, int count) {
            histogram::partial_privatization(in, n, bins, count, first_private);
        },
        values, bin_count);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "partial_privatization", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::race, kit::Diagnosis::tail,
                    kit::Diagnosis::constant_output});
    for (int n : {0, 1, 255, 256, 257, 1009, 33333}) {
        grader.add("n=" + std::to_string(n) + ", 20,000 bins",
                   [n](kit::Case& test) { judge(test, around(test.random(), n, 9000), 20000, 5000); });
    }
    grader.add("65,536 bins, the first are private",
               [](kit::Case& test) { judge(test, around(test.random(), 20011, 4000), 65536, 0); });
    grader.add("the private range ends beyond the last bin",
               [](kit::Case& test) { judge(test, around(test.random(), 20011, 9990), 10000, 5000); });
    grader.add("all bins fit", [](kit::Case& test) { judge(test, around(test.random(), 9001, 50), 100, 0); });
    grader.add("no value is in the private range",
               [](kit::Case& test) { judge(test, one_value(3001, 17), 65536, 50000); });
    grader.add("values at the edges of the private range", [](kit::Case& test) {
        constexpr int first = 1000, last = first + histogram::kPrivateBins - 1;
        Values values;
        for (int i = 0; i < 4000; ++i) {
            for (int value : {first - 1, first, last, last + 1}) {
                if (test.random().unit() < 0.5) values.push_back(static_cast<unsigned short>(value));
            }
        }
        judge(test, values, 65536, first);
    });
    grader.add(
        "several blocks, n=150001",
        [](kit::Case& test) { judge(test, around(test.random(), 150001, 32000), 65536, 28000); }, large);
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=17000003",
               [](kit::Case& test) { judge(test, around(test.random(), 17000003, 32000), 65536, 28000); },
               {60, true});
#endif
    kit::tell_not_tried(grader, "n=33333, 20,000 bins", 31, "values");
    error_handling::check_failing_calls(grader, argc, argv, {"n=257, 20,000 bins"});
    return grader.run();
}
