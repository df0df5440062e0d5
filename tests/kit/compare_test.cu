// Tests of the comparison: which values it accepts, which it never accepts, and which comparisons prove nothing.
#include <limits>
#include <text_layout.hpp>
#include <words/outcome.hpp>

#include "unit.hpp"

namespace {

using kit::detail::accept;

const float nan_value = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

CASE("floats") {
    const kit::Tolerance tolerance = kit::tolerance(0.5, 0.01);
    test.check(accept(1.0f, 1.0f, kit::exact()), "equal values are equal");
    test.check(!accept(std::nextafter(1.0f, 2.0f), 1.0f, kit::exact()), "exact means exact");
    test.check(accept(-0.0f, 0.0f, kit::exact()), "both zeros are equal");
    test.check(accept(101.5f, 100.0f, tolerance), "at the edge: 0.5 + 0.01 * 100");
    test.check(!accept(101.6f, 100.0f, tolerance), "beyond the edge");
    test.check(!accept(98.4f, 100.0f, tolerance), "beyond the edge on the other side");
}

CASE("not finite") {
    const kit::Tolerance endless = kit::tolerance(infinity, infinity);
    for (const float want : {0.0f, 1.0f, nan_value, infinity}) {
        test.check(!accept(nan_value, want, endless), "NaN never passes, whatever was expected");
    }
    test.check(!accept(infinity, 1.0f, kit::tolerance(1e30, 1)), "infinity is not near any number");
    test.check(!accept(1.0f, infinity, endless), "no number is near infinity");
    test.check(accept(-infinity, -infinity, kit::exact()), "an expected infinity is matched exactly");
    test.check(!accept(-infinity, infinity, endless), "the sign of infinity counts");
}

CASE("integers") {
    test.check(accept(7, 7, kit::tolerance(5, 1)), "equal integers are equal");
    test.check(!accept(7, 8, kit::tolerance(5, 1)), "integers are exact under any tolerance");
    test.check(!accept<long long>((1LL << 60) + 1, 1LL << 60, kit::tolerance(5, 1)),
               "large integers keep all digits");
}

CASE("counts") {
    const kit::detail::Comparison result =
        kit::detail::compare<int>({1, 0, 3, 0, 5}, {1, 2, 3, 4, 5}, kit::exact());
    test.equal("count", result.count, std::size_t{2});
    test.equal("first", result.first, std::size_t{1});
    test.equal("last", result.last, std::size_t{3});
}

CASE("sound") {
    using kit::facts::Fault;
    const auto fault = [](const std::vector<float>& want, const kit::Tolerance& tolerance) {
        return kit::detail::unsound<float>(want, tolerance).fault;
    };
    test.check(fault({}, kit::exact()) == Fault::none, "nothing expected");
    test.check(fault({0, 0}, kit::tolerance(1, 0)) == Fault::none, "only zeros expected");
    test.check(fault({1e-7f, 5}, kit::tolerance(1e-6, 0)) == Fault::none, "one value tells");
    test.check(fault({1e-7f}, kit::tolerance(1e-6, 0)) == Fault::zeros_would_pass,
               "a small value under a wide tolerance");
    test.check(fault({5}, kit::tolerance(0, 1)) == Fault::zeros_would_pass,
               "a relative tolerance of 1 accepts zeros");
    test.check(fault({1, nan_value}, kit::exact()) == Fault::expects_nan, "an expected NaN");
    test.equal("where", kit::detail::unsound<float>({1, nan_value}, kit::exact()).difference.first,
               std::uint64_t{1});
}

CASE("sums") {
    // A sum of floats in the order of a simple loop is within the tolerance; a sum of 16-bit numbers is not.
    const auto values = kit::uniform<float>(test.random(), 1000);
    double want = 0, scale = 0;
    float loop = 0;
    for (const float value : values) want += value, scale += std::fabs(value), loop += value;
    const kit::Tolerance tolerance = kit::tolerance_sum<float>(values.size(), scale);
    test.check(accept(loop, static_cast<float>(want), tolerance), "a float sum is accepted");
    test.check(tolerance.at(want) < 1e-5 * scale, "the tolerance is far below the precision of 16 bits");
    test.check(kit::tolerance_sum<double>(1000, scale).at(want) < 1e-13 * scale,
               "double is held to its own precision");
}

CASE("text") {
    const auto mismatch_line = [](std::size_t i, auto got, auto want, const kit::Tolerance& tolerance) {
        kit::facts::Failure failure;
        failure.fault = kit::facts::Fault::values;
        failure.difference.elements = {kit::detail::element_of<decltype(got)>(i, got, want, tolerance)};
        return kit::words::details_of(failure)[0];
    };
    test.equal("float", mismatch_line(3, 0.0f, 3.25f, kit::tolerance(3.35e-05, 0)),
               std::string("at [3]: got 0, expected 3.25 (tolerance 3.35e-05)"));
    test.equal("exact", mismatch_line(3, 0.0f, 3.25f, kit::exact()),
               std::string("at [3]: got 0, expected 3.25"));
    test.equal("no tolerance of infinity", mismatch_line(3, 0.0f, infinity, kit::tolerance(0, infinity)),
               std::string("at [3]: got 0, expected inf"));
    test.equal("poison", mismatch_line(2, kit::detail::poison<int>(), 8, kit::exact()),
               std::string("at [2]: never written, expected 8"));
    test.equal("int", mismatch_line(0, 7, 8, kit::exact()), std::string("at [0]: got 7, expected 8"));
    test.equal("bytes", mismatch_line(0, 'a', 'b', kit::exact()), std::string("at [0]: got 97, expected 98"));
    test.equal("control characters", kit::printable("a\033[2J\rb"), std::string("a?[2J?b"));
    test.equal("error", kit::detail::to_text(cudaErrorInvalidValue), std::string("cudaErrorInvalidValue"));
    test.equal("path", kit::detail::from_root("at /home/me/exercises/a.cu:3"),
               std::string("at exercises/a.cu:3"));
}

}  // namespace

UNIT_MAIN("compare")
