// Tests of the diagnosis: which sentence belongs to each pattern of wrong values.
#include <grader/diagnosis.hpp>
#include <numeric>
#include <words/outcome.hpp>

#include "unit.hpp"

namespace {

using kit::Case;
using kit::Diagnosis;

struct Verdict {
    Diagnosis diagnosis;
    std::string sentence;
};

template <class T>
Verdict verdict(const std::vector<T>& got, const std::vector<T>& want,
                kit::Tolerance tolerance = kit::exact(), kit::Shape shape = {}) {
    const kit::detail::Comparison comparison = kit::detail::compare<T>(got, want, tolerance);
    const kit::facts::Failure found =
        kit::detail::Patterns<T>("out", got, want, comparison, tolerance, shape).failure();
    return {found.diagnosis, kit::words::meaning_of(found)};
}

/// Returns values that form no pattern.
std::vector<float> some(Case& test, std::size_t count) {
    return kit::uniform<float>(test.random(), count, 1, 2);
}

CASE("never written") {
    const std::vector<float> want = some(test, 100);
    std::vector<float> got(100, kit::detail::poison<float>());
    test.equal("all", verdict(got, want).sentence,
               std::string("`out` was never written: check whether your code reaches the store, and where "
                           "the store writes"));
    for (std::size_t i = 0; i < 100; ++i) {
        if (i % 3 != 0) got[i] = want[i];
    }
    test.equal("every third", verdict(got, want).sentence,
               std::string("they were never written: check which thread should write each of them"));
    const std::vector<int> integers(100, kit::detail::poison<int>());
    test.equal("integers", verdict(integers, std::vector<int>(100, 1)).diagnosis, Diagnosis::not_written);
}

CASE("poison") {
    const float fresh = kit::detail::poison<float>();
    test.check(std::isnan(fresh) && std::isnan(kit::detail::poison<double>()), "poison is NaN");
    volatile float one = 1;
    const float computed = fresh + one;
    test.check(!kit::detail::is_poison(computed), "a value computed from poison is no longer poison");
    test.equal("so it is", verdict<float>({computed}, {1}).diagnosis, Diagnosis::nan);
}

CASE("ends") {
    const std::vector<float> want = some(test, 1000);
    std::vector<float> got = want;
    for (std::size_t i = 768; i < 1000; ++i) got[i] = 0;
    test.equal("ragged end", verdict(got, want).diagnosis, Diagnosis::tail);
    test.equal("ragged end", verdict(got, want).sentence,
               std::string("only the end is wrong, [768] to [999]; it does not fill a block of 256. Check "
                           "how your code treats "
                           "the end"));
    for (std::size_t i = 700; i < 1000; ++i) got[i] = kit::detail::poison<float>();
    test.equal("no block ends there", verdict(got, want).sentence,
               std::string(
                   "only the end is wrong, [700] to [999], because it was never written. Check the number of "
                   "threads, the bounds of loops and the guards"));
    for (std::size_t i = 256; i < 1000; ++i) got[i] = 0;
    const Verdict found = verdict(got, want);
    test.equal("first values only", found.diagnosis, Diagnosis::first_block_only);
    test.equal(
        "first values only", found.sentence,
        std::string("only the first 256 values are correct: check which thread computes the next one"));
    test.equal("one of two", verdict<float>({1, 0}, {1, 3.25f}).diagnosis, Diagnosis::tail);
    test.equal("one of two", verdict<float>({1, 0}, {1, 3.25f}).sentence,
               std::string("only the last value is wrong. Check how your code treats the end"));
    const std::vector<float> bins = some(test, 64);
    got = bins;
    for (std::size_t i = 48; i < 64; ++i) got[i] = 0;
    test.equal("whole blocks", verdict(got, bins).sentence,
               std::string("only the end is wrong, [48] to [63]. Check how your code treats the end"));
}

CASE("moved") {
    const std::vector<float> want = some(test, 1000);
    std::vector<float> got(1000);
    const auto take = [&](std::ptrdiff_t offset) {
        for (std::ptrdiff_t i = 0; i < 1000; ++i) got[i] = want[(i + offset + 1000) % 1000];
        return verdict(got, want);
    };
    test.equal("left", take(1).diagnosis, Diagnosis::shifted);
    test.equal("right", take(-1).diagnosis, Diagnosis::shifted);
    test.equal(
        "one block", take(256).sentence,
        std::string("the values are off by one block of 256: check how the index of the block is used"));
    test.equal(
        "one small block", take(-32).sentence,
        std::string("the values are off by one block of 32: check how the index of the block is used"));
    test.equal("seven", take(7).diagnosis, Diagnosis::wrong_value);
}

CASE("transposed") {
    std::vector<int> want(12 * 20), got(12 * 20);
    std::iota(want.begin(), want.end(), 0);
    for (int row = 0; row < 12; ++row) {
        for (int column = 0; column < 20; ++column) got[column * 12 + row] = want[row * 20 + column];
    }
    test.equal("with its shape", verdict(got, want, kit::exact(), {12, 20}).diagnosis, Diagnosis::transposed);
    test.equal("without", verdict(got, want).diagnosis, Diagnosis::wrong_value);
    test.equal("square", verdict<int>({1, 4, 7, 2, 5, 8, 3, 6, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}).diagnosis,
               Diagnosis::transposed);
}

CASE("constants") {
    test.equal("zeros", verdict<int>({0, 0, 0}, {5, 2, 7}).sentence,
               std::string("every value is 0: check whether the result depends on the index"));
    test.equal("one zero", verdict<float>({0}, {5}).sentence,
               std::string("the result is 0: check whether your code computes it and stores it"));
    test.equal("a constant", verdict<int>({4, 4, 4}, {5, 2, 7}).diagnosis, Diagnosis::constant_output);
    test.equal("no constant", verdict<int>({4, 4, 3}, {5, 2, 7}).diagnosis, Diagnosis::wrong_value);
}

CASE("precision") {
    const kit::Tolerance tolerance = kit::tolerance(0.01, 0);
    test.equal("near", verdict<float>({1.05f, 1.98f, 3}, {1, 2, 3.05f}, tolerance).diagnosis,
               Diagnosis::precision);
    test.equal("far", verdict<float>({1.05f, 1.5f, 3}, {1, 2, 3.05f}, tolerance).diagnosis,
               Diagnosis::wrong_value);
}

CASE("readme") {
    kit::detail::Readme readme;
    readme.path = "exercises/07_reduction/README.md";
    readme.titles[2] = "the tail";
    readme.titles[3] = "the rest";
    test.equal("named", readme.place_of({2}),
               std::string("Task 2, \"the tail\", in exercises/07_reduction/README.md"));
    test.equal("two, one without a title", readme.place_of({1, 3}),
               std::string("Task 1 and Task 3, \"the rest\", in exercises/07_reduction/README.md"));
    test.equal("not named", readme.place_of({}), std::string("exercises/07_reduction/README.md"));
}

}  // namespace

UNIT_MAIN("diagnose")
