// Grades 09_warp_primitives/divergence: predictions, values and, on the executor, the number of active lanes in a warp.
// sanitizer.case: n=
#include <algorithm>
#include <string>
#include <vector>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "grader.cuh"

namespace {

using namespace warp_primitives;

using Words = std::vector<std::uint32_t>;

// ---- the prediction: runs every warp iteration by iteration, instead of computing maxima ----

WarpWork run_all(const std::vector<ThreadWork>& threads) {
    WarpWork work = {0, 0};
    for (std::size_t first = 0; first < threads.size(); first += kLanes) {
        const std::size_t end = std::min(first + kLanes, threads.size());
        for (int kind = 0; kind < 2; ++kind) {
            for (int trip = 0;; ++trip) {
                int active = 0;
                for (std::size_t t = first; t < end; ++t)
                    active += threads[t].kind == kind && trip < threads[t].trips;
                if (active == 0) break;
                ++work.issued;
                work.lanes += active;
            }
        }
    }
    return work;
}

void judge_prediction(kit::Case& test, const std::vector<ThreadWork>& threads, const std::string& what) {
    const WarpWork got =
        test.call([&] { return warp_work(threads.data(), static_cast<int>(threads.size())); });
    const WarpWork want = run_all(threads);
    test.check(got.issued == want.issued && got.lanes == want.lanes,
               "warp_work returned " + std::to_string(got.issued) + " issued iterations and " +
                   std::to_string(got.lanes) + " iterations of lanes, expected " +
                   std::to_string(want.issued) + " and " + std::to_string(want.lanes) +
                   " for this work: " + what + ", n=" + std::to_string(threads.size()) +
                   ". For each warp and loop, count the iterations of the longest lane" + kit::task(1));
}

std::vector<ThreadWork> any_work(kit::Random& random, int n, int most) {
    std::vector<ThreadWork> threads;
    for (int t = 0; t < n; ++t)
        threads.push_back(
            {static_cast<int>(random.integer(0, 1)), static_cast<int>(random.integer(0, most))});
    return threads;
}

void predictions(kit::Case& test, int n) {
    std::vector<ThreadWork> alike(static_cast<std::size_t>(n), {1, 7});
    judge_prediction(test, alike, "each thread runs the second loop 7 times");
    std::vector<ThreadWork> alternating = alike;
    for (std::size_t t = 0; t < alternating.size(); ++t) alternating[t].kind = static_cast<int>(t % 2);
    judge_prediction(test, alternating, "each thread runs 7 iterations, and the kinds alternate");
    std::vector<ThreadWork> by_warp = alike;
    for (std::size_t t = 0; t < by_warp.size(); ++t) by_warp[t].kind = static_cast<int>(t / kLanes % 2);
    judge_prediction(test, by_warp,
                     "each thread runs 7 iterations, and the kinds alternate from warp to warp");
    std::vector<ThreadWork> ramp = alike;
    for (std::size_t t = 0; t < ramp.size(); ++t) ramp[t] = {0, static_cast<int>(t % kLanes)};
    judge_prediction(test, ramp, "each lane runs one iteration more than the previous lane");
    judge_prediction(test, any_work(test.random(), n, 1), "random, at most 1 iteration");
    judge_prediction(test, any_work(test.random(), n, 40), "random, at most 40 iterations");
}

/// Predicts more iterations than 32 bits can count: three lanes of each warp run 2^30 iterations, in each of the two loops in turn.
void large_predictions(kit::Case& test) {
    constexpr int n = 300, trips = 1 << 30;
    std::vector<ThreadWork> threads(n, {1, 3});
    WarpWork want = {0, 0};
    for (int t = 0; t < n; ++t) {
        if (t % kLanes == 5 || t % kLanes == 6 || t % kLanes == 11)
            threads[static_cast<std::size_t>(t)] = {t / kLanes % 2, trips};
        want.lanes += threads[static_cast<std::size_t>(t)].trips;
        if (t % kLanes == 5)
            want.issued += t / kLanes % 2 == 0 ? std::int64_t{trips} + 3 : std::int64_t{trips};
    }
    const WarpWork got = test.call([&] { return warp_work(threads.data(), n); });
    test.check(got.issued == want.issued && got.lanes == want.lanes,
               "warp_work returned " + std::to_string(got.issued) + " issued iterations and " +
                   std::to_string(got.lanes) + " iterations of lanes, expected " +
                   std::to_string(want.issued) + " and " + std::to_string(want.lanes) +
                   ": three lanes in each of 10 warps run 2^30 iterations, so count with 64 bits" +
                   kit::task(1));
}

// ---- the kernels ----

Words table(kit::Random& random) {
    Words words(kTable);
    for (auto& word : words) word = static_cast<std::uint32_t>(random.next());
    return words;
}

struct Exercise {
    const char* name;
    void (*run)(const std::uint32_t*, int, const std::uint32_t*, std::uint32_t*);
    std::uint32_t (*want)(const Words& table, std::size_t i, std::uint32_t x);
    double lanes;          ///< average of active lanes per load, out of 32, that is demanded
    kit::Said divergence;  ///< the cause if fewer lanes are active
};

const Exercise exercises[] = {
    {"by_position", by_position,
     [](const Words& table, std::size_t i, std::uint32_t x) {
         return i % 2 == 0 ? climb(table.data(), x) : fall(table.data(), x);
     },
     30, "a warp has elements of both kinds, so give each warp elements of one kind" + kit::task(2)},
    {"by_value", by_value,
     [](const Words& table, std::size_t, std::uint32_t x) { return is_long(x) ? climb(table.data(), x) : x; },
     20, "gather the long values, then distribute them over all lanes"},
};

/// `multiples`: 0: no value needs long work; 1: each does; 4: every fourth does, as for random numbers.
Words values_of(kit::Case& test, std::size_t n, std::uint32_t multiples) {
    Words values(n);
    for (auto& value : values) {
        value = static_cast<std::uint32_t>(test.random().next());
        if (multiples == 0) value |= 1;
        if (multiples == 1) value &= ~3u;
    }
    return values;
}

/// Values that need no climb belong to Task 3 alone.
void expect_short(kit::Case& test, const Words& values, const Words& got) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (is_long(values[i]) || got[i] == values[i]) continue;
        return test.check(false,
                          "out[" + std::to_string(i) + "]: " + kit::detail::got_text(got[i]).substr(0, 40) +
                              ", expected in[" + std::to_string(i) + "]: copy a value that needs no climb" +
                              kit::task(3),
                          kit::Diagnosis::part);
    }
}

void judge(kit::Case& test, const Exercise& exercise, int n, std::uint32_t multiples, bool counted = false) {
    const Words values = values_of(test, static_cast<std::size_t>(n), multiples),
                steps = table(test.random());
    Words want;
    for (std::size_t i = 0; i < values.size(); ++i) want.push_back(exercise.want(steps, i, values[i]));
    auto in = test.input("in", values);
    auto words = test.input("table", steps);
    auto out = test.output<std::uint32_t>(exercise.name, values.size());
    const auto run = [&] { exercise.run(in.data(), n, words.data(), out.data()); };
    test.explain(kit::Diagnosis::divergence, exercise.divergence);
    kit::Counts counts;
    counted ? void(counts = test.counts(run)) : test.call(run);
    if (exercise.run == by_value) expect_short(test, values, out.values());
    test.expect(out, want);
    const kit::Said task = exercise.run == by_position ? kit::named_task(2)
                           : multiples == 0            ? kit::named_task(3)
                                                       : kit::named_task(4);
    if (n > 0) test.by_kernels(task);
    test.stored_at_most(values.size() * sizeof(std::uint32_t), task);
    if (!counted) return;
    test.active_lanes_at_least(exercise.lanes, counts, kit::Way::loads);
    if (exercise.run == by_position)
        test.divergent_branches_at_most(static_cast<std::uint64_t>(n) / kLanes, counts);
}

#ifdef KIT_CPU
/// Compares the student's prediction for the given kernels with the counted loads: one load of `in` per thread (for by_value_slow
/// two if its value is long), and one load of the table per iteration.
void judge_counted(kit::Case& test, bool by_value) {
    constexpr int n = 4 * kBlock + 45;
    const Words values = values_of(test, n, 4), steps = table(test.random());
    auto in = test.input("in", values);
    auto words = test.input("table", steps);
    auto out = test.output<std::uint32_t>("out", values.size());
    const kit::Counts counts = test.counts(
        [&] { (by_value ? by_value_slow : by_position_slow)(in.data(), n, words.data(), out.data()); });
    if (!counts.counted) test.skip("the checks of the executor are off, so nothing was counted");
    std::vector<ThreadWork> threads;
    for (int i = 0; i < n; ++i) {
        if (by_value) threads.push_back({0, is_long(values[static_cast<std::size_t>(i)]) ? kSteps : 0});
        if (!by_value) threads.push_back({i % 2, kSteps});
    }
    const WarpWork got = test.call([&] { return warp_work(threads.data(), n); });
    std::int64_t requests = 0, lanes = 0;
    for (const kit::cpu::KernelProfile& kernel : counts.kernels) {
        for (const kit::cpu::LineCounts& line : kernel.lines) {
            // Loads of the table are those in the contract's header, which defines climb and fall.
            if (std::string(line.place.file).find("09_warp_primitives.hpp") == std::string::npos) continue;
            requests += static_cast<std::int64_t>(line.of(kit::cpu::RequestKind::load).requests);
            lanes += static_cast<std::int64_t>(line.of(kit::cpu::RequestKind::load).lanes);
        }
    }
    test.demand(
        "predicted",
        got.issued == requests ? kit::exactly(got.lanes, lanes) : kit::exactly(got.issued, requests),
        "warp_work returned " + std::to_string(got.issued) + " issued iterations and " +
            std::to_string(got.lanes) + " iterations of lanes, but " +
            (by_value ? "by_value_slow" : "by_position_slow") + " runs " + std::to_string(requests) +
            " and " + std::to_string(lanes) +
            ": for each warp and loop, count the iterations of the longest lane and those of all lanes" +
            kit::task(1));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("09_warp_primitives", "divergence", argc, argv);
    grader.task(1, {kit::Diagnosis::crash});  // the only code of the exercise that runs on the host
    grader.task(2, kit::About().output("by_position"));
    grader.task(3, kit::About().function("__ballot_sync()"));
    grader.task(
        3, kit::About().output("by_value"));  // the long values: missing in the queue or not taken from it
    grader.task(4, kit::About().output("by_value"));
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::divergence));
    grader.task(4, kit::About().diagnosis(kit::Diagnosis::divergence));
    grader.task(4, {kit::Diagnosis::race, kit::Diagnosis::uninitialised});
    for (const int n : {0, 1, 31, 32, 33, 1000}) {
        grader.add("prediction, " + kit::count_of(n, "thread"),
                   [n](kit::Case& test) { predictions(test, n); });
    }
    grader.add("prediction, 2^30 trips", large_predictions);
    for (const Exercise& exercise : exercises) {
        const std::string name = exercise.name;
        // The first cases have one kind of value, so that only one task stores anything.
        if (exercise.run == by_value) {
            grader.add(name + ", none long, n=700",
                       [&exercise](kit::Case& test) { judge(test, exercise, 700, 0); });
            grader.add(name + ", all long, n=100",
                       [&exercise](kit::Case& test) { judge(test, exercise, 100, 1); });
        }
        for (const int n : {0, 1, 2, 31, 32, 33, 63, 64, 65, 511, 512, 513, 1025, 5003}) {
            grader.add(name + ", n=" + std::to_string(n),
                       [&exercise, n](kit::Case& test) { judge(test, exercise, n, 4); });
        }
        grader.add(name + ", all long, n=2100",
                   [&exercise](kit::Case& test) { judge(test, exercise, 2100, 1); });
        grader.add(name + ", none long, n=2100",
                   [&exercise](kit::Case& test) { judge(test, exercise, 2100, 0); });
        grader.add(name + ", active lanes, n=8192",
                   [&exercise](kit::Case& test) { judge(test, exercise, 8192, 4, true); });
#ifndef KIT_CPU
        grader.add(name + ", n=16777217",
                   [&exercise](kit::Case& test) { judge(test, exercise, 16777217, 4); }, {60, true});
#endif
    }
#ifdef KIT_CPU
    grader.add("prediction, counted, by_position_slow", [](kit::Case& test) { judge_counted(test, false); });
    grader.add("prediction, counted, by_value_slow", [](kit::Case& test) { judge_counted(test, true); });
#endif
    return grader.run();
}
