// Grades 14_graphs/jacobi: the values after a number of steps, when it stops, edges of every shape, odd and even numbers of steps per
// launch, that one graph does the work, and that nothing is left behind.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"
#include "grader/timeline.hpp"

namespace {

using namespace graphs_test;

/// A plate, in double precision.
struct Plate {
    int rows, columns;
    std::vector<double> values;

    std::size_t inner() const {
        return static_cast<std::size_t>(std::max(0, rows - 2)) *
               static_cast<std::size_t>(std::max(0, columns - 2));
    }

    /// The largest and the smallest change of the last step, with their signs.
    double rise = 0, fall = 0;

    /// Executes one step, and returns the largest absolute change.
    double step() {
        std::vector<double> next = values;
        double change = 0;
        rise = -HUGE_VAL, fall = HUGE_VAL;
        for (int y = 1; y < rows - 1; ++y) {
            for (int x = 1; x < columns - 1; ++x) {
                const std::size_t i = static_cast<std::size_t>(y) * columns + x;
                next[i] = (values[i - columns] + values[i + columns] + values[i - 1] + values[i + 1]) / 4;
                change = std::max(change, std::fabs(next[i] - values[i]));
                rise = std::max(rise, next[i] - values[i]);
                fall = std::min(fall, next[i] - values[i]);
            }
        }
        values = next;
        return change;
    }
};

/// Returns the result if the steps alternate between two arrays, and each launch starts with the first array.
Plate with_old_values(const Plate& begin, int check_every, int launches) {
    Plate first = begin, second = begin;
    for (int launch = 0; launch < launches; ++launch) {
        for (int k = 0; k < check_every; ++k) {
            Plate& from = k % 2 == 0 ? first : second;
            Plate& to = k % 2 == 0 ? second : first;
            to = from;
            to.step();
        }
    }
    return check_every % 2 == 0 ? first : second;
}

std::vector<float> temperatures(kit::Random& random, int rows, int columns) {
    return kit::integers<float>(random, static_cast<std::size_t>(rows) * columns, -100, 100);
}

void expect_calls(kit::Case& test, const kit::Calls& calls, int rounds) {
    const auto expect = [&](const std::string& counted, const std::string& what, int got, int want,
                            const kit::Said& advice) {
        test.demand(counted, kit::exactly(got, want),
                    what + ": " + std::to_string(got) + ", expected " + std::to_string(want) + ". " + advice);
    };
    // Task 2 does not know the number of launches.
    expect("instances", "instances made", calls.instances, rounds > 0 ? 1 : 0,
           "Make one instance, and launch it each time" +
               kit::task(rounds > 1 && calls.instances == rounds ? 3 : 2));
    expect("graph launches", "graph launches", calls.launches, rounds,
           "Launch the graph once before each check of the change" + kit::task(3));
    expect("instances", "instances destroyed", calls.instances_destroyed, calls.instances,
           "Destroy each instance once" + kit::task(3));
    expect("graphs", "graphs destroyed", calls.graphs_destroyed, calls.graphs_made,
           "Destroy each graph once" + kit::task(3));
    test.demand(
        "waits", kit::at_most(calls.waits, rounds + 12),  // cudaFree also waits
        "the host waits " + kit::count_of(calls.waits, "time") + " for " + kit::count_of(rounds, "launch") +
            ": wait once for each check of the change, and a few times for copies and memory" + kit::task(3));
}

/// Recognizes the values of a different number of steps, because of the launches or of the array that is copied out.
void judge_steps(kit::Case& test, const Plate& begin, const std::vector<float>& got,
                 const std::vector<float>& want, bool change_is_right, int check_every, int launches) {
    const auto same = [&](const auto& values) {
        for (std::size_t i = 0; i < got.size(); ++i)
            if (!(std::fabs(got[i] - values[i]) <= 1e-3 + 1e-5 * std::fabs(values[i]))) return false;
        return true;
    };
    const int steps = check_every * launches;
    if (same(want) || steps == 0) return;
    Plate plate = begin;
    kit::Said what;
    for (int step = 0; step <= steps + launches; ++step) {
        if (what.empty() && same(plate.values)) {
            if (step == steps - 1 && change_is_right)
                what =
                    "the values before the last step are copied out: copy the other array, which has the "
                    "newest "
                    "values" +
                    kit::task(3);
            else if (step == 0)
                what = "the initial values are copied out: copy the array with the newest values" +
                       kit::task(2, 3);
            else
                what = kit::count_of(step, "step", "have") + " run, but " + std::to_string(steps) +
                       " are returned: put check_every steps into a launch" + kit::task(2);
        }
        plate.step();
    }
    test.check(what.empty(), what, kit::Diagnosis::part);
}

/// Solves with a tolerance that is reached after `rounds` launches, if it can be reached; executes at most `most` launches.
void judge(kit::Case& test, int rows, int columns, std::vector<float> values, int check_every, int rounds,
           int most) {
    const Plate begin = {rows, columns, std::vector<double>(values.begin(), values.end())};
    Plate plate = begin;
    // The tolerance is between the changes of the last two rounds, so that rounding does not decide. The loop also ends when
    // nothing changes.
    double change = 0, before = 0;
    int done = 0;
    while (begin.inner() > 0 && done < std::min(rounds, most) && (done == 0 || change > 0)) {
        before = change;
        for (int k = 0; k < check_every; ++k) change = plate.step();
        ++done;
    }
    const double tolerance = done == 0 || rounds > most ? 0
                             : done == 1                ? 2 * change
                                                        : std::sqrt(before * change);
    test.check(done < 2 || rounds > most || before > 1.02 * change || change == 0,
               "the case is too near to the tolerance");

    const std::size_t free_before = free_memory(test);
    kit::Calls calls;
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    const kit::NotedWork work;
    const graphs::Settled got = test.call([&] {
        return calls.in([&] {
            return graphs::jacobi(values.data(), rows, columns, static_cast<float>(tolerance), check_every,
                                  most * check_every);
        });
    });
#ifdef KIT_CPU
    const std::size_t stored = kit::cpu::counters().global_stores;
#endif
    const kit::Timeline timeline = work.take();
    const int steps = done * check_every;
    // With an odd number of steps per launch and unchanged arguments, the next launch does not read the newest values.
    if (check_every % 2 == 1 && got.steps > check_every && got.steps % check_every == 0) {
        const Plate mistaken = with_old_values(begin, check_every, got.steps / check_every);
        bool same = true;
        for (std::size_t i = 0; i < values.size(); ++i)
            same = same && std::fabs(values[i] - mistaken.values[i]) <= 1e-3;
        test.check(!same,
                   "a launch does not start with the last values of the previous launch: find "
                   "out which array has them after " +
                       count_of(static_cast<std::size_t>(check_every), "step") + kit::task(2));
        if (same) return;
    }
    const bool counts_launches = check_every > 1 && got.steps * check_every == steps;
    test.check(
        got.steps == steps,
        "your code reports " + kit::count_of(got.steps, "step") + ", expected " + std::to_string(steps) +
            (counts_launches
                 ? ": this is the number of launches, so multiply it by check_every" + kit::task(3)
             : got.steps > steps
                 ? ": stop when the change of the last step is at most the tolerance" + kit::task(2, 3)
                 : ": continue while the change of the last step is above the tolerance" + kit::task(2, 3)));
    if (got.steps != steps) return;
    std::vector<float> want(plate.values.begin(), plate.values.end());
    judge_steps(test, begin, values, want, std::fabs(got.change - change) <= 1e-3 * change + 1e-4,
                check_every, done);
    test.expect("grid", values, want, kit::tolerance(1e-3, 1e-5));
    const auto is_near = [&](double value) { return std::fabs(got.change - value) <= 1e-3 * change + 1e-4; };
    const std::string change_is =
        "the change is " + std::to_string(got.change) + ", expected " + std::to_string(change);
    if (!is_near(change) &&
        (is_near(plate.rise) || is_near(plate.fall) || is_near(std::max(0.0, plate.rise))))
        test.check(false, change_is + ": use the absolute value of each change, and take the largest" +
                              kit::task(1));
    else
        test.check(is_near(change),
                   change_is + ": return the largest absolute change of the last step" + kit::task(1, 2));
#ifdef KIT_CPU
    test.demand("values stored", kit::at_least(stored, begin.inner() * static_cast<std::size_t>(steps)),
                kit::count_of(stored, "value", "were") + " stored by kernels for " +
                    kit::count_of(steps, "step") + " of " + kit::count_of(begin.inner(), "value") +
                    ": do the steps on the device" + kit::task(1));
#endif
    expect_calls(test, calls, done);
    // Allows copying the values once, at the end, and a few bytes per check of the change.
    const std::size_t few = 64 * static_cast<std::size_t>(done + 2), all = values.size() * sizeof(float);
    test.demand("bytes copied", kit::at_most(timeline.bytes_out, all + few),
                kit::count_of(timeline.bytes_out, "byte", "are") + " copied to the host, but at most " +
                    std::to_string(all + few) + " are needed: copy only the change between launches" +
                    kit::task(3));
    const std::size_t free_after = free_memory(test);
    test.check(free_after >= free_before, kit::count_of(free_before - free_after, "byte") +
                                              " of device memory are still in use: free all of it" +
                                              kit::task(3));
}

/// Judges a plate of an extreme shape, in which a mistake at an edge shows immediately.
void judge_shape(kit::Case& test, int rows, int columns) {
    judge(test, rows, columns, temperatures(test.random(), rows, columns), 4, 3, 6);
}

/// Judges a plate with two nonzero values at the edge, in the same row.
void judge_edge(kit::Case& test, int rows, int columns) {
    std::vector<float> values(static_cast<std::size_t>(rows) * columns, 0.0f);
    const int y = static_cast<int>(test.random().integer(1, rows - 2));
    values[static_cast<std::size_t>(y) * columns] = 1000;
    values[static_cast<std::size_t>(y) * columns + columns - 1] = -500;
    judge(test, rows, columns, values, 5, 99, 3);
}

void settled_at_once(kit::Case& test) {
    judge(test, 20, 40, std::vector<float>(800, 37.5f), 3, 1, 5);
}

void solve_in_probe(const std::function<void()>& begin) {
    std::vector<float> values(400, 1.0f);
    values[30] = 100;
    begin();
    graphs::jacobi(values.data(), 20, 20, 0, 2, 4);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(solve_in_probe);
    kit::Grader grader("14_graphs", "jacobi", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::out_of_bounds, kit::Diagnosis::uninitialised,
                    kit::Diagnosis::wrong_value, kit::Diagnosis::cuda_error});
    // A race on an array: the kernel reads and writes one array, or the graph passes it the same array twice.
    for (const int task : {1, 2})
        grader.task(task,
                    kit::About().rule(kit::facts::Rule::race).memory(kit::facts::Memory::Kind::allocation));
    // The kernel belongs to Task 1; the graph sets the largest change to 0.
    grader.task(2, kit::About().diagnosis(kit::Diagnosis::uninitialised).bytes(sizeof(float)));
    for (const kit::Diagnosis one : {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds})
        grader.task(1, kit::About().diagnosis(one));
    grader.task(2, {kit::Diagnosis::exited});
    for (const kit::facts::Rule rule :
         {kit::facts::Rule::left_stream, kit::facts::Rule::left_allocated, kit::facts::Rule::left_event,
          kit::facts::Rule::left_graph, kit::facts::Rule::left_instance})
        grader.task(3, kit::About().rule(rule));  // everything is destroyed at the end
    for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{
             {3, 3}, {4, 3}, {3, 50}, {50, 3}, {10, 34}, {9, 33}, {8, 32}, {18, 67}, {37, 20}}) {
        grader.add(std::to_string(rows) + " x " + std::to_string(columns),
                   [r = rows, c = columns](kit::Case& test) { judge_shape(test, r, c); });
    }
    for (int check_every : {1, 2, 3, 7}) {
        grader.add("20 x 30, a look every " + count_of(static_cast<std::size_t>(check_every), "step"),
                   [check_every](kit::Case& test) {
                       judge(test, 20, 30, temperatures(test.random(), 20, 30), check_every, 4, 8);
                   });
    }
    grader.add("hot and cold places at the edge, 25 x 35", [](kit::Case& test) { judge_edge(test, 25, 35); });
    grader.add("never settles in 6 launches, 30 x 30",
               [](kit::Case& test) { judge(test, 30, 30, temperatures(test.random(), 30, 30), 2, 99, 6); });
    grader.add("no steps allowed, 10 x 10",
               [](kit::Case& test) { judge(test, 10, 10, temperatures(test.random(), 10, 10), 2, 99, 0); });
    for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{{1, 1}, {2, 40}, {40, 2}, {1, 70}}) {
        grader.add("nothing inside: " + std::to_string(rows) + " x " + std::to_string(columns),
                   [r = rows, c = columns](kit::Case& test) { judge_shape(test, r, c); });
    }
    grader.add("settled from the beginning", settled_at_once);
#ifndef KIT_CPU
    grader.add(
        "2050 x 3001, 40 steps",
        [](kit::Case& test) { judge(test, 2050, 3001, temperatures(test.random(), 2050, 3001), 10, 99, 4); },
        {60, true});
#endif
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
