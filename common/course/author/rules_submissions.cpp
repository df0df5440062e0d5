// Rules about tests/TOPIC/NAME.submissions, the bug hunts in them, and tests/TOPIC/TOPIC.screens.
#include <algorithm>
#include <map>

#include "diagnoses.hpp"
#include "expected.hpp"
#include "hunts.hpp"
#include "rules.hpp"

namespace course {

namespace {

constexpr int least_wrong = 3, most_changes = 40;

/// Returns the largest number of consecutive lines in which the program differs from the solution.
int largest_change(const Lines& solution, const Lines& program) {
    int most = 0, count = 0;
    for (const std::string& line : difference(solution, program)) {
        count = line[0] == ' ' ? 0 : count + 1;
        most = std::max(most, count);
    }
    return most;
}

/// Returns the start of a complaint about an entry.
std::string place_of(const Exercise& exercise, const Entry& entry) {
    return sentence(exercise.submissions().string(), ":", entry.line, ": ", entry.id(), ": ");
}

bool is_kind(const std::string& kind) {
    const auto& names = kit::detail::diagnosis_names;
    return kind == "passed" || kind == other_method ||
           std::find(std::begin(names), std::end(names), kind) != std::end(names);
}

/// Returns whether the text is "none" or a list of tasks that exist.
bool is_task(const std::string& task, const std::set<int>& tasks) {
    if (task == "none") return true;
    for (const std::string& number : words_of(replaced(task, ",", " "))) {
        if (!tasks.count(number_of(number))) return false;
    }
    return !task.empty();
}

/// Returns whether the condition is true for each alternative of a text such as "race | nan".
template <class Holds>
bool all_alternatives(const std::string& value, Holds&& holds) {
    std::size_t from = 0;
    for (std::size_t to; (to = value.find(" | ", from)) != std::string::npos; from = to + 3) {
        if (!holds(value.substr(from, to - from))) return false;
    }
    return holds(value.substr(from));
}

void check_facts(const Entry& entry, const std::string& where, const std::set<int>& tasks,
                 Complainer& complain) {
    for (const std::string backend : {"cpu", "gpu"}) {
        if (const std::string only = entry.value("backends"); !only.empty() && !begins_with(only, backend))
            continue;
        std::string kind = entry.expected("kind", backend);
        if (kind.empty()) kind = usual_kind(entry, backend);
        if (!all_alternatives(kind, is_kind))
            return complain(where, "\"kind: ", kind, "\" is not in common/diagnoses.hpp");
        const std::string task = entry.expected("task", backend);
        const bool is_other_on_gpu = entry.kind == "other" && backend == "gpu";
        if (kind == "passed"
                ? !task.empty() && !is_other_on_gpu
                : !all_alternatives(task, [&](const std::string& one) { return is_task(one, tasks); }))
            return complain(where, "\"task: ", task, "\" is no task of this exercise");
        const bool is_expected = entry.kind == "right"   ? kind == "passed"
                                 : entry.kind == "wrong" ? kind != "passed" && kind != other_method
                                                         : kind == other_method || is_other_on_gpu;
        if (!is_expected && entry.value("better").empty())
            return complain(where, "the verdict is not right, and no \"better:\" says what it should be");
    }
}

/// Requires that an entry which changes regions gets a verdict with the task of one of them, or states why
/// not.
void check_task(const Entry& entry, const std::string& where, const Unmarked& solution,
                Complainer& complain) {
    const std::string task =
        entry.expected("task", begins_with(entry.value("backends"), "gpu") ? "gpu" : "cpu");
    const std::set<int> changed = changed_regions(entry, solution);
    if (task.empty() || changed.empty()) return;
    const bool agrees = all_alternatives(task, [&](const std::string& one) {
        const Lines named = words_of(replaced(one, ",", " "));
        return std::any_of(named.begin(), named.end(),
                           [&](const std::string& number) { return changed.count(number_of(number)) > 0; });
    });
    std::string numbers;
    for (const int number : changed) numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    const bool says_why = !entry.value("task-why").empty() || !entry.value("better").empty();
    if (!agrees && !says_why)
        complain(where, "it changes region ", numbers, ", and \"task: ", task,
                 "\" has none of them: correct the verdict, or write \"task-why:\"");
    if (agrees && !entry.value("task-why").empty())
        complain(where, "\"task-why:\" is not needed, because the task is one of region ", numbers);
}

void check_entry(const Course& course, const Exercise& exercise, const Submissions& all, const Entry& entry,
                 const std::set<int>& tasks, Complainer& complain) try {
    const std::string where = place_of(exercise, entry);
    if (entry.value("what").empty()) complain(where, "no \"what:\"");
    if (entry.kind == "other" && entry.value("demand").empty())
        complain(where, "no \"demand:\" says which method");
    for (const auto& [key, value] : entry.keys) {
        if (begins_with(value, "WRITE")) complain(where, "still to be written: ", key);
    }
    const std::string only = entry.value("backends");
    if (!only.empty() && match(only, "^(cpu|gpu)( [(].*[)])?$").empty())
        complain(where, "\"backends:\" is not cpu or gpu, perhaps with a reason in parentheses");
    check_facts(entry, where, tasks, complain);
    const Unmarked solution = without_marks(lines_of(read_text(course.root / exercise.solution())));
    const int changes = largest_change(solution.lines, all.program(course, exercise, entry));
    check_task(entry, where, solution, complain);
    if (entry.kind == "wrong" && changes > most_changes)
        complain(where, "it changes ", changes,
                 " lines in a row, which is a different solution and not a mistake");
} catch (const Error& error) {
    complain(error.what());
}

/// Requires that each entry which is rejected on the CPU backend has a screen, and that each screen has an
/// entry.
void check_screens(const Course& course, const Exercise& exercise, const Submissions& all,
                   Complainer& complain) {
    const Screens screens = read_screens(course, exercise.topic);
    for (const Entry& entry : all.entries()) {
        const std::string kind = entry.value("kind").empty() ? usual_kind(entry, "cpu") : entry.value("kind");
        const bool has_one = entry.value("screen").empty() && !begins_with(entry.value("backends"), "gpu") &&
                             kind != "passed" && !kind.empty();
        if (has_one != !screens.of(exercise, entry).empty())
            complain(exercise.screens(), ": ", entry.kind, " ", exercise.name, ".", entry.name,
                     has_one ? " is missing" : " is not needed", "; kit_author accept writes this file");
    }
}

// Bug hunts.

constexpr std::size_t hints_per_hunt = 3;
constexpr int least_hunts = 100;
/// If the mistake is a missing line, the answer can be a line of the solution that is close to the mistake.
constexpr std::size_t most_lines_away = 6;

Lines without_comments(Lines lines) {
    for (std::string& line : lines) line = without_comment(line);
    return lines;
}

/// Returns whether this line of the wrong program, counted from 1, is part of a change of the solution, or
/// close to one.
bool is_near_change(const Lines& solution, const Hunt& hunt, int line) {
    const auto here = static_cast<std::size_t>(line);
    std::size_t at = 0;  // number of the last line of the wrong program
    for (const std::string& change : difference(without_comments(solution), without_comments(hunt.program))) {
        at += change[0] != '-';
        if (change[0] != ' ' && change.size() > 1 && (here < at ? at - here : here - at) <= most_lines_away)
            return true;
    }
    return false;
}

/// Requires that the answer is one line of the wrong program, and a line of the mistake.
void check_line(const Hunt& hunt, const std::string& line, const Lines& solution, const std::string& where,
                Complainer& complain) {
    Hunt only = hunt;
    only.lines = {line};
    const std::set<int> at = only.answers();
    if (at.size() != 1) return complain(where, "the program has ", at.size(), " lines \"", line, "\"");
    if (!is_near_change(solution, hunt, *at.begin()))
        complain(where, "the program differs from the solution, but not near \"", line, "\"");
    const std::string code = without_comment(line);
    for (const std::string& text : {hunt.symptom, hunt.hints.empty() ? std::string() : hunt.hints[0]})
        if (contains(text, code))
            complain(where, "the symptom or the first hint has the line \"", line, "\"");
}

void check_hunt(const Course& course, const Hunt& hunt, const Entry& entry, Complainer& complain) {
    const std::string where = place_of(*hunt.exercise, entry);
    if (entry.kind != "wrong") complain(where, "only a wrong submission can be a hunt");
    for (const char* key : {"hunt", "hunt.level", "hunt.symptom", "hunt.kind"}) {
        const std::size_t count = entry.values(key).size();
        if (count != 1) complain(where, count == 0 ? "no" : "more than one", " \"", key, ":\"");
    }
    if (hunt.number < 1 && !entry.value("hunt").empty())
        complain(where, "\"hunt: ", entry.value("hunt"), "\" is not a number, counted from 1");
    if ((hunt.level < 1 || hunt.level > 3) && !entry.value("hunt.level").empty())
        complain(where, "the level must be 1, 2 or 3");
    if (!is_hunt_kind(hunt.kind) && !hunt.kind.empty())
        complain(where, "\"hunt.kind: ", hunt.kind, "\" is unknown; kit_course hunt kinds lists the kinds");
    if (hunt.lines.empty()) complain(where, "no \"hunt.line:\"");
    if (hunt.hints.size() != hints_per_hunt)
        complain(where, hunt.hints.size(), " hints, but ", hints_per_hunt, " are needed");
    const Lines solution = without_marks(lines_of(read_text(course.root / hunt.exercise->solution()))).lines;
    for (const std::string& line : hunt.lines) check_line(hunt, line, solution, where, complain);
}

/// Checks the hunts of an exercise, and returns how many there are. Their numbers must be 1, 2, 3 ..., each once,
/// because students and pages name a hunt by its number.
int check_hunts_of(const Course& course, const Exercise& exercise, Complainer& complain) try {
    const Submissions all(course, exercise);
    std::map<int, const Entry*> numbered;
    int count = 0;
    for (const Entry& entry : all.entries()) {
        if (hunt_keys_of(entry).empty()) continue;
        ++count;
        const Hunt hunt = hunt_of(course, exercise, all, entry);
        check_hunt(course, hunt, entry, complain);
        if (hunt.number < 1) continue;
        const auto [other, is_new] = numbered.emplace(hunt.number, &entry);
        if (!is_new)
            complain(place_of(exercise, entry), "hunt ", hunt.number, " is also ", other->second->id(),
                     " at line ", other->second->line);
    }
    for (int number = 1; number <= count; ++number)
        if (!numbered.count(number))
            complain(exercise.submissions(), ": none of the ", count, " hunts has the number ", number);
    return count;
} catch (const Error& error) {
    complain(error.what());
    return 0;
}

}  // namespace

void check_submissions(const Course& course, Complainer& complain) {
    for (const Exercise& exercise : course.exercises) try {
            const Submissions all(course, exercise);
            const std::set<int> tasks = Source(course.root / exercise.solution()).todos();
            int wrong = 0;
            for (const Entry& entry : all.entries()) {
                wrong += entry.kind == "wrong";
                check_entry(course, exercise, all, entry, tasks, complain);
            }
            if (wrong < least_wrong)
                complain(exercise.submissions(), ": ", wrong, " wrong submissions, at least ", least_wrong,
                         " are needed");
            check_screens(course, exercise, all, complain);
        } catch (const Error& error) {
            complain(error.what());
        }
    for (const fs::path& file : course.files("tests", {".submissions"})) {
        const std::string topic = file.parent_path().filename(), name = file.stem();
        if (!course.find(topic, name))
            complain(file, ": there is no exercise ", topic, "/", name, ", so nothing reads it");
    }
    for (const fs::path& file : course.files("tests", {".screens"})) try {
            const std::string topic = file.parent_path().filename();
            if (file != screens_of(topic) || course.exercises_of(topic).empty())
                complain(file, ": is not TOPIC.screens in the folder of its topic, so nothing reads it");
            else if (read_screens(course, topic).text(course, topic) != read_text(course.root / file))
                complain(file, ": is not as kit_author accept writes it");
        } catch (const Error& error) {
            complain(error.what());
        }
}

void check_hunts(const Course& course, Complainer& complain) {
    int count = 0;
    for (const Topic& topic : course.described) {
        int of_topic = 0;
        for (const Exercise* exercise : course.exercises_of(topic.name))
            of_topic += check_hunts_of(course, *exercise, complain);
        if (of_topic == 0) complain("tests/", topic.name, ": a topic needs at least one hunt");
        count += of_topic;
    }
    if (course.described.size() > 1 && count < least_hunts)
        complain("tests: there are ", count, " hunts, but a course of several topics needs ", least_hunts);
}

}  // namespace course
