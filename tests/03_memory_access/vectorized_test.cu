// Grades 03_memory_access/vectorized: the values at every alignment and length, and how many accesses they take.
// sanitizer.case: n=
#include "03_memory_access/model.hpp"

namespace {

constexpr float kAround = -77777.0f;  // before and behind the output; nobody's value

/// `in` and `out` begin so many floats behind a multiple of 16 bytes.
void judge(kit::Case& test, std::size_t n, std::size_t in_at, std::size_t out_at) {
    const auto values = kit::integers<float>(test.random(), n + 8, -1000, 1000);
    const auto factor = static_cast<float>(test.random().integer(2, 9));
    std::vector<float> want(n + 8, kAround);
    for (std::size_t i = 0; i < n; ++i) want[out_at + i] = factor * values[in_at + i];
    auto in = test.input("in", values);
    auto out = test.inout("out", std::vector<float>(n + 8, kAround));
#ifdef KIT_CPU
    const auto before = kit::cpu::counters();
#endif
    test.call([&] { memory_access::scale_wide(in.data() + in_at, n, factor, out.data() + out_at); });
#ifdef KIT_CPU
    const auto after = kit::cpu::counters();
    const std::uint64_t loads = after.global_loads - before.global_loads;
    const std::uint64_t stores = after.global_stores - before.global_stores;
#endif
    const std::vector<float> got = out.values();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool outside = i < out_at || i >= out_at + n;
        if (outside && got[i] != kAround)
            return test.check(false,
                              "out[" +
                                  std::to_string(static_cast<long long>(i) - static_cast<long long>(out_at)) +
                                  "] was written, and n is " + std::to_string(n) +
                                  ": only whole fours belong to the middle (Task 2)",
                              kit::Diagnosis::out_of_bounds);
    }
    test.expect(out, want, kit::exact());
#ifdef KIT_CPU
    if (in_at % 4 != out_at % 4) return;
    const auto told = [&](const char* what, std::uint64_t count) {
        return std::to_string(count) + " " + what + " for " + std::to_string(n) + " elements, at most " +
               std::to_string(n / 4 + 6) + " are needed: 16 bytes at a time (Task 2)";
    };
    test.demand("loads", loads <= n / 4 + 6, told("loads", loads));
    test.demand("stores", stores <= n / 4 + 6, told("stores", stores));
#endif
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("03_memory_access", "vectorized", argc, argv);
    grader.task(2, {kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::tail, kit::Diagnosis::wrong_value});
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 1023, 1024, 1027, 6001}) {
        grader.add("n=" + std::to_string(n) + " aligned", [n](kit::Case& test) { judge(test, n, 0, 0); });
        grader.add("n=" + std::to_string(n) + " both 1, 2 or 3 floats behind", [n](kit::Case& test) {
            const auto at = static_cast<std::size_t>(test.random().integer(1, 3));
            judge(test, n, at, at);
        });
    }
    for (std::size_t in_at = 0; in_at < 4; ++in_at)
        grader.add("n=1001 in " + std::to_string(in_at) + ", out " + std::to_string((in_at + 1) % 4) +
                       " floats behind",
                   [in_at](kit::Case& test) { judge(test, 1001, in_at, (in_at + 1) % 4); });
    return grader.run();
}
