// Chooses the failure that a verdict explains: the rules of the cause. They use facts, not sentences; each has a case in
// tests/kit/cause_test.cu.
//
// The cause: the first rule that prefers one of two failures decides.
//   C1  Memory that a case leaves behind cannot cause other failures: leaks come last.
//   C2  A case that is made for one part of the work comes first: other faults follow from that part.
//       If such cases of several parts fail, the first of these cases decides, because later parts can build on earlier ones.
//   C3  Code that crashes or ends the program in the very first case that fails comes next.
//   C4  What the executor has found explains wrong values. If threads write one element of an output in one line, and values are wrong
//       in a case without that, the index is wrong, so the values come first.
//   C5  Waiting is an effect: a time-out comes after everything else that its own or other cases show, and a deadlock after
//       everything else that the executor has found.
//   C6  A failure that the case itself explains comes before a different failure about the same memory.
//   C7  The failure of the most cases comes first, and of equally many, the one that was met first.
//   C8  Work that is missing follows from values that are missing: a count that is too small is not reported next to wrong values of the
//       same case, unless its case is made for it.
#pragma once

#include <algorithm>
#include <diagnoses.hpp>
#include <grader/told.hpp>
#include <string>
#include <vector>

namespace kit::detail {

/// A failure, and all cases that fail in the same way.
struct Group {
    facts::Outcome outcome;
    std::vector<std::string> cases;
    std::vector<int> tasks;
    std::vector<std::string> output;  ///< output of the student's code in the first of these cases
};

/// How near a failure is to the cause. The nearest kind comes first, in the order of the rules above.
enum class Nearness { part, first_ending, found, deadlock, values, index, ending, wait, leak };

/// Returns whether the student's code ended before it had results.
inline bool ends_the_case(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::second_call:
        case Diagnosis::race:
        case Diagnosis::uninitialised:
        case Diagnosis::input_modified:
        case Diagnosis::sectors:
        case Diagnosis::bank_conflicts:
        case Diagnosis::divergence:
            return false;
        default:
            return !about_values(diagnosis);
    }
}

inline bool is_wait(const facts::Failure& outcome) {
    return outcome.diagnosis == Diagnosis::timeout ||
           (outcome.finding && outcome.finding->kind == "deadlock");
}
inline bool is_leak(const facts::Failure& outcome) {
    return outcome.finding && outcome.finding->kind == "leak";
}

/// Applies C8: a count that is too small follows from values that are missing or wrong.
inline bool follows_from_values(const facts::Outcome& outcome, const facts::Failure& failure,
                                const facts::Count& count) {
    const bool too_small =
        count.is_known && count.bound != facts::Count::Bound::at_most && count.actual < count.required;
    return too_small && failure.diagnosis != Diagnosis::part && outcome.status == facts::Status::fail &&
           about_values(outcome.diagnosis) && !outcome.finding;
}

/// Applies C5 within one case: other findings come before a time-out or a deadlock, which becomes one of the other failures.
inline facts::Outcome cause_first(facts::Outcome outcome) {
    if (!is_wait(outcome)) return outcome;
    for (facts::Failure& other : outcome.also) {
        if (!other.finding || is_wait(other) || is_leak(other)) continue;
        std::swap(static_cast<facts::Failure&>(outcome), other);
        break;
    }
    return outcome;
}

class Causes {
  public:
    explicit Causes(const std::vector<Group>& groups) : groups_(groups) {
        for (const Group& group : groups) {
            const facts::Failure& outcome = group.outcome;
            values_alone_ = values_alone_ || (about_values(outcome.diagnosis) && !outcome.finding);
            first_ = first_ || is_leak(outcome) ? first_ : &group;
        }
    }

    const Group& nearest() const {
        const Group* best = &groups_[0];
        for (const Group& group : groups_) {
            if (&group != best && is_nearer(group, *best)) best = &group;
        }
        return *best;
    }

    Nearness nearness(const Group& group) const {
        const facts::Failure& outcome = group.outcome;
        if (is_leak(outcome)) return Nearness::leak;                         // C1
        if (outcome.diagnosis == Diagnosis::part) return Nearness::part;     // C2
        if (outcome.diagnosis == Diagnosis::timeout) return Nearness::wait;  // C5
        if (outcome.finding) {
            if (values_alone_ && outcome.finding->about_places() &&
                outcome.finding->memory.kind == facts::Memory::Kind::buffer)
                return Nearness::index;                                                         // C4
            return outcome.finding->kind == "deadlock" ? Nearness::deadlock : Nearness::found;  // C5
        }
        if (!ends_the_case(outcome.diagnosis)) return Nearness::values;
        return &group == first_ ? Nearness::first_ending : Nearness::ending;  // C3
    }

  private:
    bool is_nearer(const Group& a, const Group& b) const {
        if (nearness(a) != nearness(b)) return nearness(a) < nearness(b);
        if (nearness(a) == Nearness::part) return false;  // C2: `b` occurred first
        const bool a_explained = is_explained(a.outcome), b_explained = is_explained(b.outcome);
        if (a_explained != b_explained && are_of_one_memory(a.outcome, b.outcome)) return a_explained;  // C6
        return a.cases.size() > b.cases.size();                                                         // C7
    }

    static bool are_of_one_memory(const facts::Failure& a, const facts::Failure& b) {
        return a.finding && b.finding && !a.finding->memory.name.empty() &&
               a.finding->memory.name == b.finding->memory.name;
    }

    static bool is_explained(const facts::Failure& outcome) {
        return outcome.finding && !outcome.because.empty();
    }

    const std::vector<Group>& groups_;
    const Group* first_ = nullptr;  ///< the first failure that is not a leak
    bool values_alone_ = false;     ///< whether some case has wrong values without a finding of the executor
};

}  // namespace kit::detail
