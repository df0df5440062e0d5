// Which lines of the student's file belong to which task, what a test states about the tasks, and whether a
// failure has the facts that the test names (about.hpp).
#pragma once

#include <algorithm>
#include <diagnoses.hpp>
#include <grader/about.hpp>
#include <grader/told.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kit::detail {

/// A range of lines in the student's file that belongs to a task.
struct Region {
    std::string file;  ///< name of the file without its folder
    int first = 0, last = 0, task = 0;
    bool given = false;  ///< whether the starter has these lines, in a function that belongs to this task
                         ///< only

    bool has(int line) const { return first <= line && line <= last; }
};

/// The lines of the tasks, and what the author of the test states about the tasks.
struct TaskMap {
    std::map<Diagnosis, std::vector<int>> by_diagnosis;
    std::vector<std::pair<About, int>> by_facts;
    std::vector<Region> regions;

    int task_of_line(const facts::Line& line) const {
        for (const Region& region : regions)
            if (region.file == without_folder(line.file) && region.has(line.line)) return region.task;
        return 0;
    }
    /// Returns the same as task_of(), for the number of a line in the student's file.
    int task_of_number(int line) const {
        for (const Region& region : regions)
            if (region.has(line)) return region.task;
        return 0;
    }
    /// Returns the task that queues the later one of two pieces of work in streams.
    int task_of_later(const facts::Finding& finding) const {
        if (finding.queued.size() != 2) return 0;
        const int task = task_of_number(finding.queued[1].line);
        return task > 0 ? task : task_of_number(finding.queued[1].caller);
    }
};

/// Finds out whether a failure has every kind of fact that is named.
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

    /// A kind of fact that the map does not name fits every failure.
    template <class T, class Test>
    static bool any(const std::vector<T>& wanted, const Test& test) {
        return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), test);
    }
    /// Returns whether the kernel is among the names. Its name can have one more namespace than the test
    /// knows.
    static bool has(const Names& names, const std::string& name) {
        const std::string end = "::" + name;
        return std::any_of(names.begin(), names.end(), [&](const std::string& one) {
            return one == name ||
                   (one.size() > end.size() && one.compare(one.size() - end.size(), end.size(), end) == 0);
        });
    }

    /// Returns whether `piece` is `name` or a part of it: `slot[0]` and `slot.sent` are parts of `slot`.
    static bool is_part(const std::string& piece, const std::string& name) {
        if (piece.compare(0, name.size(), name) != 0) return false;
        const char next = piece.size() == name.size() ? '.' : piece[name.size()];
        return next == '.' || next == '[' || next == ' ' || next == ':';
    }
    bool is_on(const std::string& name) const {
        if (finding_) return is_part(finding_->memory.name, name);
        return is_part(outcome_.difference.what, name);
    }

    /// Returns whether the kernel wrote in this direction outside of the buffer. On a GPU, the overwritten
    /// guard zone shows the direction.
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

}  // namespace kit::detail
