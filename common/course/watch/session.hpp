// The decisions of `watch`: from keys, saves and verdicts to the screen and the next action. Terminal, process and clock are in the
// loop (watch.cpp), which calls these functions.
#pragma once

#include "telling.hpp"

namespace course {

class Session {
  public:
    /// The next action: end the run, if there is one, and grade `exercise()`; or end the program.
    enum class Do { nothing, grade, quit };

    /// Starts with this exercise. Without one, starts where the student stopped: with the first exercise that is begun but not done, or
    /// otherwise with the first that is not begun. It must be graded.
    Session(const Course& course, const Exercise* exercise);

    Do press(int key);
    Do saved();
    void graded(const std::vector<Graded>& graded, const std::string& said);
    /// Shows a message until the next key or save.
    void note(const std::string& text) { note_ = text; }
    /// Shows, during the grading, how long it has run, and what it has printed.
    void wait(int seconds, const std::string& said);

    const Exercise& exercise() const { return *standing().exercise; }
    const Standing& standing() const { return standings_[current_]; }
    bool is_grading() const { return grading_; }
    bool is_done() const { return !grading_ && standing().state == State::done; }
    const std::vector<Standing>& standings() const { return standings_; }
    const std::string& note() const { return note_; }

    /// The list of exercises is shown; the marked one is `marked()`.
    bool in_list() const { return in_list_; }
    std::size_t marked() const { return marked_; }

    /// Returns the whole text between the first line and the last, `columns` wide.
    Lines body(int columns) const;
    /// Returns the first line of the text that is shown, if this many lines fit.
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
    std::size_t current_ = 0;
    bool grading_ = true;
    int seconds_ = 0;
    Lines said_;     ///< output of ctest during the grading
    Lines verdict_;  ///< the verdict afterwards
    std::string note_;

    int hint_task_ = 0, hint_ = 0;  ///< the last hint that was shown, counted from 1
    bool hint_shown_ = false;

    bool in_list_ = false;
    std::size_t marked_ = 0;
    std::string digits_;  ///< digits typed in the list

    mutable int top_ = 0;  ///< requested first line; limited once it was shown
};

}  // namespace course
