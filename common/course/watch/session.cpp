#include "watch/session.hpp"

#include <algorithm>
#include <text_layout.hpp>

#include "hunts.hpp"
#include "judge.hpp"
#include "regions.hpp"
#include "source.hpp"
#include "watch/changes.hpp"
#include "watch/keys.hpp"

namespace course {

namespace {

constexpr int far_down = 1 << 20, page = 10;

bool is_begun(const Course& course, const Standing& one) {
    return is_to_do(one) && fs::exists(submitted_file(course, *one.exercise)) &&
           !is_untouched(course, *one.exercise);
}

const char* word_of(const Standing& one) {
    switch (one.state) {
        case State::done:
            return "done";
        case State::other:
            return "other";
        case State::skipped:
            return "skipped";
        case State::open:
            return "open";
        case State::wrong:
            return "wrong";
        case State::broken:
            return "broken";
        case State::edited:
            return "edited";
        case State::ungraded:
            return "-";
    }
    return "";
}

}  // namespace

Session::Session(const Course& course, const Exercise* exercise)
    : course_(course), standings_(all_standings(course)) {
    if (standings_.empty()) throw Error("this build folder grades no exercise");
    const auto begun = std::find_if(standings_.begin(), standings_.end(),
                                    [&](const Standing& one) { return is_begun(course, one); });
    const Standing* first = begun != standings_.end() ? &*begun : next_to_do(standings_, nullptr);
    if (!exercise && first) exercise = first->exercise;
    for (std::size_t i = 0; i < standings_.size(); ++i) {
        if (standings_[i].exercise == exercise) current_ = i;
    }
    files();
}

std::set<fs::path> Session::files() {
    std::set<fs::path> all;
    files_.clear();
    for (std::size_t i = 0; i < standings_.size(); ++i) {
        files_.push_back(files_of(submitted_file(course_, *standings_[i].exercise)));
        for (const fs::path& file : files_[i])
            if (i == current_ || fs::exists(file.parent_path())) all.insert(file);
    }
    return all;
}

Session::Do Session::saved(const std::vector<fs::path>& files) {
    const auto has = [&](const fs::path& file) {
        return [&](const std::set<fs::path>& of_exercise) { return of_exercise.count(file) > 0; };
    };
    auto next = files_.end();
    for (const fs::path& file : files) {
        const auto current = files_.begin() + static_cast<std::ptrdiff_t>(current_);
        const auto first = std::find_if(files_.begin(), files_.end(), has(file));
        if (first != files_.end()) next = has(file)(*current) ? current : first;
        if (next == current) break;
    }
    if (next == files_.end()) return Do::nothing;
    in_list_ = false;
    return go_to(static_cast<std::size_t>(next - files_.begin()));
}

/// Goes to an exercise. If this is the current exercise, grades it again.
Session::Do Session::go_to(std::size_t index) {
    if (index != current_) hint_ = 0;
    current_ = index;
    grading_ = true;
    hint_shown_ = false;
    note_.clear();
    seconds_ = top_ = 0;
    said_.clear();
    return Do::grade;
}

void Session::wait(int seconds, const std::string& said) {
    seconds_ = seconds;
    said_ = lines_of(said);
}

void Session::graded(const std::vector<Graded>& graded, const std::string& said) {
    grading_ = false;
    standings_ = all_standings(course_);  // includes an exercise that the student left while it was being
                                          // graded
    verdict_ =
        graded.empty() ? lines_of("There is no verdict. ctest says:\n\n" + said) : told_of(course_, graded);
    while (!verdict_.empty() && verdict_[0].empty()) verdict_.erase(verdict_.begin());
    open_hunts_ = is_done() ? open_hunts_of(course_, exercise()) : 0;
}

// Handling of keys.

Session::Do Session::press(int key) {
    note_.clear();
    if (key == 'q' || key == control('c') || key == control('d') || key == control('\\')) return Do::quit;
    if (in_list_) return press_in_list(key);
    switch (key) {
        case 'h':
            show_hint();
            break;
        case 'l':
            in_list_ = true;
            marked_ = current_;
            digits_.clear();
            if (!grading_) standings_ = all_standings(course_);
            break;
        case 'n':
            return go_on();
        case 'p':
            if (current_ > 0) return go_to(current_ - 1);
            note_ = "This is the first exercise.";
            break;
        case 'r':
            return go_to(current_);
        case key_up:
            top_ -= 1;
            break;
        case key_down:
            top_ += 1;
            break;
        case key_page_up:
            top_ -= page;
            break;
        case key_page_down:
        case ' ':
            top_ += page;
            break;
        case key_home:
            top_ = 0;
            break;
        case key_end:
            top_ = far_down;
            break;
    }
    return Do::nothing;
}

/// Goes to the exercise that the screen announces; if there is none, to the next one.
Session::Do Session::go_on() {
    const Standing* next = is_done() ? next_to_do(standings_, &exercise()) : nullptr;
    if (next) return go_to(static_cast<std::size_t>(next - standings_.data()));
    if (current_ + 1 < standings_.size()) return go_to(current_ + 1);
    note_ = "This is the last exercise.";
    return Do::nothing;
}

Session::Do Session::press_in_list(int key) {
    const int last = static_cast<int>(standings_.size()) - 1;
    int mark = static_cast<int>(marked_);
    const bool digit = key >= '0' && key <= '9';
    if (!digit) digits_.clear();
    if (digit) {
        if (digits_.size() > 3) digits_.clear();
        digits_ += static_cast<char>(key);
        mark = number_of(digits_) - 1;
    }
    switch (key) {
        case 'l':
        case key_escape:
            in_list_ = false;
            break;
        case key_enter:
            in_list_ = false;
            return marked_ == current_ ? Do::nothing : go_to(marked_);
        case key_up:
            --mark;
            break;
        case key_down:
            ++mark;
            break;
        case key_page_up:
            mark -= page;
            break;
        case key_page_down:
        case ' ':
            mark += page;
            break;
        case key_home:
            mark = 0;
            break;
        case key_end:
            mark = last;
            break;
    }
    marked_ = static_cast<std::size_t>(std::clamp(mark, 0, last));
    return Do::nothing;
}

/// Returns the task that the verdict names; if it names none, the first open task, or the first task.
int Session::task() const {
    if (standing().task > 0) return standing().task;
    const fs::path file = submitted_file(course_, exercise());
    const std::set<int> gaps = fs::exists(file) ? Source(file).gaps() : std::set<int>();
    return gaps.empty() ? 1 : *gaps.begin();
}

void Session::show_hint() {
    if (is_done()) {
        note_ = "The exercise is done, so there is no hint.";
        return;
    }
    const int wanted = task();
    for (const Task& one : section_of(course_, exercise()).tasks) {
        if (one.number != wanted || one.hints.empty()) continue;
        if (hint_ == 0 || hint_task_ != wanted) hint_ = 0, hint_task_ = wanted;
        hint_ = hint_ % static_cast<int>(one.hints.size()) + 1;
        hint_shown_ = true;
        top_ = far_down;
        return;
    }
    note_ = "Task " + std::to_string(wanted) + " has no hints.";
}

// Contents of the screen.

Lines Session::body(int columns) const {
    if (in_list_) return list();
    const std::string file = course_.shown(submitted_file(course_, exercise()));
    Lines lines;
    if (grading_) {
        lines = {"Building and grading " + file + " ..." +
                 (seconds_ > 0 ? " " + std::to_string(seconds_) + " s" : "")};
        if (!said_.empty()) lines.push_back("");
        lines.insert(lines.end(), said_.begin(), said_.end());
    } else if (!verdict_.empty()) {
        lines = verdict_;
    } else {  // the student has not edited the file
        lines = next_lines(course_, standing(), true, Look::plain());
        lines[0] = "Edit the file and save it. Saving builds and grades the exercise.";
        for (const std::string& line : entry("more", exercise().tasks().string() + "#" + exercise().name))
            lines.push_back(line);
    }
    if (is_done()) add_passed(lines);
    if (hint_shown_) add_hint(lines);
    Lines fitting;
    for (const std::string& line : lines) {
        for (const std::string& part : kit::wrapped(line, columns)) fitting.push_back(part);
    }
    return fitting;
}

void Session::add_passed(Lines& lines) const {
    const Lines questions = section_of(course_, exercise()).explain;
    if (!questions.empty()) lines.insert(lines.end(), {"", "Explain"});
    for (std::size_t i = 0; i < questions.size(); ++i)
        lines.push_back("  " + std::to_string(i + 1) + ".  " + questions[i]);
    if (open_hunts_ > 0)
        lines.insert(lines.end(), {"", sentence(open_hunts_, " bug hunt", open_hunts_ == 1 ? "" : "s",
                                                " in this exercise:  ", course_.shown(course_.build),
                                                "/kit_course hunt ", exercise().short_name())});
    lines.push_back("");
    const Standing* next = next_to_do(standings_, &exercise());
    if (!next) {
        lines.push_back("All exercises that this machine can grade are done.");
        return;
    }
    for (const std::string& line : next_lines(course_, *next, false, Look::plain())) lines.push_back(line);
    lines.push_back("        n goes there");
}

void Session::add_hint(Lines& lines) const {
    for (const Task& one : section_of(course_, exercise()).tasks) {
        if (one.number != hint_task_ || hint_ > static_cast<int>(one.hints.size())) continue;
        const Task::Hint& hint = one.hints[static_cast<std::size_t>(hint_) - 1];
        lines.push_back("");
        const std::string kind = hint.heading.substr(std::min(hint.heading.find(" ("), hint.heading.size()));
        lines.push_back("Hint " + std::to_string(hint_) + " of " + std::to_string(one.hints.size()) + kind +
                        ", Task " + std::to_string(one.number) +
                        (one.title.empty() ? "" : ", \"" + one.title + "\""));
        for (const std::string& line : hint.lines) lines.push_back("    " + line);
    }
}

Lines Session::list() const {
    Lines lines;
    for (std::size_t i = 0; i < standings_.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        lines.push_back((i == marked_ ? "> " : "  ") +
                        std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + "  " +
                        kit::padded(word_of(standings_[i]), 8) + standings_[i].exercise->id());
    }
    return lines;
}

int Session::top(int lines, int fitting) const {
    if (in_list_) return std::clamp(static_cast<int>(marked_) - fitting / 2, 0, std::max(lines - fitting, 0));
    return top_ = std::clamp(top_, 0, std::max(lines - fitting, 0));
}

}  // namespace course
