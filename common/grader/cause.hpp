// Chooses the failure that a verdict explains, and the task to which it points. The rules use facts, not sentences; each has a case in
// tests/kit/cause_test.cu.
//
// The cause: the first rule that prefers one of two failures decides.
//   C1  Memory that a case leaves behind cannot cause other failures: leaks come last.
//   C2  A case that is made for one part of the work comes first: other faults follow from that part.
//   C3  Code that crashes or ends the program in the very first case that fails comes next.
//   C4  What the executor has found explains wrong values. If threads write one element of an output in one line, and values are wrong
//       in a case without that, the index is wrong, so the values come first.
//   C5  Waiting is an effect: a time-out comes after everything else that its own or other cases show, and a deadlock after
//       everything else that the executor has found.
//   C6  A failure that the case itself explains comes before a different failure about the same memory.
//   C7  The failure of the most cases comes first, and of equally many, the one that was met first.
//
// The task: the first rule that applies decides. If none does, the verdict names no task.
//   T1  The test names the tasks: in a case that is made for them, or in its sentence about the failure.
//   T2  The author's map by facts: grader.task(k, About()...).
//   T3  An order that is missing belongs to neither of the two lines that it would have ordered. It is the task between the two lines
//       that has neither of them. If there is none, it is the one that the map by diagnoses has. Otherwise the order may be missing at
//       the end of the first task or at the beginning of the second, so both are named. Given code is right, so if one line is given,
//       it is the task of the other line. For pieces of queued work, the lines are those that queue them. If neither the map nor a
//       task between them says where the wait belongs, it is before the later piece.
//       If only one of two accesses is plain, or has too narrow a scope, its line comes before the line of the other access.
//   T4  The lines: of several tasks the one that the map by diagnoses has, and else that of the last line. If only one of two accesses
//       is atomic, the line of the plain access counts. A line of a helper that belongs to no task counts as the line that called it,
//       and a kernel that is given as the line that launches it.
//   T5  The author's map by diagnoses: grader.task(k, {Diagnosis::...}).
// A read of memory without a value has two suspects, so it points to the task of the map, which should have written it, and to the
// task of the line.
#pragma once

#include <algorithm>
#include <diagnoses.hpp>
#include <grader/about.hpp>
#include <grader/told.hpp>
#include <map>
#include <tuple>

namespace kit::detail {

/// A failure, and all the cases in which it is the same.
struct Group {
    facts::Outcome outcome;
    std::vector<std::string> cases;
    std::vector<int> tasks;
    std::vector<std::string> output;  ///< output of the student's code in the first of the cases
};

/// Lines of the student's file that belong to a task.
struct Region {
    std::string file;  ///< name of the file without its folder
    int first = 0, last = 0, task = 0;
    bool given = false;  ///< the starter has these lines, in a function of this task alone

    bool has(int line) const { return first <= line && line <= last; }
};

/// Where the tasks are, and what the author of the test states about them.
struct TaskMap {
    std::map<Diagnosis, std::vector<int>> by_diagnosis;
    std::vector<std::pair<About, int>> by_facts;
    std::vector<Region> regions;

    int task_of_line(const facts::Line& line) const {
        for (const Region& region : regions)
            if (region.file == without_folder(line.file) && region.has(line.line)) return region.task;
        return 0;
    }
    /// The same for the number of a line in the student's file.
    int task_of_number(int line) const {
        for (const Region& region : regions)
            if (region.has(line)) return region.task;
        return 0;
    }
    /// Returns the task that queues the later of two pieces of work in streams.
    int task_of_later(const facts::Finding& finding) const {
        if (finding.queued.size() != 2) return 0;
        const int task = task_of_number(finding.queued[1].line);
        return task > 0 ? task : task_of_number(finding.queued[1].caller);
    }
};

// ---- the cause ----

/// How near a failure is to the cause, in the order of the rules: the nearest first.
enum class Nearness { part, first_ending, found, deadlock, values, index, ending, wait, leak };

/// Returns whether the student's code did not reach its results.
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
    bool values_alone_ = false;     ///< in some case values are wrong and the executor has found nothing
};

// ---- the task ----

/// Returns whether the failure has every kind of fact that is named.
class Fits {
  public:
    Fits(const facts::Failure& outcome, const TaskMap& map) : outcome_(outcome), map_(map) {
        if (outcome.finding) finding_ = &*outcome.finding;
    }

    bool operator()(const About& about) const {
        return any(about.diagnoses, [&](Diagnosis one) { return outcome_.diagnosis == one; }) &&
               any(about.rules, [&](facts::Rule rule) { return finding_ && finding_->rule == rule; }) &&
               any(about.fixes, [&](facts::Fix fix) { return finding_ && finding_->fix == fix; }) &&
               any(about.memories, [&](const std::string& name) { return is_on(name); }) &&
               any(about.outputs,
                   [&](const std::string& name) {
                       return !finding_ && is_part(outcome_.difference.what, name);
                   }) &&
               any(about.counts, [&](std::size_t count) { return outcome_.difference.of == count; }) &&
               any(about.sizes,
                   [&](std::uint64_t size) { return finding_ && finding_->memory.bytes == size; }) &&
               any(about.kinds,
                   [&](facts::Memory::Kind kind) { return finding_ && finding_->memory.kind == kind; }) &&
               any(about.positions, [&](facts::Memory::Position at) { return is_at(at); }) &&
               any(about.kernels, [&](const std::string& name) { return has(kernels(), name); }) &&
               any(about.functions, [&](const std::string& name) { return has(functions(), name); }) &&
               any(about.readers, [&](const std::string& name) { return accessed_by(name, false); }) &&
               any(about.writers, [&](const std::string& name) { return accessed_by(name, true); }) &&
               any(about.extras, [&](const std::string& name) { return has_extra(name); }) &&
               any(about.later,
                   [&](int task) { return finding_ && map_.task_of_later(*finding_) == task; }) &&
               any(about.pairs, [&](const std::pair<int, int>& tasks) { return is_between(tasks); }) &&
               any(about.demands, [&](const std::string& name) { return outcome_.count.name == name; }) &&
               any(about.errors, [&](const std::string& name) { return outcome_.error.name == name; });
    }

  private:
    using Names = std::vector<std::string>;

    /// Any value fits a kind of fact that the map does not name.
    template <class T, class Test>
    static bool any(const std::vector<T>& wanted, const Test& test) {
        return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), test);
    }
    /// The name of a kernel may have one more namespace than the test knows.
    static bool has(const Names& names, const std::string& name) {
        const std::string end = "::" + name;
        return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
            return one == name ||
                   (one.size() > end.size() && one.compare(one.size() - end.size(), end.size(), end) == 0);
        });
    }

    /// Returns whether the piece is `name` or a part of it, as `slot[0]` and `slot.sent` are parts of `slot`.
    static bool is_part(const std::string& piece, const std::string& name) {
        if (piece.compare(0, name.size(), name) != 0) return false;
        const char next = piece.size() == name.size() ? '.' : piece[name.size()];
        return next == '.' || next == '[' || next == ' ' || next == ':';
    }
    bool is_on(const std::string& name) const {
        if (finding_) return is_part(finding_->memory.name, name);
        return is_part(outcome_.difference.what, name);
    }

    /// On a GPU, the bytes around a buffer show where a kernel has written.
    bool is_at(facts::Memory::Position position) const {
        if (finding_) return finding_->memory.position == position;
        return (position == facts::Memory::Position::before &&
                outcome_.fault == facts::Fault::written_before) ||
               (position == facts::Memory::Position::after && outcome_.fault == facts::Fault::written_after);
    }

    Names kernels() const {
        if (!finding_) return {};
        Names names = {finding_->kernel, finding_->who.name, finding_->other.name};
        for (const facts::Access& access : finding_->accesses) names.push_back(access.who.name);
        for (const facts::Queued& work : finding_->queued) names.push_back(work.what);
        for (const facts::Waiting& group : finding_->waiting) names.push_back(group.first.name);
        for (const facts::Call& call : finding_->calls) names.push_back(call.who.name);
        return names;
    }
    Names functions() const {
        if (!finding_) return {};
        Names names = kernels();
        for (const facts::Waiting& group : finding_->waiting) names.push_back(group.in);
        for (const facts::Call& call : finding_->calls) names.push_back(call.function);
        for (const facts::Value& value : finding_->values) names.push_back(value.text);
        return names;
    }
    bool is_between(const std::pair<int, int>& tasks) const {
        if (!finding_ || finding_->accesses.size() != 2) return false;
        const int one = map_.task_of_line(finding_->accesses[0].at),
                  other = map_.task_of_line(finding_->accesses[1].at);
        return tasks == std::pair(one, other) || tasks == std::pair(other, one);
    }
    bool has_extra(const std::string& name) const {
        if (name == "never written")  // all wrong values are unwritten
            return outcome_.difference.wrong > 0 &&
                   outcome_.difference.unwritten == outcome_.difference.wrong;
        if (!finding_) return false;
        if (name != "expected bytes") return finding_->value(name) != nullptr;
        return std::any_of(finding_->waiting.begin(), finding_->waiting.end(),
                           [](const facts::Waiting& group) { return group.bytes_expected > 0; });
    }
    bool accessed_by(const std::string& name, bool write) const {
        if (!finding_) return false;
        for (const facts::Access& access : finding_->accesses)
            if (access.write == write && access.who.name == name) return true;
        return false;
    }

    const facts::Failure& outcome_;
    const TaskMap& map_;
    const facts::Finding* finding_ = nullptr;
};

inline bool same_facts(const About& a, const About& b) {
    const auto all = [](const About& about) {
        return std::tie(about.diagnoses, about.rules, about.fixes, about.memories, about.outputs,
                        about.kernels, about.functions, about.readers, about.writers, about.extras,
                        about.demands, about.errors, about.later, about.pairs, about.sizes, about.counts,
                        about.kinds, about.positions);
    };
    return all(a) == all(b);
}

/// Returns the numbers after "Task " or "TODO(" in the sentence with which a test explains a failure.
inline std::vector<int> tasks_in(const std::string& sentence) {
    std::vector<int> tasks;
    for (const std::string start : {"Task ", "TODO("}) {
        for (std::size_t at = sentence.find(start); at != std::string::npos;
             at = sentence.find(start, at + 1)) {
            const int number = std::atoi(sentence.c_str() + at + start.size());
            if (number > 0 && std::find(tasks.begin(), tasks.end(), number) == tasks.end())
                tasks.push_back(number);
        }
    }
    return tasks;
}

class Tasks {
  public:
    explicit Tasks(const TaskMap& map) : map_(map) {}

    std::vector<int> of(const facts::Failure& outcome) const {
        if (const List named = named_by_test(outcome); !named.empty()) return named;       // T1
        if (const List mapped = mapped_by_facts(outcome); !mapped.empty()) return mapped;  // T2
        const List mapped = of_diagnosis(outcome.diagnosis);
        List found;
        if (const int task = task_of_odd_access(outcome)) {
            found = {task};
        } else if (is_missing_order(outcome)) {  // T3
            found = of_missing_order(*outcome.finding, mapped);
        } else {  // T4
            found = of_lines(lines_at_fault(outcome), mapped);
            if (found.empty()) found = of_lines(lines_that_launch(outcome), mapped);
        }
        if (found.empty()) return mapped;  // T5
        if (outcome.diagnosis != Diagnosis::uninitialised || has(mapped, found[0])) return found;
        List suspects = mapped;
        suspects.insert(suspects.end(), found.begin(), found.end());
        return suspects;
    }

    /// Returns the line to edit for one of these tasks. Of the lines that the failure names, or that launch or queue its work, it is the
    /// first that the student has written for one of them, and else the first line of the first task. Returns 0 if there is none.
    int line_to_edit(const facts::Failure& outcome, const std::vector<int>& tasks) const {
        Lines lines = lines_of(outcome);
        for (const facts::Where& where : lines_that_launch(outcome)) lines.push_back(where);
        for (const facts::Where& where : lines) {
            for (const Region& region : map_.regions) {
                if (region.given || !has(tasks, region.task)) continue;
                if (region.file == without_folder(where.file) && region.has(where.line)) return where.line;
                if (region.file == without_folder(where.caller.file) && region.has(where.caller.line))
                    return where.caller.line;
            }
        }
        for (const Region& region : map_.regions)
            if (!tasks.empty() && region.task == tasks[0] && !region.given) return region.first;
        return 0;
    }

  private:
    using List = std::vector<int>;
    using Lines = std::vector<facts::Where>;

    static bool has(const List& tasks, int task) {
        return std::find(tasks.begin(), tasks.end(), task) != tasks.end();
    }

    static List named_by_test(const facts::Failure& outcome) {
        if (!outcome.tasks.empty()) return outcome.tasks;
        std::string text = outcome.sentence + "; " + outcome.difference.what + "; " + outcome.because;
        for (const std::string& line : outcome.lines) text += "; " + line;
        return tasks_in(text);
    }

    /// Returns the tasks of the first facts that fit; these can be several.
    List mapped_by_facts(const facts::Failure& outcome) const {
        const Fits fits(outcome, map_);
        List tasks;
        const About* first = nullptr;
        for (const auto& [about, task] : map_.by_facts) {
            if (first ? !same_facts(about, *first) : !fits(about)) continue;
            first = &about;
            tasks.push_back(task);
        }
        return tasks;
    }

    List of_diagnosis(Diagnosis diagnosis) const {
        const auto found = map_.by_diagnosis.find(diagnosis);
        return found == map_.by_diagnosis.end() ? List() : found->second;
    }

    int task_at(const facts::Where& where) const {
        const int task = map_.task_of_line(where);
        return task > 0 ? task : map_.task_of_line(where.caller);
    }

    /// Returns the task of the access that should be like the other: atomic, or with a wider scope. Returns 0 if there is no such access.
    int task_of_odd_access(const facts::Failure& outcome) const {
        if (!outcome.finding || outcome.finding->accesses.size() != 2) return 0;
        const facts::Access &a = outcome.finding->accesses[0], &b = outcome.finding->accesses[1];
        const facts::Fix fix = outcome.finding->fix;
        if (fix == facts::Fix::second_atomic && a.atomic != b.atomic) return task_at(a.atomic ? b.at : a.at);
        if (fix == facts::Fix::wider_scope && a.narrow != b.narrow) return task_at(a.narrow ? a.at : b.at);
        return 0;
    }

    /// Returns whether an order between the two accesses is missing, and neither of them is wrong by itself.
    static bool is_missing_order(const facts::Failure& outcome) {
        if (!outcome.finding || outcome.finding->accesses.size() != 2) return false;
        // Two lines that write the same element of an output have computed the same index.
        const facts::Access &one = outcome.finding->accesses[0], &other = outcome.finding->accesses[1];
        const bool in_output = outcome.finding->memory.kind == facts::Memory::Kind::buffer;
        if (one.write && other.write && in_output && !outcome.finding->kernel.empty()) return false;
        switch (outcome.finding->fix) {
            case facts::Fix::none:
            case facts::Fix::wider_scope:
            case facts::Fix::system_scope:
            case facts::Fix::one_size:
            case facts::Fix::second_atomic:
            case facts::Fix::fences_around_atomic:
            case facts::Fix::one_put:
            case facts::Fix::own_elements:
            case facts::Fix::own_place:
            case facts::Fix::atomic_update:
                return false;
            default:
                return true;
        }
    }

    static bool is_of_queued_work(const facts::Finding& finding) {
        return finding.fix == facts::Fix::edge || finding.fix == facts::Fix::stream ||
               finding.fix == facts::Fix::stream_of_kernels || finding.fix == facts::Fix::waiting_host;
    }

    /// Returns the lines of both accesses. For queued work, these are the lines that queue it, if possible in a function of the student.
    Lines lines_that_order(const facts::Finding& finding) const {
        Lines lines;
        for (const facts::Access& access : finding.accesses) {
            facts::Where where =
                is_of_queued_work(finding) && access.queued.line > 0 ? access.queued : access.at;
            if (map_.task_of_line(where) == 0 && where.caller.line > 0) where = where.caller;
            lines.push_back(std::move(where));
        }
        return lines;
    }

    /// Returns the lines to blame: if only one of two accesses is atomic, the line of the plain access.
    static Lines lines_at_fault(const facts::Failure& outcome) {
        Lines lines = lines_of(outcome);
        if (!outcome.finding || outcome.finding->accesses.size() != 2) return lines;
        const facts::Access &one = outcome.finding->accesses[0], &other = outcome.finding->accesses[1];
        return one.atomic == other.atomic ? lines : Lines{one.atomic ? other.at : one.at};
    }

    static Lines lines_that_launch(const facts::Failure& outcome) {
        Lines lines;
        if (!outcome.finding) return lines;
        for (const facts::Access& access : outcome.finding->accesses) lines.push_back(access.queued);
        lines.push_back(outcome.finding->launched);
        return lines;
    }

    List of_missing_order(const facts::Finding& finding, const List& mapped) const {
        const Lines lines = lines_that_order(finding);
        const int one = task_at(lines[0]), other = task_at(lines[1]);
        const auto [first, last] = std::minmax(lines[0].line, lines[1].line);
        List between;
        for (const Region& region : map_.regions) {
            const bool inside = region.last > first && region.first < last;
            if (inside && region.file == without_folder(lines[0].file) && region.task != one &&
                region.task != other && !has(between, region.task))
                between.push_back(region.task);
        }
        List fitting;
        for (const int task : mapped)
            if (has(between, task)) fitting.push_back(task);
        if (!fitting.empty()) return fitting;
        if (between.size() == 1 && mapped.empty()) return between;
        for (const int task : {other, one})
            if (has(mapped, task)) fitting = {task};
        if (!fitting.empty() || !mapped.empty()) return fitting;
        if (is_of_queued_work(finding)) {
            const int later = map_.task_of_later(finding);
            return later > 0 ? List{later} : List();
        }
        if (one == 0 || other == 0) return one + other > 0 ? List{one + other} : List();
        return one == other ? List{one} : List{std::min(one, other), std::max(one, other)};
    }

    /// Returns the one of several tasks that the map has; otherwise the later one.
    List of_lines(const Lines& lines, const List& mapped) const {
        int at_place = 0, last = 0, fitting = 0, last_fitting = 0;
        for (const facts::Where& where : lines) {
            const int task = task_at(where);
            if (task > 0 && has(mapped, task) && where.line >= last_fitting)
                fitting = task, last_fitting = where.line;
            if (task > 0 && where.line >= last) at_place = task, last = where.line;
        }
        const int task = fitting > 0 ? fitting : at_place;
        return task > 0 ? List{task} : List();
    }

    const TaskMap& map_;
};

}  // namespace kit::detail
