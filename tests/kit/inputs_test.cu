// Tests of the inputs: equal for equal seeds, different for different seeds, never constant, and never all
// zero.
#include <set>

#include "unit.hpp"

namespace {

using kit::Random;

template <class T>
bool varied(const std::vector<T>& values) {
    return std::set<T>(values.begin(), values.end()).size() > 2;
}

CASE("seeds") {
    using kit::detail::mix;
    test.equal("same seed, same case, same run", mix(1, "n=1", 0), mix(1, "n=1", 0));
    const std::set<std::uint64_t> all{mix(1, "n=1", 0), mix(2, "n=1", 0), mix(1, "n=2", 0), mix(1, "n=1", 1)};
    test.equal("any other has other values", all.size(), std::size_t{4});
    Random random(1);
    test.equal("the first number of seed 1, on every machine", random.next(),
               std::uint64_t{10451216379200822465u});
}

CASE("values") {
    Random& random = test.random();
    test.check(varied(kit::uniform<float>(random, 10)), "uniform");
    test.check(varied(kit::integers<int>(random, 10, -5, 5)), "integers");
    test.check(varied(kit::heavy_tailed<float>(random, 10)), "heavy_tailed");
    test.check(varied(kit::spikes<int>(random, 300)), "spikes");
    for (const double value : kit::uniform<double>(random, 1000, -3, 5)) {
        if (value < -3 || value >= 5) test.fail(kit::Diagnosis::wrong_value, "uniform left its range");
    }
    std::set<int> seen;
    for (const int value : kit::integers<int>(random, 1000, -2, 3)) seen.insert(value);
    test.check(seen == std::set<int>{-2, -1, 0, 1, 2, 3}, "integers reach both ends and nothing else");
}

/// Twice the sum of every second element must not be close to the sum.
CASE("heavy tails") {
    for (int trial = 0; trial < 20; ++trial) {
        const auto values = kit::heavy_tailed<float>(test.random(), 10000);
        double sum = 0, half = 0, scale = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum += values[i], half += i % 2 ? 0 : 2 * values[i], scale += std::fabs(values[i]);
        }
        const double tolerance = kit::tolerance_sum<float>(values.size(), scale).at(sum);
        test.check(std::fabs(half - sum) > 100 * tolerance,
                   "half of the values must not stand for all of them");
    }
}

CASE("spikes") {
    const auto values = kit::spikes<int>(test.random(), 300, 256);
    for (const std::size_t place : {0, 255, 256, 299}) {
        test.check(values[place] > 100, "a spike at [" + std::to_string(place) + "]");
    }
    test.check(values[1] < 10, "no spike elsewhere");
    test.equal("nothing of nothing", kit::spikes<int>(test.random(), 0).size(), std::size_t{0});
}

CASE("permutations") {
    const auto values = kit::permutation<int>(test.random(), 100);
    test.equal("all different", std::set<int>(values.begin(), values.end()).size(), std::size_t{100});
    test.check(!std::is_sorted(values.begin(), values.end()), "not in order");
}

CASE("sizes") {
    const std::vector<int> all = kit::sizes(256);
    for (const int size : {0, 1, 255, 256, 257, 512}) {
        test.check(std::find(all.begin(), all.end(), size) != all.end(), "has " + std::to_string(size));
    }
    test.check(all.back() > 30000 && all.back() % 256 != 0, "ends with a large ragged one");
    const std::uint64_t seed = kit::detail::session_seed;
    kit::detail::session_seed = seed + 1;
    test.check(kit::sizes(256).back() != all.back(), "which another seed changes");
    kit::detail::session_seed = seed;
}

}  // namespace

UNIT_MAIN("inputs")
