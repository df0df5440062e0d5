// Grades 09_warp_primitives/ballot_compact: the values kept from each row, their order, their number and, on the executor, that there
// is one vote per 32 values.
#include <algorithm>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "09_warp_primitives/09_warp_primitives.hpp"
#include "grader.cuh"

namespace {

using namespace warp_primitives;

struct Table {
    int rows, columns;
    int lowest = -1000, highest = 1000;

    std::vector<int> values(kit::Random& random) const {
        return kit::integers<int>(random, std::size_t(rows) * std::size_t(columns), lowest, highest);
    }
    std::string name() const {
        return "rows=" + std::to_string(rows) + " columns=" + std::to_string(columns);
    }
};

void judge(kit::Case& test, const Table& table, const std::vector<int>& values) {
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto counts = test.output<int>("counts", static_cast<std::size_t>(table.rows));
    test.call([&] { ballot_compact(in.data(), table.rows, table.columns, out.data(), counts.data()); });

    // Elements that are not written keep the pattern that outputs have before the call.
    std::vector<int> want(values.size(), kit::detail::poison<int>()), want_counts;
    const std::size_t columns = static_cast<std::size_t>(table.columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row) {
        std::size_t kept = 0;
        for (std::size_t i = row * columns; i < (row + 1) * columns; ++i)
            if (values[i] > 0) want[row * columns + kept++] = values[i];
        want_counts.push_back(static_cast<int>(kept));
    }
    test.expect(counts, want_counts);
    const std::vector<int> got = out.values();
    for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows); ++row) {
        const auto kept = static_cast<std::size_t>(want_counts[row]);
        for (std::size_t i = kept; i < columns; ++i) {
            if (got[row * columns + i] == want[row * columns + i]) continue;
            test.check(false,
                       "out[" + std::to_string(row * columns + i) + "] is written, after the " +
                           kit::count_of(kept, "value") + " that are kept of row " + std::to_string(row) +
                           ": write only the kept ones",
                       kit::Diagnosis::out_of_bounds);
            return;
        }
    }
    test.expect<int>("out", got, want);
    std::size_t kept = 0;
    for (const int count : want_counts) kept += static_cast<std::size_t>(count);
    if (table.rows > 0) test.by_kernels(kit::named_task(2));
    test.stored_at_most((kept + want_counts.size()) * sizeof(int), kit::named_task(2));
}

/// Judges one row whose first 32 values are positive in these lanes only. With a single round, the places show which task is wrong.
void judge_places(kit::Case& test, const std::vector<int>& lanes) {
    std::vector<int> values(2 * kLanes, -1);
    for (std::size_t k = 0; k < lanes.size(); ++k)
        values[static_cast<std::size_t>(lanes[k])] = static_cast<int>(1000 * (k + 1) + lanes.size());
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto counts = test.output<int>("counts", 1);
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    test.call([&] { ballot_compact(in.data(), 1, 2 * kLanes, out.data(), counts.data()); });
    bool other_way = false;  // whether the places come from something other than votes_below
#ifdef KIT_CPU
    const kit::cpu::Counters seen = kit::cpu::counters();
    other_way = seen.atomics + seen.shared_loads + seen.shared_stores > 0;
#endif
    const std::vector<int> got = out.values();
    const int kept = static_cast<int>(lanes.size());
    if (counts.values()[0] != kept) return;  // other cases report wrong votes
    for (int k = 0; k < kept; ++k) {
        const int lane = lanes[static_cast<std::size_t>(k)];
        const auto found = std::find(got.begin(), got.end(), values[static_cast<std::size_t>(lane)]);
        if (found == got.end()) return;
        const auto place = static_cast<int>(found - got.begin());
        if (place == k) continue;
        const std::string what = "lane " + std::to_string(lane) + " has " + kit::count_of(k, "lane") +
                                 " with a value below it, but writes its own to place " +
                                 std::to_string(place);
        if (other_way)
            return test.check(false,
                              what +
                                  ": the place comes from atomics or shared memory, whose order is not that "
                                  "of the lanes; the number of votes below is the place" +
                                  kit::task(2),
                              kit::Diagnosis::part);
        if (kept > 1 && place == k + kept)
            return test.check(false,
                              what +
                                  ": add the votes of a round to `before` only after all lanes have used it" +
                                  kit::task(2),
                              kit::Diagnosis::part);
        if (kept > 1 || place != 1)
            return test.check(false, what + ": let votes_below count only the lanes below" + kit::task(1),
                              kit::Diagnosis::part);
    }
}

void places(kit::Case& test) {
    test.explain_places(
        "two lanes that keep a value have the same place: let votes_below count the lanes below" +
        kit::task(1));
    for (const std::vector<int>& lanes : std::vector<std::vector<int>>{
             {0}, {13}, {31}, {0, 1}, {3, 17}, {0, 31}, {30, 31}, {1, 6, 20}, {0, 15, 16, 31}})
        judge_places(test, lanes);
    test.check(true, "");
}

void judge(kit::Case& test, const Table& table) {
    judge(test, table, table.values(test.random()));
}

#ifdef KIT_CPU
void count_work(kit::Case& test) {
    const Table table = {20, 333};
    const std::vector<int> values = table.values(test.random());
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    auto counts = test.output<int>("counts", static_cast<std::size_t>(table.rows));
    kit::cpu::reset_counters();
    test.call([&] { ballot_compact(in.data(), table.rows, table.columns, out.data(), counts.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    const std::uint64_t n = values.size();
    const std::uint64_t rounds =
        std::uint64_t(table.rows) * std::uint64_t((table.columns + kLanes - 1) / kLanes);
    test.demand("loads", kit::at_most(counters.global_loads, 2 * n),
                kit::count_of(counters.global_loads, "load") + " of " + kit::count_of(n, "value") +
                    ": load each at most twice, because the vote gives the rest");
    const char* const why =
        "One vote shows every lane of the warp which lanes keep a value, in one instruction and without "
        "memory. aggregated_atomics builds on it.";
    test.method(
        "shared memory", counters.shared_loads + counters.shared_stores == 0,
        {"places from one vote of the warp", "your lanes exchange values through shared memory", why, 1});
    test.demand("atomics", kit::exactly(counters.atomics, 0),
                "your kernel uses atomics: use the number of votes below as the place instead");
    test.method("votes", counters.warp_collectives > 0,
                {"places from one vote of the warp", "your warps execute no vote and no shuffle", why, 1});
    test.demand("votes", kit::at_most(counters.warp_collectives, 2 * rounds),
                kit::count_of(counters.warp_collectives, "vote") + " and shuffles in " +
                    kit::count_of(rounds, "round") + ": use one vote in each");
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("09_warp_primitives", "ballot_compact", argc, argv);
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::not_written, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::constant_output, kit::Diagnosis::race, kit::Diagnosis::tail,
                    kit::Diagnosis::second_call});
    grader.add("few lanes, one round", places);
    for (const Table& table :
         {Table{0, 40}, Table{3, 0}, Table{1, 1}, Table{9, 1}, Table{7, 31}, Table{8, 32}, Table{9, 33},
          Table{17, 100}, Table{1, 1000}, Table{300, 64}, Table{5, 2049}}) {
        grader.add(table.name(), [table](kit::Case& test) { judge(test, table); });
    }
    grader.add("all are kept", [](kit::Case& test) { judge(test, {11, 77, 1, 1000}); });
    grader.add("none is kept", [](kit::Case& test) { judge(test, {11, 77, -1000, 0}); });
    grader.add("few are kept", [](kit::Case& test) { judge(test, {11, 777, -1000, 20}); });
    grader.add("only the last of each row", [](kit::Case& test) {
        const Table table = {6, 71, -9, 0};
        std::vector<int> values = table.values(test.random());
        for (std::size_t i = 70; i < values.size(); i += 71) values[i] = static_cast<int>(i);
        judge(test, table, values);
    });
#ifdef KIT_CPU
    grader.add("work, counted", count_work);
#else
    grader.add("more rows than 65,535 blocks have",
               [](kit::Case& test) {
                   judge(test, {8 * 65535 + 9, 35});
               },
               {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"rows=9 columns=33"});
    return grader.run();
}
