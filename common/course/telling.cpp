#include "telling.hpp"

#include <algorithm>
#include <text_layout.hpp>
#include <words/progress.hpp>

#include "judge.hpp"
#include "regions.hpp"

namespace course {

Look::Look(bool is_terminal) : colour(kit::wants_colour(is_terminal)) {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (!value || !*value) continue;
        blocks = contains(value, "UTF") || contains(value, "utf");
        break;
    }
}

Look Look::plain() {
    Look look(false);
    look.colour = false;
    return look;
}

std::string Look::paint(const char* code, const std::string& text) const {
    return colour && !text.empty() ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

std::string Look::repeated(const char* block, char plain, int count) const {
    std::string text;
    for (int i = 0; i < count; ++i) text += blocks ? std::string(block) : std::string(1, plain);
    return text;
}

std::vector<Standing> all_standings(const Course& course) {
    std::vector<Standing> standings;
    for (const Exercise& exercise : course.exercises) {
        if (course.has_chosen(exercise.topic)) standings.push_back(standing_of(course, exercise));
    }
    return standings;
}

bool is_to_do(const Standing& one) {
    return one.state != State::done && one.state != State::skipped;
}

const Standing* next_to_do(const std::vector<Standing>& standings, const Exercise* behind) {
    const Standing *first = nullptr, *other = nullptr;
    bool passed = behind == nullptr;
    for (const Standing& one : standings) {
        const bool is_wanted = is_to_do(one) && one.state != State::other;
        if (is_wanted && passed) return &one;
        if (is_wanted && !first) first = &one;
        if (one.state == State::other && !other) other = &one;
        passed = passed || one.exercise == behind;
    }
    return first ? first : other;
}

bool is_wrong(const Verdict& verdict) {
    return verdict.outcome != "pass" && verdict.outcome != "skip";
}

Lines outcome_lines(const Verdict& verdict) {
    Lines lines;
    std::string before;
    // Avoids showing the output of the student's code twice.
    for (const std::string& line : lines_of(verdict.output)) {
        if (!is_wrong(verdict) && begins_with(line, "  | ") && line != before) lines.push_back(line);
        before = line;
    }
    lines.push_back("RESULT " + word_of(verdict.outcome) + ": " + verdict.sentence + "   " + verdict.test);
    return lines;
}

Lines verdict_lines(const Course& course, const Graded& one) {
    if (one.verdict.outcome == "open" && is_untouched(course, *one.exercise)) return {};
    return lines_of("\n" + one.verdict.output);
}

Lines told_of(const Course& course, const std::vector<Graded>& graded) {
    const auto is_failure = [](const Graded& one) { return is_wrong(one.verdict); };
    const auto is_worse = [](const Graded& one) {
        return is_wrong(one.verdict) && one.verdict.outcome != other_method;
    };
    auto first = std::find_if(graded.begin(), graded.end(), is_worse);
    if (first == graded.end()) first = std::find_if(graded.begin(), graded.end(), is_failure);
    Lines lines;
    if (graded.size() > 1 || first == graded.end()) lines.push_back("");
    for (auto one = graded.begin(); one != graded.end(); ++one) {
        if (one == first) continue;
        for (const std::string& line : outcome_lines(one->verdict)) lines.push_back(line);
    }
    if (first == graded.end()) return lines;
    for (const std::string& line : verdict_lines(course, *first)) lines.push_back(line);
    return lines;
}

std::string state_in_words(const Standing& one) {
    switch (one.state) {
        case State::done:
            return kit::words::is_done();
        case State::other:
            return kit::words::is_right_by_another_method();
        case State::skipped:
            return kit::words::cannot_run_here();
        case State::open:
            return kit::words::is_open(one.task);
        case State::wrong:
            return kit::words::is_wrong();
        case State::broken:
            return kit::words::does_not_compile();
        case State::edited:
            return kit::words::was_edited();
        case State::ungraded:
            return kit::words::is_not_graded();
    }
    return "";
}

Lines entry(const char* label, const std::string& text) {
    return kit::wrapped("        " + kit::padded(label, 8) + on_one_line(text), 78, 16);
}

Lines next_lines(const Course& course, const Standing& next, bool just_told, const Look& look) {
    Lines lines = {"  " + look.paint("1", "Next: " + next.exercise->id()) +
                   (next.state == State::open ? ", " : " ") + state_in_words(next)};
    const auto add = [&](const char* label, const std::string& text) {
        for (const std::string& line : entry(label, text)) lines.push_back(line);
    };
    if (next.state == State::wrong && !just_told) add("wrong", next.what);
    if (next.state == State::other && !just_told) add("other", next.what);
    add("edit", next.edit);
    if (next.state == State::wrong) return lines;  // the verdict has already named the task
    for (const Task& task : section_of(course, *next.exercise).tasks) {
        if (task.number == next.task)
            add("task",
                "Task " + std::to_string(task.number) + (task.title.empty() ? "" : ": " + task.title));
    }
    return lines;
}

}  // namespace course
