#include "standing.hpp"

#include <algorithm>
#include <map>
#include <words/outcome.hpp>

#include "judge.hpp"
#include "source.hpp"

namespace course {

namespace {

State state_of(const Course& course, const std::string& test, const fs::path& source,
               const std::optional<Verdict>& verdict) {
    static const std::map<std::string, State> states = {
        {"pass", State::done}, {"skip", State::skipped},  {other_method, State::other},
        {"open", State::open}, {"broken", State::broken}, {"wrong", State::wrong}};
    if (!verdict) return State::ungraded;
    const bool edited =
        fs::exists(source) && fs::last_write_time(source) > fs::last_write_time(verdict_file(course, test));
    return edited ? State::edited : states.at(states.count(verdict->outcome) ? verdict->outcome : "wrong");
}

/// Takes task, line and text from the failure, or the different method, that the report explains in full.
void take_failure(const Verdict& verdict, const fs::path& source, Standing& standing) {
    const auto is_wanted = [&](const CaseVerdict& one) {
        return course::is_told(one) && (verdict.told.empty() || one.name == verdict.told);
    };
    const auto one = std::find_if(verdict.cases.begin(), verdict.cases.end(), is_wanted);
    if (one == verdict.cases.end()) return;
    if (!one->tasks.empty()) standing.task = one->tasks[0];
    standing.what = one->method ? kit::words::headline_of(*one) : kit::words::told(*one).what;
    std::vector<kit::facts::Where> lines;
    if (!one->edit) lines = lines_of(*one);
    if (!one->edit) lines.insert(lines.begin(), first_line_of(*one));
    int line = one->edit.value_or(0);
    for (const kit::facts::Where& where : lines)
        if (line == 0 && fs::path(where.file).filename() == source.filename()) line = where.line;
    if (line > 0) standing.edit += ":" + std::to_string(line);
}

/// Takes the line of the first compiler error in the file.
void take_error(const Verdict& verdict, const fs::path& source, Standing& standing) {
    for (const std::string& line : lines_of(verdict.output)) {
        const Lines found = match(line, "([^/: ]+):([0-9]+):.*error: ");
        if (found.empty() || found[1] != source.filename()) continue;
        standing.edit += ":" + found[2];
        return;
    }
}

}  // namespace

std::vector<std::string> tests_of(const Exercise& exercise) {
    std::vector<std::string> tests = {"exercise." + exercise.topic + "." + exercise.name};
    for (const std::string& variant : exercise.variants) tests.push_back(tests[0] + "." + variant);
    return tests;
}

fs::path submitted_file(const Course& course, const Exercise& exercise) {
    return course.submitted / exercise.topic / (exercise.name + ".cu");
}

Standing standing_of(const Course& course, const Exercise& exercise) {
    const fs::path source = submitted_file(course, exercise);
    Standing standing{&exercise, State::done, 0, course.shown(source), ""};
    for (const std::string& test : tests_of(exercise)) {
        const std::optional<Verdict> verdict = read_verdict(verdict_file(course, test));
        const State state = state_of(course, test, source, verdict);
        if (state <= standing.state && standing.state != State::done) continue;
        standing.state = std::max(state, standing.state);
        standing.edit = course.shown(source);
        if (state == State::wrong || state == State::other) take_failure(*verdict, source, standing);
        if (state == State::broken) take_error(*verdict, source, standing);
    }
    if (standing.state == State::ungraded) standing.task = 1;
    if (standing.state == State::open) {  // takes the gap of the first task, not the gap that was reached
                                          // first in the run
        const std::set<int> gaps = Source(source).gaps();
        if (!gaps.empty()) standing.task = *gaps.begin();
    }
    return standing;
}

}  // namespace course
