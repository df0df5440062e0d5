// The state of `watch`: turns keys, saves and verdicts into the screen and the next action. The loop
// (watch.cpp) calls these functions, and handles terminal, processes and time.
#pragma once

#include "telling.hpp"

namespace course {

class Session {
  public:
    /// The next action: stop the current run, if any, and grade `exercise()`; or end the program.
    enum class Do { nothing, grade, quit };

    /// Starts with this exercise. Without an exercise (null), starts where the student stopped: at the first
    /// exercise that was begun and is not done, or otherwise at the first that was not begun. The caller must
    /// then grade this exercise.
    Session(const Course& course, const Exercise* exercise);

    Do press(int key);
    /// Returns the files that belong to an exercise, and whose folder exists.
    std::set<fs::path> files();
    /// Goes to the exercise to which the saved files belong. If several were saved, the current one stays if it is
    /// one of them; otherwise the last one counts. Files that belong to no exercise change nothing.
    Do saved(const std::vector<fs::path>& files);
    void graded(const std::vector<Graded>& graded, const std::string& said);
    /// Shows a message until the next key press or save.
    void note(const std::string& text) { note_ = text; }
    /// Shows, during the grading, how long it has taken and what was printed.
    void wait(int seconds, const std::string& said);

    const Exercise& exercise() const { return *standing().exercise; }
    const Standing& standing() const { return standings_[current_]; }
    bool is_grading() const { return grading_; }
    bool is_done() const { return !grading_ && standing().state == State::done; }
    const std::vector<Standing>& standings() const { return standings_; }
    const std::string& note() const { return note_; }

    /// Returns whether the list of exercises is shown; `marked()` is the selected one.
    bool in_list() const { return in_list_; }
    std::size_t marked() const { return marked_; }

    /// Returns the whole text of the body, which is between the first and the last line, for this number of
    /// columns.
    Lines body(int columns) const;
    /// Returns the first line of the body to show, if `fitting` of its `lines` lines fit on the screen.
    int top(int lines, int fitting) const;

  private:
    Do go_to(std::size_t index);
    Do go_on();
    Do press_in_list(int key);
    void show_hint();
    int task() const;
    void add_passed(Lines& lines) const;
    void add_hint(Lines& lines) const;
    Lines list() const;

    const Course& course_;
    std::vector<Standing> standings_;
    std::vector<std::set<fs::path>> files_;  ///< for each standing, the files of its exercise
    std::size_t current_ = 0;
    bool grading_ = true;
    int seconds_ = 0;
    Lines said_;     ///< output of ctest during the grading
    Lines verdict_;  ///< verdict after the grading
    std::string note_;
    int open_hunts_ = 0;  ///< number of bug hunts in this exercise, which is done, that are not solved

    int hint_task_ = 0, hint_ = 0;  ///< task and number of the last hint that was shown, counted from 1
    bool hint_shown_ = false;

    bool in_list_ = false;
    std::size_t marked_ = 0;
    std::string digits_;  ///< digits that were typed in the list

    mutable int top_ = 0;  ///< first line that was requested; corrected when the body has been shown
};

}  // namespace course
