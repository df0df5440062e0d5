// Chooses the task to which a verdict points, and the line to edit. The rules use facts, not sentences, and
// tests/kit/cause_test.cu has a case for each.
//
// The first rule that applies decides. If none applies, the verdict does not name a task.
//   T1  The test names the tasks: in a case that is made for them, or with its sentence about the failure (said.hpp).
//   T2  The author has mapped facts to a task: grader.task(k, About()...). Task 0 means that given code is wrong.
//   T3  An order is missing between two lines. It usually belongs to neither of their tasks: the task is one between the two
//       lines that has neither of them. If there is none, it is the task of the map by diagnoses. Otherwise, the order may be
//       missing at the end of the first task or at the start of the second, so both are named. Given code is correct, so if one
//       line is given, it is the task of the other line. For pieces of queued work, the lines are those that queue them; if
//       neither the map nor a task between them applies, the wait belongs before the later piece. If only one of two accesses is
//       plain, or has too narrow a scope, its task is named first.
//   T4  The lines decide: of several tasks, the one in the map by diagnoses, otherwise that of the last line. If only one of two
//       accesses is atomic, the line of the plain access counts. For a line of a helper that belongs to no task, the line that
//       called it counts, and for a given kernel, the line that launches it.
//   T5  The author has mapped the diagnosis to a task: grader.task(k, {Diagnosis::...}).
// A read of uninitialized memory has two possible causes, so it points to the task in the map, which should
// have written the memory, and to the task of the line.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <diagnoses.hpp>
#include <grader/task_map.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kit::detail {

class Tasks {
  public:
    explicit Tasks(const TaskMap& map) : map_(map) {}

    std::vector<int> of(const facts::Failure& outcome) const {
        if (!outcome.tasks.empty()) return outcome.tasks;                   // T1
        if (const List mapped = mapped_by_facts(outcome); !mapped.empty())  // T2
            return mapped == List{0} ? List() : mapped;
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

    /// Returns the line to edit for one of these tasks. If an order is missing between two lines of one task, neither
    /// of them is wrong, so it is the line after the earlier one, where the region between them begins. Otherwise, it
    /// is the first line that the student has written for the tasks, among the lines that the failure names, or that
    /// launch or queue its work. If there is none, it is the first line of the first task, or 0.
    int line_to_edit(const facts::Failure& outcome, const std::vector<int>& tasks) const {
        if (const int line = line_between(outcome, tasks)) return line;
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

    /// Returns the tasks that the author has mapped to the first facts that the failure has.
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

    /// Returns the task of the access that should be changed to match the other: made atomic, or given a
    /// wider scope. Returns 0 if there is none.
    int task_of_odd_access(const facts::Failure& outcome) const {
        if (!outcome.finding || outcome.finding->accesses.size() != 2) return 0;
        const facts::Access &a = outcome.finding->accesses[0], &b = outcome.finding->accesses[1];
        const facts::Fix fix = outcome.finding->fix;
        if (fix == facts::Fix::second_atomic && a.atomic != b.atomic) return task_at(a.atomic ? b.at : a.at);
        if (fix == facts::Fix::wider_scope && a.narrow != b.narrow) return task_at(a.narrow ? a.at : b.at);
        return 0;
    }

    /// Returns whether the two accesses lack an order, and neither of them is wrong by itself.
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

    /// Returns the first line between the two lines that lack an order, if both are in one region of these tasks.
    int line_between(const facts::Failure& outcome, const List& tasks) const {
        if (!is_missing_order(outcome)) return 0;
        const Lines lines = lines_that_order(*outcome.finding);
        const auto [first, last] = std::minmax(lines[0].line, lines[1].line);
        for (const Region& region : map_.regions)
            if (!region.given && has(tasks, region.task) && region.file == without_folder(lines[0].file) &&
                region.has(first) && region.has(last))
                return std::min(first + 1, last);
        return 0;
    }

    static bool is_of_queued_work(const facts::Finding& finding) {
        return finding.fix == facts::Fix::edge || finding.fix == facts::Fix::stream ||
               finding.fix == facts::Fix::stream_of_kernels || finding.fix == facts::Fix::waiting_host;
    }

    /// Returns the lines of the two accesses. For queued work, these are the lines that queue it, in a
    /// function of the student if possible.
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

    /// Returns the lines that are at fault. If only one of two accesses is atomic, returns only the line of
    /// the plain access.
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

    /// Returns the task of these lines that is also in the map; if there is none, the task of the last line.
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
