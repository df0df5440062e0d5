// Runs one case several times, with several orders of threads and different values, and compares the
// outcomes.
#pragma once

#include <algorithm>
#include <cmath>
#include <grader.cuh>
#include <grader/diagnosis.hpp>
#include <grader/options.hpp>
#include <grader/wall_sides.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

namespace detail {

struct Entry {
    std::string name;
    std::function<void(Case&)> body;
    CaseOptions options;
    std::vector<std::function<void(Case&)>> afterwards =
        {};  ///< run once after all runs of the case have passed
};

/// Returns what a missing result of the case can mean, in the words of the test.
inline Said said_of_late(const CaseOptions& options) {
    return options.late_task > 0 ? options.late + task(options.late_task) : Said(options.late);
}

class Runner {
  public:
    Runner(const Entry& entry, const Options& options)
        : entry_(entry), seed_(options.seed), once_(options.once || entry.options.once) {}

    /// Runs the case. A case passes only if every run passes. After a failure, finds out whether the order of
    /// threads or the repetition matters.
    Outcome grade() {
        const int runs = once_ ? 1 : planned_runs;
        Outcome outcome;
        std::optional<Method> method;  // the method of the first run that used a different one
        for (int i = 0; i < runs; ++i) {
#ifdef KIT_CPU
            const cpu::Made before = cpu::things_made();
#endif
            Outcome next = run(i, i);
#ifdef KIT_CPU
            if (i > 0) look_for_leaks(next, before);
#endif
            next.kernel_ran = next.kernel_ran || outcome.kernel_ran;
            next.called = next.called || outcome.called;
            if (!method) method = next.method;
            outcome = std::move(next);
            if (outcome.status == Status::fail && !once_) return explain(i, std::move(outcome));
            if (outcome.status != Status::pass || outcome.device_lost) break;
        }
        if (outcome.status == Status::pass) run_afterwards(outcome);
        if (outcome.status == Status::pass && method) count_as_other(outcome, *method);
        return outcome;
    }

    /// Repeats a case in the judge after the worker has passed it, with the values that the worker has read.
    Outcome grade_again(const std::vector<Crossing>& kept) {
        JudgesWall judges(kept);
        wall = &judges;
        Outcome outcome = run(0, 0);
        if (outcome.status == Status::pass) run_afterwards(outcome);
        if (outcome.status == Status::pass && !judges.all_taken()) {
            outcome.status = Status::fail;
            outcome.diagnosis = Diagnosis::exited;
            outcome.fault = facts::Fault::too_many_results;
        }
        wall = nullptr;
        return outcome;
    }

    /// Changes the outcome to "other": the results are right, but a different method has computed them.
    static void count_as_other(facts::Outcome& outcome, const Method& method) {
        outcome.status = Status::other;
        outcome.fault = facts::Fault::other_method;
        outcome.count.name = method.counted;
        outcome.tasks = {method.task};
        outcome.method = method;
    }

  private:
#ifdef KIT_CPU
    static constexpr int planned_runs = 3;  // one run each forward, in reverse, and in random order
#else
    static constexpr int planned_runs = 2;
#endif

#ifdef KIT_CPU
    /// Memory can be kept for the next call, so only memory that a second run of the same case adds is a
    /// leak.
    static void look_for_leaks(Outcome& outcome, const cpu::Made& before) {
        if (outcome.status != Status::pass || outcome.device_lost) return;
        if (cpu::things_made().alive <= before.alive) return;
        const std::vector<cpu::Finding> left = cpu::left_since(before);
        if (left.empty()) return;
        outcome.status = Status::fail;
        static_cast<facts::Failure&>(outcome) = failure_of(left[0]);
        for (std::size_t i = 1; i < left.size() && i < 4; ++i) outcome.also.push_back(failure_of(left[i]));
    }
#endif

    /// Runs the checks that belong to a case that has passed, until one fails (Grader::afterwards).
    void run_afterwards(Outcome& outcome) {
        wall_is_open = true;
        for (const auto& check : entry_.afterwards) {
            Case test(secret_random(seed_, entry_.name, 0), expectations_);
            try {
                check(test);
            } catch (const StopCase&) {
            }
            Outcome last = test.finish();
            outcome.notes.insert(outcome.notes.end(), last.notes.begin(), last.notes.end());
            if (last.status != Status::fail) continue;
            last.kernel_ran = outcome.kernel_ran, last.called = outcome.called;
            outcome = std::move(last);
            return;
        }
    }

    /// Runs the body once, with the values of run number `values` and the schedule of run number `schedule`.
    Outcome run(int values, int schedule) {
        set_schedule(schedule);
        wall_is_open = values == 0;
        Case test(secret_random(seed_, entry_.name, static_cast<std::uint64_t>(values)), expectations_);
        try {
            entry_.body(test);
        } catch (const StopCase&) {
        } catch (const NotReturned& value) {
            facts::Failure failure = failure_of(facts::Fault::not_returned, Diagnosis::crash);
            failure.difference.what = value.name;
            test.add_failure(std::move(failure));
        } catch (const std::exception& error) {
            facts::Failure failure = failure_of(facts::Fault::test_threw, Diagnosis::crash);
            failure.error.text = error.what();
            test.add_failure(std::move(failure));
        }
        Outcome outcome = test.finish();
        if (outcome.status == Status::fail && outcome.diagnosis == Diagnosis::timeout &&
            outcome.because.empty()) {
            const Said late = said_of_late(entry_.options);
            const std::vector<int> tasks = outcome.tasks;
            outcome.because = late.text;
            take_facts(outcome, late);
            if (late.tasks.empty()) outcome.tasks = tasks;
        }
        return outcome;
    }

    void set_schedule(int schedule) {
#ifdef KIT_CPU
        if (once_ && std::getenv("KIT_SCHEDULE")) return;
        constexpr cpu::Order orders[] = {cpu::Order::forward, cpu::Order::reverse, cpu::Order::random};
        cpu::set_schedule(orders[schedule % 3], wall ? secret_random(seed_, "order", 0).next() : seed_);
#else
        (void)schedule;  // the hardware chooses its own order
#endif
    }

    Outcome explain(int failed, Outcome failure) {
        if (failure.device_lost || !about_values(failure.diagnosis)) return failure;
        if (!failure.count.name.empty())
            return failure;  // a count may depend on the order, and the values are right
        if (failed > 0 && fails_always_now())
            return blame(Diagnosis::second_call, facts::Pattern::at_later_call, std::move(failure));
        for (int schedule = 0; schedule < planned_runs; ++schedule) {
            const Outcome again = run(failed, schedule);
            if (again.device_lost) break;
            if (same(again, failure)) continue;
#ifdef KIT_CPU
            if (schedule == failed) return failure;  // the first run left state behind; order does not matter
            failure.diagnosis = Diagnosis::race;     // the executor has seen no accesses that race
            if (failure.because.empty() && failure.pattern == facts::Pattern::none)
                failure.pattern = facts::Pattern::order_of_threads;
            return failure;
#else
            return blame(Diagnosis::race, facts::Pattern::between_runs, std::move(failure));
#endif
        }
        return failure;
    }

    /// The first run passed. Three more runs with the same values and order distinguish state that was left behind from a race, which would
    /// pass now and then.
    bool fails_always_now() {
        for (int i = 0; i < 3; ++i) {
            if (run(0, 0).status == Status::pass) return false;
        }
        return true;
    }

    /// Returns whether two wrong results agree: the same number of values differ, and the first of them are about equal, because atomic
    /// additions in a different order change the last digits.
    static bool same(const Outcome& a, const Outcome& b) {
        if (a.status != b.status || a.diagnosis != b.diagnosis) return false;
        if (a.difference.wrong != b.difference.wrong) return false;
        if (a.got.size() != b.got.size()) return false;
        for (std::size_t i = 0; i < a.got.size(); ++i) {
            const double difference = std::fabs(a.got[i] - b.got[i]);
            if (difference > 1e-3 * std::max(std::fabs(a.got[i]), std::fabs(b.got[i]))) return false;
            if (std::isnan(a.got[i]) != std::isnan(b.got[i])) return false;
        }
        return true;
    }

    static Outcome blame(Diagnosis diagnosis, facts::Pattern pattern, Outcome failure) {
        failure.diagnosis = diagnosis;
        failure.pattern = pattern;
        if (!failure.because.empty()) failure.tasks.clear();  // the tasks are those that this sentence names
        failure.because.clear();
        return failure;
    }

    const Entry& entry_;
    std::uint64_t seed_;
    bool once_;
    Expectations expectations_;
};

}  // namespace detail
}  // namespace kit
