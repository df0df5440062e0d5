// Sentences about a student's progress: the state of an exercise, and what to do next. The judge, the
// scoreboard, watch and the class grader print them.
#pragma once

#include <string>
#include <vector>

namespace kit::words {

// Before the grader runs.

/// `file` is the student's file, as the student should see its path.
std::string there_is_no_file(const std::string& file);
const char* no_file_to_grade();
const char* file_is_unchanged();
std::string compiler_says(const std::string& file, const std::string& errors);
const char* compiler_warns();
const char* does_not_compile();
std::string grader_does_not_build(const std::string& errors);
/// Returns the line that announces the first build, which takes half a minute on the CPU backend.
std::string builds_the_grader(bool for_cpu);

// After a run.

const char* stopped_before_judged();
/// `status` is the exit status of the shell, so a number above 128 means a signal.
std::string ended_without_verdict(int status);
std::string status_contradicts(const std::string& outcome, const std::string& sentence, int status);

/// Returns what a student should practise after `count` verdicts of the same kind, such as "race": the page about
/// the kind, and the commands that give bug hunts.
std::vector<std::string> practise(int count, const std::string& kind, const std::string& page,
                                  const std::vector<std::string>& commands);

// The state of an exercise, as the end of a sentence whose subject is the exercise.

const char* is_done();
const char* is_right_by_another_method();
const char* cannot_run_here();
/// `task` is 0 if the number of the open task is unknown.
std::string is_open(int task);
const char* is_wrong();
const char* was_edited();
const char* is_not_graded();

// The end of a scoreboard.

std::string exercises_are_open(int count);
std::string exercises_use_another_method(int count);
const char* nothing_left_here();
std::string all_are_done(int count);
/// `build` is the folder of the build.
std::string no_test_has_this_name(const std::string& build);

// The next step in the feedback of a class. Paths are between backquotes.

/// The file to edit, the page of the tasks, and the number of the task; 0 if it is unknown.
struct NextStep {
    std::string file, page;
    int task = 0;
};

std::string repair_the_build(const NextStep& step);
std::string fill_the_gap(const NextStep& step);
std::string correct_the_mistake(const NextStep& step);
std::string use_the_method(const NextStep& step);
std::string begin_with(const NextStep& step);
std::string hand_in(const NextStep& step);
/// `hunt` is the name of a bug hunt.
std::string repair_the_hunt(const std::string& hunt);
const char* show_the_hunt();
std::string read_page(const std::string& page);
const char* grade_it_yourself();
const char* wait_for_grading();
const char* nothing_was_graded();
const char* all_are_right();

}  // namespace kit::words
