// Grades 00_first_kernel/vector_add with any n, unmodified inputs, a second call, and no memory left allocated.
#include <algorithm>
#include <string>
#include <vector>

#include "00_first_kernel/00_first_kernel.hpp"
#include "00_first_kernel/allocations.hpp"
#include "01_error_handling/failing_calls.hpp"
#include "grader.cuh"

namespace {

std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(a.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
    return c;
}

#ifdef KIT_CPU
// Checks that the kernel does the additions, with one thread per element. The contract demands both.
void expect_work(kit::Case& test, std::size_t n) {
    const kit::cpu::Counters counters = kit::cpu::counters();
    std::size_t stored = 0;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) stored += access.write ? 1 : 0;
    test.demand("share of one thread", kit::unless(n < 8, kit::at_most(stored, n / 8)),
                "one thread adds " + std::to_string(stored) + " of " + kit::count_of(n, "pair") +
                    ": use one thread per element" + kit::task(1));
    test.method(
        "threads", counters.threads >= n,
        {"one thread for each pair",
         "you launched " + kit::count_of(counters.threads, "thread") + " for " + kit::count_of(n, "pair"),
         "Every later kernel needs the index, the guard and the number of blocks. Loops and wide loads have "
         "their own exercises: grid_stride, the next one, and vectorized.",
         3});
    const bool unseen = std::getenv("KIT_CHECKS") != nullptr;  // without checks, loads are not counted
    test.demand("loads",
                kit::unless(unseen, kit::at_least(counters.global_bytes_loaded, 2 * n * sizeof(float))),
                "the kernel does not read the two vectors: let the kernel do the additions, not the host" +
                    kit::task(1));
}
#endif

/// The executor knows whether the kernel has stored the last element. On a GPU, the guard or the copy may be wrong.
kit::Said last_is_missing([[maybe_unused]] std::size_t n) {
#ifdef KIT_CPU
    if (kit::cpu::counters().global_bytes_stored >= n * sizeof(float))
        return "only the last element of " + kit::subject("c") +
               " is never written, although the kernel stores it: copy all n "
               "elements back" +
               kit::task(4);
    return "only the last element of " + kit::subject("c") +
           " is never written: let thread n - 1 pass the guard" + kit::task(1);
#else
    return "only the last element of " + kit::subject("c") +
           " is never written: let thread n - 1 pass the guard" + kit::task(1) +
           ", and copy back all n elements" + kit::task(4);
#endif
}

void add_once(kit::Case& test, int n) {
    if (n > 2000) test.skip_if_work_is_repeated();
    auto a_values = kit::heavy_tailed<float>(test.random(), n);
    auto b_values = kit::uniform<float>(test.random(), n, -1000.0f, 1000.0f);
    auto a = test.host_input("a", a_values);
    auto b = test.host_input("b", b_values);
    auto c = test.host_output<float>("c", n);
    const std::size_t before = first_kernel::allocations.live.size();  // left by earlier calls
    first_kernel::allocations.damage.clear();
    first_kernel::allocations.twice = false;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
    kit::cpu::trace_thread(0, 0);
#endif
    test.call([&] { first_kernel::vector_add(a.data(), b.data(), c.data(), n); });
    const first_kernel::Allocations& seen = first_kernel::allocations;
    test.check(seen.damage.empty(), seen.damage, kit::Diagnosis::out_of_bounds);
    test.check(!seen.twice,
               "device memory is freed twice: call cudaFree once for each cudaMalloc" + kit::task(4));
    const std::vector<float> got = c.values(), want = sum(a_values, b_values);
    // One block too few also leaves out one element if the last block has no other.
    const bool only_last_is_missing = n > 1 && n % 256 != 1 && kit::detail::is_poison(got.back()) &&
                                      std::equal(got.begin(), got.end() - 1, want.begin());
    if (n > 0 && std::all_of(got.begin(), got.end(), kit::detail::is_poison<float>))
        test.check(false,
                   kit::subject("c") + " was never written: copy the sums back to the host" + kit::task(4),
                   kit::Diagnosis::not_written);
    else if (only_last_is_missing)
        test.check(false, last_is_missing(static_cast<std::size_t>(n)), kit::Diagnosis::tail);
    else
        test.expect(c, want, kit::exact());
    const std::size_t lost = seen.live.size() > before ? seen.live.size() - before : 0;
    test.check(lost == 0, "device memory is lost: " + std::to_string(lost) +
                              " of the vectors that you allocated are never freed. Call cudaFree for each" +
                              kit::task(4));
    test.stored_at_most(static_cast<std::size_t>(n) * sizeof(float), kit::named_task(1));
#ifdef KIT_CPU
    expect_work(test, static_cast<std::size_t>(n));
#endif
}

void add_in_probe(const std::function<void()>& begin) {
    const std::vector<float> ones(300, 1.0f);
    std::vector<float> c(300);
    begin();
    first_kernel::vector_add(ones.data(), ones.data(), c.data(), 300);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(add_in_probe);
    kit::Grader grader("00_first_kernel", "vector_add", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(4, kit::About().fix(kit::facts::Fix::waiting_host));
    grader.task(2, {kit::Diagnosis::cuda_error, kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::tail});
    for (int n : kit::sizes(256))  // a vector whose size was given in floats instead of bytes
        grader.task(2, kit::About().bytes(static_cast<std::uint64_t>(n)));
    grader.task(1, {kit::Diagnosis::not_written});
    for (int n : kit::sizes(256)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { add_once(test, n); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("n=17000003", [](kit::Case& test) { add_once(test, 17000003); }, {60, true});
#endif
    grader.add("another size on the second call", [](kit::Case& test) {
        add_once(test, 700);
        add_once(test, 1300);
        add_once(test, 5);
    });
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
