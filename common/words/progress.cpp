// Sentences about a student's progress.
#include <words/progress.hpp>

namespace kit::words {

namespace {

std::string exercises_of(int count) {
    return std::to_string(count) + (count == 1 ? " exercise is" : " exercises are");
}

std::string in_backquotes(const std::string& path) {
    return "`" + path + "`";
}

/// Returns ", see Task 2 in `exercises/07_reduction/README.md`"; empty if the task is unknown.
std::string task_of(const NextStep& step) {
    return step.task > 0 ? ", see Task " + std::to_string(step.task) + " in " + in_backquotes(step.page) : "";
}

}  // namespace

std::string there_is_no_file(const std::string& file) {
    return "There is no file " + file +
           ". To restore the starter: cmake --build --preset exercises -t starters\n\n";
}

const char* no_file_to_grade() {
    return "no file to grade";
}

const char* file_is_unchanged() {
    return "TODO(1) is still open: the file is unchanged";
}

std::string compiler_says(const std::string& file, const std::string& errors) {
    return file + " does not compile. The compiler says:\n\n" + errors + "\n";
}

const char* compiler_warns() {
    return "The compiler warns:\n";
}

const char* does_not_compile() {
    return "does not compile";
}

std::string grader_does_not_build(const std::string& errors) {
    return "The build failed, so no exercise can be graded. The compiler says:\n\n" + errors + "\n";
}

std::string builds_the_grader(bool for_cpu) {
    return for_cpu ? "Building the CPU executor and the grader. This happens once and takes about half a "
                     "minute; later verdicts take seconds.\n"
                   : "Building the grader. This happens once; later verdicts take seconds.\n";
}

const char* stopped_before_judged() {
    return "stopped before it could be judged (time limit?)";
}

std::string ended_without_verdict(int status) {
    return "the program ended (" +
           (status > 128 ? "signal " + std::to_string(status - 128)
                         : "exit status " + std::to_string(status)) +
           ") without the grader's verdict";
}

std::string status_contradicts(const std::string& outcome, const std::string& sentence, int status) {
    return "the grader said \"" + outcome + ": " + sentence + "\", but the exit status is " +
           std::to_string(status);
}

std::vector<std::string> practise(int count, const std::string& kind, const std::string& page,
                                  const std::vector<std::string>& commands) {
    std::vector<std::string> lines = {
        "This is verdict " + std::to_string(count) + " of the kind \"" + kind + "\". Read " + page +
        (commands.empty() ? "." : ", and practise with bug hunts that have such a mistake:")};
    for (const std::string& command : commands) lines.push_back("  " + command);
    return lines;
}

const char* is_done() {
    return "is done";
}

const char* is_right_by_another_method() {
    return "is right, but not as the exercise asks";
}

const char* cannot_run_here() {
    return "cannot run here";
}

std::string is_open(int task) {
    return task > 0 ? "TODO(" + std::to_string(task) + ") is open" : "is open";
}

const char* is_wrong() {
    return "is wrong";
}

const char* was_edited() {
    return "was edited since it was graded";
}

const char* is_not_graded() {
    return "was not graded yet";
}

std::string exercises_are_open(int count) {
    return "The exit status is not 0: " + exercises_of(count) +
           " still open, and an open exercise is not done.";
}

std::string exercises_use_another_method(int count) {
    return "The exit status is not 0: " + exercises_of(count) +
           " right, but not as the exercise asks, which is not done.";
}

const char* nothing_left_here() {
    return "Nothing is left that this machine can grade.";
}

std::string all_are_done(int count) {
    return "All " + std::to_string(count) + " exercises are done.";
}

std::string no_test_has_this_name(const std::string& build) {
    return "No exercise was graded, because no test has such a name. A name looks like \"reduction.tree\":\n"
           "  ctest --test-dir " +
           build + " -N -L exercise";
}

std::string repair_the_build(const NextStep& step) {
    return "Edit " + in_backquotes(step.file) +
           ": fix the first error that the compiler reports, and compile again.";
}

std::string fill_the_gap(const NextStep& step) {
    const std::string number = std::to_string(step.task > 0 ? step.task : 1);
    return "Edit " + in_backquotes(step.file) + ": TODO(" + number + ") is still open; it is Task " + number +
           " in " + in_backquotes(step.page) + ".";
}

std::string correct_the_mistake(const NextStep& step) {
    return "Edit " + in_backquotes(step.file) + ": it is wrong" + task_of(step) + ".";
}

std::string use_the_method(const NextStep& step) {
    return "Edit " + in_backquotes(step.file) + ": it is right, but not as the exercise asks" +
           task_of(step) + ".";
}

std::string begin_with(const NextStep& step) {
    return "Start with " + in_backquotes(step.file) + ": do Task 1 in " + in_backquotes(step.page) + ".";
}

std::string hand_in(const NextStep& step) {
    return "Hand in " + in_backquotes(step.file) + ": start with Task 1 in " + in_backquotes(step.page) + ".";
}

std::string repair_the_hunt(const std::string& hunt) {
    return "Repair " + in_backquotes("exercises/hunts/" + hunt + ".cu") +
           ", and name the line and the kind of its mistake.";
}

const char* show_the_hunt() {
    return "This command shows the symptom, and the command with which you answer:";
}

std::string read_page(const std::string& page) {
    return "Read " + in_backquotes(page) + ".";
}

const char* grade_it_yourself() {
    return "Then grade it yourself:";
}

const char* wait_for_grading() {
    return "Wait for the rest of the grading.";
}

const char* nothing_was_graded() {
    return "Nothing was graded.";
}

const char* all_are_right() {
    return "All exercises are right. Well done!";
}

}  // namespace kit::words
