// Shared by the tests of partial_privatization and cluster_histogram: 16-bit values.
#pragma once

#include <vector>

#include "06_histogram/counting.hpp"

namespace histogram_test {

using Values = std::vector<unsigned short>;

/// Returns values that are mostly around `center`, and some anywhere among the 65,536, including beyond the last bin.
inline Values around(kit::Random& random, std::size_t n, int center) {
    Values values(n);
    for (unsigned short& value : values) {
        const bool near = random.unit() < 0.8;
        const std::int64_t low = near ? std::max(0, center - 3000) : 0;
        const std::int64_t high = near ? std::min(65535, center + 3000) : 65535;
        value = static_cast<unsigned short>(random.integer(low, high));
    }
    return values;
}

inline Values one_value(std::size_t n, int value) {
    return Values(n, static_cast<unsigned short>(value));
}

/// Calls `function(values, n, bins, bin_count)` and compares.
template <class Function>
void judge_values(kit::Case& test, Function function, const Values& values, int bin_count) {
    auto in = test.input("values", values);
    auto bins = test.output<unsigned int>("bins", bin_count);
    test.call([&] { function(in.data(), values.size(), bins.data(), bin_count); });
    test.expect(bins, count_values(values, 0, values.size(), bin_count));
    if (!values.empty()) test.by_kernels(kit::named_task(1));
}

}  // namespace histogram_test
