// Grades 03_memory_access/vectorized: the values at every alignment and length, and the number of accesses.
// sanitizer.case: n=
#include "01_error_handling/failing_calls.hpp"
#include "03_memory_access/model.hpp"
#include "last_blocks.hpp"

namespace {

constexpr float kAround = -77777.0f;  // the value before and after the output, which no element has

#ifdef KIT_CPU
/// Accesses that the executor counted during a call.
struct Accesses {
    std::uint64_t loads = 0, stores = 0, bytes_loaded = 0, bytes_stored = 0;
};

/// Returns the largest number of accesses if both are equally far from a boundary: one for every four elements between the first and
/// the last boundary, and one for each other element. Up to 8 elements may be accessed one by one.
std::size_t most_accesses(std::size_t n, std::size_t at) {
    if (n <= 8) return n;
    const std::size_t head = (4 - at) % 4, rest = n - head;
    return head + rest / 4 + rest % 4;
}

/// Returns why there are too many accesses, with the task: the choice of the kernel (4) if the plain kernel ran,
/// the head (1) if the kernel also uses vectors of four, and otherwise the middle (2).
kit::Said task_of(const kit::Counts& counts, std::size_t n, std::uint64_t accesses, std::uint64_t bytes) {
    if (bytes > n * sizeof(float))
        return "several threads process the same elements, so give each thread its own" + kit::task(2);
    for (const kit::cpu::KernelProfile& kernel : counts.kernels)
        if (kernel.kernel.find("plain") != std::string::npos)
            return "launch your own kernel instead of scale_plain, because both arrays begin equally far "
                   "from a multiple of 16 bytes" +
                   kit::task(4);
    if (bytes > accesses * sizeof(float))
        return "too many elements are accessed one by one, so put at most 3 into the head, before the first "
               "multiple of 16 bytes" +
               kit::task(1);
    return "no access has 16 bytes, so use float4 in the middle" + kit::task(2);
}

void expect_accesses(kit::Case& test, const kit::Counts& counts, const Accesses& seen, std::size_t n,
                     std::size_t at) {
    const std::size_t most = most_accesses(n, at);
    const auto told = [&](const char* what, std::uint64_t count, std::uint64_t bytes) {
        return std::to_string(count) + " " + what + " for " + kit::count_of(n, "element") + ", but at most " +
               std::to_string(most) + " are needed: " + task_of(counts, n, count, bytes);
    };
    test.demand("loads", kit::at_most(seen.loads, most), told("loads", seen.loads, seen.bytes_loaded));
    test.demand("stores", kit::at_most(seen.stores, most), told("stores", seen.stores, seen.bytes_stored));
}
#endif

/// Finds the wrong part if both start equally far from a boundary: its place determines the task. `threads`: launched, if known.
void expect_parts(kit::Case& test, const std::vector<float>& got, const std::vector<float>& want,
                  std::size_t n, std::size_t at, std::uint64_t threads) {
    const std::size_t head = std::min((4 - at) % 4, n), fours = (n - head) / 4;
    std::size_t in_middle = 0, in_ends = 0, untouched = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (got[at + i] == want[at + i]) continue;
        const bool middle = i >= head && i < head + 4 * fours;
        ++(middle ? in_middle : in_ends);
        untouched += middle && got[at + i] == kAround;
    }
    const std::string of = " of " + kit::count_of(n, "value") + " wrong";
    test.check(in_ends == 0 || in_middle > 0,
               "your code leaves " + std::to_string(in_ends) + of +
                   ", all before or after the middle: scale these elements one by one" + kit::task(3),
               kit::Diagnosis::part);
    const bool few = threads > 0 && threads < fours && untouched == in_middle;
    test.check(in_middle == 0,
               "your code leaves " + std::to_string(in_middle) + of + ", in the middle: " +
                   (few ? "the launch has " + kit::count_of(threads, "thread") + " for " +
                              std::to_string(fours) + " fours, so launch one thread for each" + kit::task(4)
                        : "scale all four floats of each float4" + kit::task(2)),
               kit::Diagnosis::part);
}

/// Returns whether the extra elements starting at `first` directly follow the end and complete a four: at most 3, up to a multiple of 16 bytes.
bool is_whole_four(const std::vector<float>& got, std::size_t first, std::size_t end) {
    std::size_t last = first;
    while (last < got.size() && got[last] != kAround) ++last;
    return first == end && last % 4 == 0 && last - first < 4;
}

/// `in` and `out` start `in_at` and `out_at` floats after a multiple of 16 bytes.
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
    if (in_at != out_at)
        test.explain(kit::Diagnosis::out_of_bounds,
                     "`in` and `out` are not equally far from a multiple of 16 bytes, so no head fits both: "
                     "use `scale_plain` if their "
                     "distances differ" +
                         kit::task(4));
    if (n < 4)
        test.explain(kit::Diagnosis::cuda_error,
                     "`n` is " + std::to_string(n) + ": limit the head to n elements" + kit::task(4));
    test.explain(kit::Diagnosis::race,
                 "let each element belong to only one of head, middle and tail, and to one thread of it");
    [[maybe_unused]] const kit::Counts counts =
        test.counts([&] { memory_access::scale_wide(in.data() + in_at, n, factor, out.data() + out_at); });
    const std::vector<float> got = out.values();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool outside = i < out_at || i >= out_at + n;
        if (outside && got[i] != kAround)
            return test.check(false,
                              "out[" +
                                  std::to_string(static_cast<long long>(i) - static_cast<long long>(out_at)) +
                                  "] was written, but n is " + std::to_string(n) +
                                  (is_whole_four(got, i, out_at + n)
                                       ? ": put only whole fours into the middle" + kit::task(2)
                                       : ": stop the tail at n" + kit::task(3)),
                              kit::Diagnosis::part);
    }
    if (in_at == out_at) {
        std::uint64_t threads = 0;
#ifdef KIT_CPU
        threads = kit::cpu::counters().threads - before.threads;
#endif
        expect_parts(test, got, want, n, in_at, threads);
    }
    test.expect(out, want, kit::exact());
    if (n > 0) test.by_kernels(kit::named_task(4));
#ifdef KIT_CPU
    const auto after = kit::cpu::counters();
    if (in_at == out_at)
        expect_accesses(test, counts,
                        {after.global_loads - before.global_loads, after.global_stores - before.global_stores,
                         after.global_bytes_loaded - before.global_bytes_loaded,
                         after.global_bytes_stored - before.global_bytes_stored},
                        n, in_at);
#endif
    test.stored_at_most(n * sizeof(float), kit::named_task(2));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("03_memory_access", "vectorized", argc, argv);
    grader.task(
        1, kit::About().rule(
               kit::facts::Rule::misaligned));  // the head is wrong, or the middle does not start after it
    grader.task(2, kit::About().rule(kit::facts::Rule::misaligned));
    grader.task(2, {kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::tail, kit::Diagnosis::wrong_value});
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 1023, 1024, 1027, 6001}) {
        grader.add("n=" + std::to_string(n) + ", aligned", [n](kit::Case& test) { judge(test, n, 0, 0); });
        grader.add("n=" + std::to_string(n) + ", 1 to 3 floats past a boundary", [n](kit::Case& test) {
            const auto at = static_cast<std::size_t>(test.random().integer(1, 3));
            judge(test, n, at, at);
        });
    }
    for (std::size_t in_at = 0; in_at < 4; ++in_at)
        grader.add("n=1001, in " + std::to_string(in_at) + " and out " + std::to_string((in_at + 1) % 4) +
                       " floats past a boundary",
                   [in_at](kit::Case& test) { judge(test, 1001, in_at, (in_at + 1) % 4); });
    kit::tell_not_tried(grader, "n=6001, aligned", 32, "elements");
    error_handling::check_failing_calls(grader, argc, argv, {"n=1023, aligned"});
    return grader.run();
}
