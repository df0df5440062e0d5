// Grades 09_warp_primitives/aggregated_atomics: the kept values, the sums and, on the executor, the number of atomics.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "grader.cuh"

namespace {

using namespace warp_primitives;

using Values = std::vector<int>;

Values kept_of(const Values& values) {
    Values kept;
    std::copy_if(values.begin(), values.end(), std::back_inserter(kept), [](int value) { return value > 0; });
    std::sort(kept.begin(), kept.end());
    return kept;
}

/// Explains a vote under a condition on `wants`: take_place() itself excludes lanes from the vote.
void explain_vote(kit::Case& test) {
    test.explain(kit::Diagnosis::barrier, [](const kit::facts::Finding& found) -> kit::Said {
        const std::string& line = found.waiting.empty() ? found.place.text : found.waiting[0].at.text;
        if (line.find("wants ?") == std::string::npos) return "";
        return "let all lanes vote, including those that need no place" + kit::task(1);
    });
}

void judge_kept(kit::Case& test, const Values& values, bool counted = false) {
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto count = test.output<unsigned int>("count", 1);
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    explain_vote(test);
    test.call([&] { keep_positive(in.data(), static_cast<int>(values.size()), out.data(), count.data()); });
    if (counted) {
#ifdef KIT_CPU
        const kit::cpu::Counters counters = kit::cpu::counters();
        const std::uint64_t atomics = counters.atomics, warps = counters.threads / kLanes;
        test.demand("atomics", kit::at_most(atomics, warps),
                    kit::count_of(atomics, "atomic addition") + " by " + kit::count_of(warps, "warp") +
                        ": let one lane add for its whole warp, however the lanes diverge" + kit::task(2) +
                        ", and let all lanes call take_place()" + kit::task(3));
#endif
    }
    const Values kept = kept_of(values);
    test.expect(count, {static_cast<unsigned int>(kept.size())});
    Values got = out.values();
    const auto end = got.begin() + static_cast<std::ptrdiff_t>(kept.size());
    std::sort(got.begin(), end);
    const auto untouched = kit::detail::poison<int>();
    const auto behind = std::count_if(end, got.end(), [&](int value) { return value != untouched; });
    test.check(behind == 0,
               "your code wrote " + kit::count_of(behind, "value") + " after the " +
                   std::to_string(kept.size()) + " that are kept: write only the kept ones",
               kit::Diagnosis::out_of_bounds);
    got.resize(kept.size());
    test.expect<int>("out, sorted", got, kept);
    if (!values.empty()) test.by_kernels(kit::named_task(3));
    test.stored_at_most((kept.size() + 1) * sizeof(int), kit::named_task(3));
}

/// Judges two warps that keep only the values of these elements. The places of the values determine the wrong task.
void judge_few(kit::Case& test, const std::vector<unsigned>& elements) {
    Values values(2 * kLanes, 0);
    for (const unsigned i : elements) values[i] = static_cast<int>(100 + i);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto count = test.output<unsigned int>("count", 1);
    explain_vote(test);
    test.call([&] { keep_positive(in.data(), 2 * kLanes, out.data(), count.data()); });
    const unsigned added = count.values()[0];
    const auto lane_of = [](unsigned i) { return std::to_string(i % kLanes); };
    const std::string who = elements.size() == 1
                                ? "only lane " + lane_of(elements[0]) + " needs a place"
                                : kit::count_of(elements.size(), "lane", "need") + " a place";
    const Values got = out.values();
    const auto is_at = [&](std::size_t place, unsigned i) { return got[place] == values[i]; };
    if (std::all_of(elements.begin(), elements.end(), [&](unsigned i) { return is_at(i, i); }))
        return test.check(
            false,
            who + ", but your code writes `out[i]`: write to the place that take_place() returns" +
                kit::task(3),
            kit::Diagnosis::part);
    if (added != elements.size())
        return test.check(false,
                          who + ", but your code added " + std::to_string(added) +
                              " to `count`: add the number of lanes that need a place" + kit::task(2),
                          kit::Diagnosis::part);
    for (const unsigned i : elements) {
        std::size_t at = 0;
        while (at < got.size() && !is_at(at, i)) ++at;
        if (at == got.size() || at < elements.size()) continue;
        return test.check(false,
                          who + ", but lane " + lane_of(i) + " got place " + std::to_string(at) +
                              ": count only the votes of lower lanes" + kit::task(2),
                          kit::Diagnosis::part);
    }
}

void few(kit::Case& test) {
    test.explain_places(
        "two lanes that keep a value got the same place from take_place(): give each a different one" +
        kit::task(2));
    for (const std::vector<unsigned>& elements :
         std::vector<std::vector<unsigned>>{{32}, {41}, {63}, {62, 63}, {34, 35}, {32, 63}, {36, 43, 61}})
        judge_few(test, elements);
    test.check(true, "");
}

/// Does the same with values in both warps, so that the places of one warp must follow those of the other.
void few_of_two_warps(kit::Case& test) {
    test.explain_places(
        "two lanes that keep a value got the same place from take_place(): give each a different one" +
        kit::task(2));
    for (const std::vector<unsigned>& elements :
         std::vector<std::vector<unsigned>>{{3, 9, 36, 43}, {0, 31, 32, 63}, {17, 50, 51, 52}})
        judge_few(test, elements);
    test.check(true, "");
}

/// Judges values of which none is kept.
void none(kit::Case& test) {
    const kit::Said why = "no lane keeps a value here, so let no lane write to `out`" + kit::task(3);
    test.explain(kit::Diagnosis::race, why);
    test.explain(kit::Diagnosis::out_of_bounds, why);
    test.explain_places(why);
    Values values(2 * kLanes);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -static_cast<int>(i);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto count = test.output<unsigned int>("count", 1);
    explain_vote(test);
    test.call([&] { keep_positive(in.data(), 2 * kLanes, out.data(), count.data()); });
    if (count.values()[0] != 0) return;  // other cases report wrong votes
    const Values got = out.values();
    const auto written = static_cast<std::size_t>(
        std::count_if(got.begin(), got.end(), [](int value) { return value != kit::detail::poison<int>(); }));
    test.check(written == 0, kit::count_of(written, "value", "were") + " written: " + why,
               kit::Diagnosis::part);
}

void judge_sums(kit::Case& test, const Values& keys, int key_count, bool counted = false) {
    const Values all_values = kit::integers<int>(test.random(), keys.size(), -1000, 1000);
    Values want(static_cast<std::size_t>(key_count), 0);
    [[maybe_unused]] std::uint64_t different = 0;  // different keys per warp, summed
    std::set<int> in_warp;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i % kLanes == 0) in_warp.clear();
        different += in_warp.insert(keys[i]).second;
        want[static_cast<std::size_t>(keys[i])] += all_values[i];
    }
    auto key = test.input("keys", keys);
    auto value = test.input("values", all_values);
    auto sums = test.output<int>("sums", want.size());
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call(
        [&] { sum_by_key(key.data(), value.data(), static_cast<int>(keys.size()), sums.data(), key_count); });
    if (counted) {
#ifdef KIT_CPU
        const std::uint64_t atomics = kit::cpu::counters().atomics;
        test.demand("atomics", kit::at_most(atomics, different),
                    kit::count_of(atomics, "atomic addition") + ", but the warps have only " +
                        kit::count_of(different, "different key") +
                        ", counted warp by warp: let the lanes with the same key add once" + kit::task(4));
#endif
    }
    test.expect(sums, want);
    if (!keys.empty()) test.by_kernels(kit::named_task(4));
}

void judge_counts(kit::Case& test, const Values& keys, int key_count, bool counted = false) {
    std::vector<unsigned int> want(static_cast<std::size_t>(key_count), 0);
    std::set<int> in_warp;
    [[maybe_unused]] std::uint64_t different = 0;  // different keys per warp, summed
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i % kLanes == 0) in_warp.clear();
        different += in_warp.insert(keys[i]).second;
        ++want[static_cast<std::size_t>(keys[i])];
    }
    auto key = test.input("keys of count_by_key", keys);
    auto counts = test.output<unsigned int>("counts", want.size());
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] { count_by_key(key.data(), static_cast<int>(keys.size()), counts.data(), key_count); });
    if (counted) {
#ifdef KIT_CPU
        const std::uint64_t atomics = kit::cpu::counters().atomics;
        test.demand("atomics", kit::at_most(atomics, different),
                    kit::count_of(atomics, "atomic addition") + ", and the warps have " +
                        kit::count_of(different, "different key") +
                        ", counted warp by warp: let one of the lanes with the same key add for all" +
                        kit::task(5));
#endif
    }
    test.expect(counts, want);
    if (!keys.empty()) test.by_kernels(kit::named_task(5));
}

Values numbers(kit::Case& test, int n, int low = -1000, int high = 1000) {
    return kit::integers<int>(test.random(), static_cast<std::size_t>(n), low, high);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("09_warp_primitives", "aggregated_atomics", argc, argv);
    grader.task(2, kit::About().output("count"));
    for (const int task : {2, 3}) grader.task(task, kit::About().output("out, sorted"));
    grader.task(3, kit::About().on("out"));
    grader.task(3, kit::About().function("__ballot_sync()"));  // some lanes do not call take_place
    grader.task(4, kit::About().output("sums"));
    for (const char* name : {"counts", "keys of count_by_key"}) grader.task(5, kit::About().on(name));
    grader.task(5, kit::About().output("counts"));
    grader.task(5, kit::About().function("__match_any_sync()"));
    grader.task(5, kit::About().kernel("count_by_key_match"));
    grader.task(3, {kit::Diagnosis::out_of_bounds});
    grader.add("no lane needs a place", none);
    grader.add("few lanes need a place", few);
    grader.add("few lanes of two warps need a place", few_of_two_warps);
    for (const int n : kit::sizes(kBlock, 20000)) {
        grader.add("keep, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_kept(test, numbers(test, n)); });
    }
    grader.add("keep all, n=1003", [](kit::Case& test) { judge_kept(test, numbers(test, 1003, 1, 1000)); });
    grader.add("keep none, n=1003", [](kit::Case& test) { judge_kept(test, numbers(test, 1003, -1000, 0)); });
    grader.add("keep few, n=9001", [](kit::Case& test) { judge_kept(test, numbers(test, 9001, -1000, 20)); });
    grader.add("keep, never the first of a warp", [](kit::Case& test) {
        Values values = numbers(test, 3001);
        for (std::size_t i = 0; i < values.size(); i += kLanes) values[i] = 0;
        judge_kept(test, values);
    });
    grader.add("keep, two calls", [](kit::Case& test) {
        judge_kept(test, numbers(test, 2000));
        judge_kept(test, numbers(test, 700));
    });
    for (const int n : kit::sizes(kBlock, 20000)) {
        grader.add("sums of 10 keys, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_sums(test, numbers(test, n, 0, 9), 10); });
    }
    for (const int n : kit::sizes(kBlock, 20000)) {
        grader.add("counts of 10 keys, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge_counts(test, numbers(test, n, 0, 9), 10); });
    }
    grader.add("counts of 5000 keys, n=3001",
               [](kit::Case& test) { judge_counts(test, numbers(test, 3001, 0, 4999), 5000); });
    grader.add("sums of 5000 keys, n=3001",
               [](kit::Case& test) { judge_sums(test, numbers(test, 3001, 0, 4999), 5000); });
    grader.add("sums of one key, n=3001",
               [](kit::Case& test) { judge_sums(test, numbers(test, 3001, 0, 0), 1); });
    grader.add("sums, keys in order", [](kit::Case& test) {
        Values keys = numbers(test, 3001, 0, 99);
        std::sort(keys.begin(), keys.end());
        judge_sums(test, keys, 100);
    });
#ifdef KIT_CPU
    grader.add("keep, atomics counted", [](kit::Case& test) { judge_kept(test, numbers(test, 5001), true); });
    grader.add("keep few, atomics counted",
               [](kit::Case& test) { judge_kept(test, numbers(test, 5001, -1000, 30), true); });
    grader.add("sums, atomics counted",
               [](kit::Case& test) { judge_sums(test, numbers(test, 5001, 0, 9), 10, true); });
    grader.add("counts, atomics counted",
               [](kit::Case& test) { judge_counts(test, numbers(test, 5001, 0, 9), 10, true); });
#else
    grader.add("keep, n=16777217", [](kit::Case& test) { judge_kept(test, numbers(test, 16777217)); },
               {60, true});
    grader.add("sums of 1000 keys, n=16777217",
               [](kit::Case& test) { judge_sums(test, numbers(test, 16777217, 0, 999), 1000); }, {60, true});
#endif
    return grader.run();
}
