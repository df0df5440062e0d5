// Grades 08_scan/radix_sort: one stable pass by a digit, and the whole sort of keys that the host has.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "00_first_kernel/allocations.hpp"
#include "07_reduction/shared_work.hpp"
#include "08_scan/08_scan.hpp"
#include "grader.cuh"

namespace {

using Keys = std::vector<unsigned int>;

Keys any_keys(kit::Case& test, std::size_t n) {
    Keys keys(n);
    for (unsigned int& key : keys) key = static_cast<unsigned int>(test.random().next());
    return keys;
}

/// Returns keys whose digit at `shift` is `digit`; all other bits are random.
Keys with_digit(kit::Case& test, std::size_t n, int shift, unsigned int digit) {
    Keys keys = any_keys(test, n);
    for (unsigned int& key : keys) key = (key & ~(15u << shift)) | digit << shift;
    return keys;
}

Keys sorted_by_digit(const Keys& keys, int shift) {
    Keys sorted;
    for (int digit = 0; digit < scan::kDigits; ++digit)
        std::copy_if(keys.begin(), keys.end(), std::back_inserter(sorted),
                     [&](unsigned int key) { return scan::digit_of(key, shift) == digit; });
    return sorted;
}

bool same_keys(const Keys& a, const Keys& b) {
    return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

void judge_counts(kit::Case& test, int n, int shift) {
    const Keys keys = any_keys(test, n);
    const int tiles = scan::radix_scratch(n) / scan::kDigits;
    auto in = test.input("in", keys);
    auto counts = test.output<int>("counts", scan::radix_scratch(n));
    test.call([&] { scan::count_digits(in.data(), n, shift, counts.data()); });
    std::vector<int> want(counts.size()), by_tile(counts.size());
    for (int i = 0; i < n; ++i) {
        const int digit = scan::digit_of(keys[i], shift), tile = i / scan::kBlock;
        ++want[digit * tiles + tile];
        ++by_tile[tile * scan::kDigits + digit];
    }
    std::vector<int> beyond = want;
    beyond[tiles - 1] += tiles * scan::kBlock - n;
    const std::vector<int> got = counts.values();
    std::size_t first = 0;
    while (first < got.size() && got[first] == want[first]) ++first;
    std::string why;
    if (first < got.size())
        why = "counts[" + std::to_string(first) + "]: " + kit::detail::got_text(got[first]) + ", expected " +
              std::to_string(want[first]);
    if (got == beyond && got != want)
        why = "places after the end are counted as keys with digit 0: skip them";
    else if (got == by_tile && got != want)
        why =
            "the counts of each tile are consecutive: make the counts of each digit consecutive, tile by "
            "tile";
    test.check(why.empty(), why + kit::task(1), kit::Diagnosis::part);
}

void judge_pass(kit::Case& test, const Keys& keys, int shift) {
    const int n = static_cast<int>(keys.size());
    auto in = test.input("in", keys);
    auto out = test.output<unsigned int>("out", keys.size());
    auto scratch = test.output<int>("scratch", scan::radix_scratch(n));
    test.explain_places("two keys have the same place: compute a different place for each key");
    test.explain(kit::Diagnosis::out_of_bounds, [n](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name != "out") return "";
        const std::size_t thread = found.who.block.at[0] * std::size_t{scan::kBlock} + found.who.thread.at[0];
        return thread < static_cast<std::size_t>(n)
                   ? "a key has a place after the last one, so check how its place is computed"
                   : "this thread has no key to write, so check its index" + kit::task(3);
    });
    test.call([&] { scan::sort_by_digit(in.data(), n, shift, out.data(), scratch.data()); });

    const Keys want = sorted_by_digit(keys, shift), got = out.values();
    if (got != want && same_keys(got, want)) {
        const bool ordered = std::is_sorted(got.begin(), got.end(), [&](unsigned int a, unsigned int b) {
            return scan::digit_of(a, shift) < scan::digit_of(b, shift);
        });
        test.check(!ordered,
                   "the keys are ordered by the digit, but keys with the same digit have changed their "
                   "order: make the "
                   "pass stable",
                   kit::Diagnosis::race);
    }
    test.expect(out, want);
}

/// Judges one key per digit, with more room in `out` than keys. Each key is the only one with its digit, so its place is its digit.
void judge_places(kit::Case& test) {
    Keys keys;
    for (const unsigned int digit : kit::permutation<unsigned int>(test.random(), scan::kDigits))
        keys.push_back(digit << 8 | static_cast<unsigned int>(test.random().integer(0, 255)));
    const int n = static_cast<int>(keys.size());
    auto in = test.input("in", keys);
    auto out = test.output<unsigned int>("out", 4 * scan::kBlock);
    auto scratch = test.output<int>("scratch", scan::radix_scratch(n));
    test.call([&] { scan::sort_by_digit(in.data(), n, 8, out.data(), scratch.data()); });
    const Keys got = out.values();
    std::size_t late = 0;
    for (const unsigned int key : keys) late += got[scan::digit_of(key, 8) + 1] == key;
    test.check(
        late < keys.size(),
        "each of 16 keys has a different digit, but all of them are one place too late: do not let a key "
        "count itself" +
            kit::task(2),
        kit::Diagnosis::part);
}

void judge_sort(kit::Case& test, Keys keys) {
    Keys want = keys;
    std::sort(want.begin(), want.end());
    Keys by_all_but_the_last = keys;
    for (int shift = 0; shift < 28; shift += 4)
        by_all_but_the_last = sorted_by_digit(by_all_but_the_last, shift);
    Keys from_the_top = keys;
    for (int shift = 28; shift >= 0; shift -= 4) from_the_top = sorted_by_digit(from_the_top, shift);
    auto memory = test.host_inout<unsigned int>("keys", keys);
    first_kernel::allocations = {};
    test.explain(
        kit::Diagnosis::out_of_bounds,
        "radix_sort allocates this array, so allocate radix_scratch(n) counts and n keys" + kit::task(4));
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] { scan::radix_sort(memory.data(), static_cast<int>(keys.size())); });
    const first_kernel::Allocations& seen = first_kernel::allocations;
    test.check(seen.damage.empty(), seen.damage, kit::Diagnosis::out_of_bounds);
#ifdef KIT_CPU
    const auto threads = kit::cpu::counters().threads;
    // One key, or none, is already sorted.
    test.demand("threads", kit::unless(keys.size() < 2, kit::at_least(threads, keys.size())),
                kit::count_of(threads, "thread") + " for " + kit::count_of(keys.size(), "key") +
                    ": sort them on the device, not on the host" + kit::task(4));
#endif
    keys = memory.values();
    if (keys != want) {
        test.check(
            keys != by_all_but_the_last || by_all_but_the_last == want,
            "the keys are sorted by all digits except the highest: run eight passes, and return the array of "
            "the last one");
        test.check(keys != from_the_top || from_the_top == want,
                   "the passes went from the highest digit to the lowest: start with the lowest, because the "
                   "last pass "
                   "decides");
    }
    test.expect(memory, want);
    test.check(seen.live.empty(),
               "device memory is lost: " + std::to_string(seen.live.size()) +
                   " of the arrays that you allocated are never freed. Call cudaFree for each");
}

#ifdef KIT_CPU
constexpr int kWentOn = 3;  // an exit status with no other meaning

/// Sorts in its own process, in which one cudaMalloc fails, and returns the exit status of the process, or -1. Before the error, no
/// kernel runs there; a program that checks its calls ends at the error.
int end_where_malloc_fails(Keys keys, unsigned which) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        for (const int file : {STDOUT_FILENO, STDERR_FILENO}) dup2(open("/dev/null", O_WRONLY), file);
        alarm(2);
        first_kernel::allocations = {};
        first_kernel::allocations.fails_at = which;
        first_kernel::allocations.goes_on = [] { _exit(kWentOn); };
        scan::radix_sort(keys.data(), static_cast<int>(keys.size()));
        _exit(first_kernel::allocations.has_failed ? kWentOn : 0);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Checks what the contract demands: an error of any call ends the program.
void judge_failing_calls(kit::Case& test) {
    const Keys keys = any_keys(test, 600);
    judge_sort(test, keys);
    const unsigned made = std::min(2u, first_kernel::allocations.made);
    for (unsigned which = 1; which <= made; ++which) {
        int end = 0;
        if (!kit::detail::calls_are_spared()) end = end_where_malloc_fails(keys, which);
        end = kit::detail::passed("how it ends", end);
        test.check(end != kWentOn,
                   "cudaMalloc number " + std::to_string(which) +
                       " returned cudaErrorMemoryAllocation, and radix_sort continued: check every call with "
                       "CUDA_CHECK" +
                       kit::task(4),
                   kit::Diagnosis::cuda_error);
        if (end == kWentOn) return;
    }
}

void count_work(kit::Case& test) {
    constexpr int tiles = 12, n = tiles * scan::kBlock;
    const Keys keys = any_keys(test, n);
    auto in = test.input("in", keys);
    auto out = test.output<unsigned int>("out", n);
    auto scratch = test.output<int>("scratch", scan::radix_scratch(n));
    const auto counters = shared_work::call(
        test, in, n, [&] { scan::sort_by_digit(in.data(), n, 8, out.data(), scratch.data()); });
    test.demand("blocks", kit::at_least(counters.blocks, tiles),
                kit::count_of(counters.blocks, "block") + " for " + kit::count_of(tiles, "tile") +
                    ": give each tile its own block");
    test.expect(out, sorted_by_digit(keys, 8));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("08_scan", "radix_sort", argc, argv);
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::race).on("tile_counts"));
    // Two keys have the same place, or a key has a place after the last one.
    for (const int task : {2, 3}) grader.task(task, kit::About().fix(kit::facts::Fix::own_place).on("out"));
    for (const int task : {2, 3})
        grader.task(task, kit::About()
                              .diagnosis(kit::Diagnosis::out_of_bounds)
                              .on("out")
                              .position(kit::facts::Memory::Position::after));
    grader.task(2, {kit::Diagnosis::race});
    grader.task(4, {kit::Diagnosis::wrong_value});
    // The parts are judged in order, because wrong counts make the last kernel write anywhere.
    for (int n : {1, 256, 700, 5003}) {
        grader.add("the counts, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_counts(test, n, n % 2 * 12); });
    }
    grader.add("one pass, one key of each digit", judge_places);
    for (int n : kit::sizes(scan::kBlock, 3000)) {
        grader.add("one pass, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_pass(test, any_keys(test, n), 0); });
    }
    for (int shift : {4, 20, 28}) {
        grader.add("one pass, bits from " + std::to_string(shift) + " on, n=1300",
                   [shift](kit::Case& test) { judge_pass(test, any_keys(test, 1300), shift); });
    }
    for (unsigned int digit : {0u, 15u}) {
        grader.add("one pass, all have digit " + std::to_string(digit) + ", n=1300",
                   [digit](kit::Case& test) { judge_pass(test, with_digit(test, 1300, 8, digit), 8); });
    }
    grader.add("one pass, 17,000 keys: more counts than a block scans at once",
               [](kit::Case& test) { judge_pass(test, any_keys(test, 17000), 12); });
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions.
    grader.add("one pass, n=17000003", [](kit::Case& test) { judge_pass(test, any_keys(test, 17000003), 8); },
               {60, true});
#endif
    for (int n : {0, 1, 255, 257, 5003}) {
        grader.add("the whole sort, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_sort(test, any_keys(test, n)); });
    }
    grader.add("the whole sort, few different keys", [](kit::Case& test) {
        Keys keys = any_keys(test, 3000);
        for (unsigned int& key : keys) key = key % 3 * 0x7fffffffu;
        judge_sort(test, keys);
    });
    grader.add("the whole sort, from the largest to the smallest", [](kit::Case& test) {
        Keys keys(2000);
        for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = ~0u - static_cast<unsigned int>(i) * 2146u;
        judge_sort(test, keys);
    });
#ifdef KIT_CPU
    grader.add("a cudaMalloc that fails", judge_failing_calls, {30, true});
    grader.add("work, counted", count_work);
#endif
    return grader.run();
}
