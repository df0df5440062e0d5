// Grades 09_warp_primitives/port_shfl: the values at sizes with partial warps and, on the executor, that values pass from lane to
// lane.
#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "09_warp_primitives/09_warp_primitives.hpp"
#include "grader.cuh"

namespace {

using namespace warp_primitives;

using Values = std::vector<int>;

Values sums_of(const Values& in) {
    Values sums((in.size() + kLanes - 1) / kLanes, 0);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / kLanes] += in[i];
    return sums;
}

Values differences_of(const Values& in) {
    Values out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = i % kLanes == 0 ? in[i] : in[i] - in[i - 1];
    return out;
}

Values maxima_of(const Values& in) {
    Values out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto first = in.begin() + static_cast<std::ptrdiff_t>(i / kTile * kTile);
        out[i] = *std::max_element(first, first + std::min<std::ptrdiff_t>(kTile, in.end() - first));
    }
    return out;
}

struct Exercise {
    const char* name;
    void (*run)(const int*, int, int*);
    Values (*want)(const Values&);
    int task;
};

constexpr Exercise exercises[] = {
    {"sums", warp_sums, sums_of, 1},
    {"differences", differences, differences_of, 3},
    {"maxima", tile_maxima, maxima_of, 4},
};

/// Explains a shuffle whose mask comes from the vote and names other lanes than those that stay: the vote is wrong.
kit::Said whose_mask(const kit::facts::Finding& found, std::size_t n) {
    if (found.waiting.empty() && found.rule != kit::facts::Rule::lane_not_named) return "";
    const kit::facts::Line& at = found.waiting.empty() ? found.place : found.waiting[0].at;
    if (at.text.find("__shfl") == std::string::npos || at.text.find("staying") == std::string::npos)
        return "";
    if (!found.waiting.empty()) {
        const kit::facts::Waiting& wait = found.waiting[0];
        const std::size_t thread = wait.first.thread.at[0];
        const std::size_t warp = wait.first.block.at[0] * std::size_t{kBlock} + thread / kLanes * kLanes;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            if ((wait.absent >> lane & 1) != 0 && warp + lane < n) return "";  // stays, is absent
    }
    return "let `staying` contain all lanes that stay, and no other lane" + kit::task(2);
}

void judge(kit::Case& test, const Exercise& exercise, const Values& values) {
    const Values want = exercise.want(values);
    if (exercise.run == differences)
        test.explain(kit::Diagnosis::barrier,
                     [n = values.size()](const kit::facts::Finding& found) { return whose_mask(found, n); });
    auto in = test.input("in", values);
    auto out = test.output<int>(exercise.name, want.size());
    test.call([&] { exercise.run(in.data(), static_cast<int>(values.size()), out.data()); });
    test.expect(out, want);
    if (!values.empty()) test.by_kernels(kit::named_task(exercise.task));
    test.stored_at_most(want.size() * sizeof(int), kit::named_task(exercise.task));
}

#ifdef KIT_CPU
/// Demands that lanes exchange values by shuffles: a kernel that does not loads them again, or stores them somewhere.
void count_accesses(kit::Case& test, const Exercise& exercise) {
    constexpr int n = 5 * kBlock + 77;
    const Values values = kit::integers<int>(test.random(), n, -1000, 1000);
    auto in = test.input("in", values);
    auto out = test.output<int>(exercise.name, exercise.want(values).size());
    kit::cpu::reset_counters();
    test.call([&] { exercise.run(in.data(), n, out.data()); });
    const kit::cpu::Counters counters = kit::cpu::counters();
    test.demand("loads", kit::at_most(counters.global_loads, n),
                std::string(exercise.name) + ": " + kit::count_of(counters.global_loads, "load") + " of " +
                    kit::count_of(n, "value") + ": get another lane's value by a shuffle, not from memory" +
                    kit::task(exercise.task));
    test.method("shared memory", counters.shared_loads + counters.shared_stores == 0,
                {"shuffles between the lanes of a warp",
                 "the values of `" + std::string(exercise.name) + "` go through shared memory",
                 "A shuffle needs no memory and no barrier, and its mask says which lanes take part. Old "
                 "code uses shuffles without masks, which is what you port here.",
                 exercise.task});
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("09_warp_primitives", "port_shfl", argc, argv);
    grader.task(1, kit::About().output("sums"));
    grader.task(3, kit::About().output("differences"));
    grader.task(4, kit::About().output("maxima"));
    for (const Exercise& exercise : exercises) {
        const std::string name = exercise.name;
        for (const int n : kit::sizes(kBlock, 20000)) {
            grader.add(name + ", n=" + std::to_string(n), [&exercise, n](kit::Case& test) {
                judge(test, exercise,
                      kit::integers<int>(test.random(), static_cast<std::size_t>(n), -1000, 1000));
            });
        }
        for (const int n : {7, 33, 45, 300}) {
            // The sums of this few values cannot overflow, and 0 is larger than all of them.
            grader.add(
                name + ", only negative values, n=" + std::to_string(n), [&exercise, n](kit::Case& test) {
                    judge(test, exercise,
                          kit::integers<int>(test.random(), static_cast<std::size_t>(n), -60000000, -1));
                });
        }
#ifdef KIT_CPU
        grader.add(name + ", accesses, counted",
                   [&exercise](kit::Case& test) { count_accesses(test, exercise); });
#else
        grader.add(name + ", n=16777217",
                   [&exercise](kit::Case& test) {
                       judge(test, exercise, kit::integers<int>(test.random(), 16777217, -1000, 1000));
                   },
                   {60, true});
#endif
    }
    grader.add("maxima, the smallest int",
               [](kit::Case& test) { judge(test, exercises[2], Values(77, INT_MIN)); });
    return grader.run();
}
