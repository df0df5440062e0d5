// The rule about tests/TOPIC/TOPIC.hunts.
#include <algorithm>

#include "hunts.hpp"
#include "rules.hpp"
#include "submissions.hpp"

namespace course {

namespace {

constexpr std::size_t hints_per_hunt = 3, least_hunts = 100;
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

void check_hunt(const Course& course, Hunt hunt, Complainer& complain) try {
    const std::string where =
        sentence(hunts_of(hunt.exercise->topic).string(), ":", hunt.at, ": ", hunt.entry, ": ");
    if (hunt.level < 1 || hunt.level > 3) complain(where, "the level must be 1, 2 or 3");
    if (!is_hunt_kind(hunt.kind))
        complain(where, "\"kind: ", hunt.kind, "\" is unknown; kit_course hunt kinds lists the kinds");
    if (hunt.hints.size() != hints_per_hunt)
        complain(where, hunt.hints.size(), " hints, but ", hints_per_hunt, " are needed");
    add_program(course, hunt);
    const Lines solution = without_marks(lines_of(read_text(course.root / hunt.exercise->solution()))).lines;
    for (const std::string& line : hunt.lines) check_line(hunt, line, solution, where, complain);
} catch (const Error& error) {
    complain(error.what());
}

}  // namespace

void check_hunts(const Course& course, Complainer& complain) {
    std::size_t count = 0;
    for (const Topic& topic : course.described) try {
            std::set<std::string> seen;
            for (const Hunt& hunt :
                 read_hunts(course, topic.name, read_text_if_there(course.root / hunts_of(topic.name)))) {
                if (!seen.insert(hunt.exercise->name + "." + hunt.entry).second)
                    complain(hunts_of(topic.name), ":", hunt.at, ": ", hunt.entry, " is there twice");
                check_hunt(course, hunt, complain);
            }
            count += seen.size();
            if (seen.empty()) complain(hunts_of(topic.name), ": a topic needs at least one hunt");
        } catch (const Error& error) {
            complain(error.what());
        }
    if (course.described.size() > 1 && count < least_hunts)
        complain("tests: there are ", count, " hunts, but a course of several topics needs ", least_hunts);
    for (const fs::path& file : course.files("tests", {".hunts"})) {
        const std::string topic = file.parent_path().filename();
        if (file != hunts_of(topic) || course.exercises_of(topic).empty())
            complain(file, ": is not TOPIC.hunts in the folder of its topic, so nothing reads it");
    }
}

}  // namespace course
