// Shared by the tests of single_pass and fast: a workspace that is checked, and inputs that reveal lost
// precision.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "07_reduction/07_reduction.hpp"
#include "grader.cuh"

namespace reduction_test {

/// Scratch memory in the state that the contract allows: partial sums undefined (poison), ticket 0.
class CheckedWorkspace {
  public:
    explicit CheckedWorkspace(kit::Case& test)
        : partials_(test.output<double>("workspace.partials", reduction::kMaxBlocks)),
          ticket_(test.inout<unsigned int>("workspace.ticket", {0})) {}

    reduction::Workspace get() const { return {partials_.data(), ticket_.data()}; }

    void expect_ready(kit::Case& test) const {
        const unsigned int ticket = ticket_.values()[0];
        test.check(ticket == 0,
                   "workspace.ticket is " + std::to_string(ticket) +
                       " after the call, so in the next call the wrong block, or no block, decides that it "
                       "is the last: "
                       "let the last block reset it to 0",
                   kit::Diagnosis::second_call);
    }

    /// Reports that only the last step is wrong: the sums of the blocks are correct, and so is the ticket, but `out` is not.
    /// Unused sums are NaN, and so is a sum that is not stored yet.
    void expect_end(kit::Case& test, double out, double want) const {
        double sum = 0;
        for (const double value : partials_.values())
            if (!kit::detail::is_poison(value)) sum += value;
        const bool right =
            out == want || kit::detail::is_poison(out) || sum != want || ticket_.values()[0] != 0;
        test.check(
            right,
            "the sums of the blocks are correct, but their sum is " + bits_of(out) + ", expected " +
                bits_of(want) +
                (std::isnan(out)
                     ? ": add only sums of blocks that were launched and have stored them" + kit::task(1, 2)
                     : ": check how the last block adds them" + kit::task(2)),
            kit::Diagnosis::part);
    }

  private:
    static std::string bits_of(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.10g", value);
        return text;
    }

    kit::Output<double> partials_;
    kit::Output<unsigned int> ticket_;
};

struct Sums {
    double sum = 0;        ///< accumulated in long double
    double magnitude = 0;  ///< sum of the absolute values
};

inline Sums reference(const std::vector<float>& values, std::size_t first, std::size_t count) {
    long double sum = 0, magnitude = 0;
    for (std::size_t i = first; i < first + count; ++i) sum += values[i], magnitude += std::fabs(values[i]);
    return {static_cast<double>(sum), static_cast<double>(magnitude)};
}

/// Explains a race in which one block sets the ticket while others draw or poll it. Task 3 runs in the block that Task 1 takes for the last.
inline void explain_ticket(kit::Case& test) {
    test.explain(kit::Diagnosis::race, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name != "workspace.ticket" || found.accesses.size() != 2 ||
            found.accesses[0].atomic == found.accesses[1].atomic)
            return "";
        return "a block sets the ticket while others still use it: let only the last block set it. This "
               "block is not the last" +
               kit::task(1) + ", or all blocks set it" + kit::task(3);
    });
}

/// Returns values of both signs with magnitudes from 1e-9 to 1e9, so that any two orders of addition give different bits.
inline std::vector<float> many_magnitudes(kit::Random& random, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) {
        const double size = std::pow(10.0, -9 + 18 * random.unit());
        value = static_cast<float>(random.next() % 2 ? size : -size);
    }
    return values;
}

/// Returns large values that cancel in distant pairs, and small values that remain: about 1e-6 of the sum of magnitudes.
inline std::vector<float> cancelling(kit::Random& random, std::size_t count) {
    auto values = kit::uniform<float>(random, count, 1, 2);
    for (std::size_t i = 0; i < count / 3; ++i) {
        const float large = static_cast<float>(1e6 * (1 + random.unit()));
        values[i] = large;
        values[count - 1 - i] = -large;
    }
    return values;
}

/// The executor chooses different orders itself, so a GPU needs more runs.
#ifdef KIT_CPU
constexpr int equal_calls = 4;
#else
constexpr int equal_calls = 50;
#endif

inline void use_order(int call) {
#ifdef KIT_CPU
    kit::cpu::set_schedule(kit::cpu::Order::random, 1000 + call);
#else
    (void)call;
#endif
}

template <class T>
std::string bits(T value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
    return text;
}

/// Options of cases with many elements: one run is enough, because other cases vary the order of threads.
constexpr kit::CaseOptions large = {30, true};

/// Calls the function repeatedly with the same input, in different orders of threads if the backend can choose them: the
/// bits must not change. `function` takes (in, n, out, workspace).
template <class Out, class Function>
void expect_same_bits(kit::Case& test, Function function, const std::vector<float>& values) {
    if (values.size() > 100000) test.skip_if_work_is_repeated();
    auto in = test.input("in", values);
    auto out = test.output<Out>("out", 1);
    CheckedWorkspace workspace(test);
    Out first{};
    for (int call = 0; call < equal_calls; ++call) {
        out.reset();
        use_order(call);
        test.call([&] { function(in.data(), static_cast<int>(values.size()), out.data(), workspace.get()); });
        workspace.expect_ready(test);
        const Out now = out.values()[0];
        if (call == 0) first = now;
        if (std::memcmp(&now, &first, sizeof now) == 0) continue;
        test.check(false,
                   "equal calls gave different bits: " + bits(first) + " and " + bits(now) +
                       ": the order of the additions depends on which block is first, so add the partial "
                       "sums in a fixed order",
                   kit::Diagnosis::race);
        return;
    }
    test.check(true, "");
}

}  // namespace reduction_test
