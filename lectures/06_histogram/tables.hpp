// The tables of the demo of 06_histogram that have times of their own making: on a GPU only.
#pragma once

#include <algorithm>
#include <cmath>

#include "atomics.cuh"
#include "versions.hpp"

namespace histogram_demo {

struct Measured {
    double us, spread;
};

/// Half of the repetitions, and then the other half: what moves between the two belongs to the spread.
inline Measured measure(const std::function<void(long long)>& run, double moved_bytes, long long n,
                        int repetitions, bool cold_l2) {
    kit::TimeOptions options;
    options.cold_l2 = cold_l2;
    options.warm_up = repetitions > 5 ? 3 : 1;
    options.repetitions = (repetitions + 1) / 2;
    const kit::Timing a = kit::time([&] { run(n); }, moved_bytes, options),
                      b = kit::time([&] { run(n); }, moved_bytes, options);
    require(a.valid && b.valid, a.valid ? b.reason : a.reason);
    const double ms = (a.median_ms + b.median_ms) / 2;
    return {ms * 1e3, std::max({a.spread, b.spread, std::fabs(a.median_ms - b.median_ms) / ms})};
}

/// v1 is wrong, so it has a table of its own: what it loses.
inline void show_race(Demo& demo, Data& d) {
    if (!demo.part("race") || !demo.wants("v1")) return;
    demo.table("race", "v1: " + std::to_string(demo.n()) + " letters, counted without atomics", {"input", 8},
               {{"us", 1}, {"spread", 3}, {"letters", 0, 10}, {"counted", 0, 10}, {"lost_percent", 4}});
    for (const std::string& input : inputs) {
        if (demo.input() != "all" && demo.input() != input) continue;
        d.fill_with(letters, input, demo.n());
        const Measured time =
            measure([&d](long long n) { histogram::sections_racy(d.text(), n, d.bins.data()); },
                    static_cast<double>(demo.n()), demo.n(), demo.repetitions(6), true);
        const std::vector<unsigned int> got = d.take(), &want = d.want(demo.n());
        for (std::size_t bin = 0; bin < got.size(); ++bin) {
            require(got[bin] <= want[bin],
                    "v1 has counted more letters than there are");  // it can only lose some
        }
        const double there = std::accumulate(want.begin(), want.end(), 0.0),
                     counted = std::accumulate(got.begin(), got.end(), 0.0);
        demo.row(input, input,
                 {time.us, time.spread, there, counted, 100 * (1 - counted / std::max(there, 1.0))});
    }
    demo.say("  v1   A section of the text for each thread, which increments the bins as if it were alone.");
}

/// Every version on all inputs.
inline void show_inputs(Demo& demo, Data& d, const std::string& table, long long n, bool cold_l2) {
    if (demo.input() != "all" || !demo.part(table)) return;
    const int decimals = n > (1 << 22) ? 1 : 2;
    demo.table(
        table,
        "microseconds on four inputs, n=" + std::to_string(n) + (cold_l2 ? ", cold" : ", warm") + " L2",
        {"version", 33},
        {{"uniform", decimals, 8},
         {"skewed", decimals, 8},
         {"single", decimals, 8},
         {"text", decimals, 8},
         {"worst_over_best", 2, 7},
         {"of_bound", 3, 5},
         {"spread", 3, 5},
         {"note", 0, 5}});
    for (const Problem* problem : {&letters, &bytes, &values}) {
        for (const Version& version : versions_of(*problem, d, n)) {
            const bool slow = version.repetitions > 0, warm_matters = problem != &values && !slow;
            if (!demo.wants(version.id) || (!cold_l2 && !warm_matters)) continue;
            const int usual = n > (1 << 22) ? (slow ? 2 : 12) : (slow ? 12 : 40);
            const double moved = work_of(*problem, n).bytes;
            std::vector<Value> shown;
            double best = 1e30, worst = 0, spread = 0;
            for (const std::string& input : inputs) {
                d.fill_with(*problem, input, n);
                const Measured time = measure(version.run, moved, n, demo.repetitions(usual), cold_l2);
                require(version.right(n), version.name + ", " + input + ": the counts are wrong");
                shown.push_back(time.us);
                best = std::min(best, time.us), worst = std::max(worst, time.us);
                spread = std::max(spread, time.spread);
            }
            const double bound_us = moved / kit::copy_gb_per_s() * 1e-3;
            for (const double value : {worst / best, bound_us / worst, spread}) shown.push_back(value);
            shown.push_back(spread > 0.05 ? "noisy" : "-");
            demo.row(row_id(*problem, version), label_of(version), shown);
        }
    }
    demo.say(
        "of bound: the time of a copy of as many bytes over that on the worst input; spread: the largest of "
        "the four");
}

inline void show_sizes(Demo& demo, Data& d, const Problem& problem, const std::vector<long long>& sizes,
                       const std::vector<std::string>& ids) {
    const std::string table = std::string("sizes_") + problem.name;
    if (!demo.part(table)) return;
    d.fill_with(problem, demo.input() == "all" ? inputs[0] : demo.input(), sizes.back());
    std::vector<Version> some;
    for (const Version& version : versions_of(problem, d, sizes.back()))
        if (std::find(ids.begin(), ids.end(), version.id) != ids.end()) some.push_back(version);
    demo.sweep(
        table, std::string(problem.name) + " by size", sizes,
        [&problem](long long n) { return work_of(problem, n); }, some);
}

inline void show_atomics(Demo& demo, Data& d) {
    if (!demo.part("atomics")) return;
    demo.table("atomics", "one atomic addition: its time, and 10^9 of them per second on the whole GPU",
               {"where", 37}, {{"latency_ns", 1}, {"add_1", 2}, {"add_2", 2}, {"spread", 3}});
    std::size_t counters = 1;
    while (2 * counters * sizeof(unsigned int) <= d.elements.size()) counters *= 2;
    atomic_cost::measure(reinterpret_cast<unsigned int*>(d.elements.data()), counters,
                         [&demo](const atomic_cost::Cost& cost) {
                             const Value latency = cost.latency_ns > 0 ? Value(cost.latency_ns) : Value("-");
                             demo.row(cost.id, cost.where, {latency, cost.add_1, cost.add_2, cost.spread});
                         });
    demo.say(
        "latency: a single thread, whose additions wait for each other; add 1, add 2: all threads add that "
        "number");
}

}  // namespace histogram_demo
