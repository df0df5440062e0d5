// Tests `kit_course watch` in a terminal: the screens after saves and keys, and the state in which it leaves
// the terminal.
#include <doctest/doctest.h>

#include "watched_course.hpp"
#include "watched_terminal.hpp"

namespace watch_test {

using namespace course;
using course_test::WatchedCourse;
using course_test::WatchedTerminal;

namespace {

/// `watch` at the exercise "add", which is wrong.
struct RunningWatch : WatchedCourse {
    WatchedTerminal terminal;

    explicit RunningWatch(const std::string& exercise = "00_first/add", bool shell = false)
        : terminal((write(submitted("add"), "race\n"), path / "course.txt"), exercise, shell) {
        REQUIRE(terminal.shows("WRONG  race on `tile`"));
    }
    std::size_t runs() const { return lines_of(read("calls")).size(); }
    std::string outcome(const std::string& name) const {
        const auto verdict = read_verdict(verdict_file(course, "exercise.00_first." + name));
        return verdict ? verdict->outcome : "none";
    }
    /// Returns the process for which a slow run waits.
    pid_t sleeper() const {
        for (int i = 0; i < 500 && !fs::exists(path / "sleeper"); ++i) usleep(10000);
        return number_of(trimmed(read("sleeper")));
    }
};

bool is_alive(pid_t process) {
    const std::string status = read_text_if_there("/proc/" + std::to_string(process) + "/stat");
    return !status.empty() &&
           !contains(status, ") Z");  // the process may be a zombie, if its parent has not waited for it
}

}  // namespace

TEST_CASE("a wrong save, hints, a right save, and what is next") {
    RunningWatch watched;
    WatchedTerminal& terminal = watched.terminal;
    CHECK(watched.read("calls") == "add 80 1\n");
    CHECK(terminal.is_on_other_screen());
    CHECK(!terminal.has_modes_of_before());
    terminal.type("h");
    CHECK(terminal.shows("Who waits for whom?"));
    terminal.type("h");
    CHECK(terminal.shows("Look at the barrier."));
    watched.save_in_place("add", "right\n");
    CHECK(terminal.shows("RESULT pass: 2 of 2 cases"));
    CHECK(terminal.shows("  2.  Why not zero?"));
    CHECK(terminal.shows("Next: 00_first/subtract"));
    terminal.type("n");
    CHECK(terminal.shows("00_first/subtract TODO(1) is open"));
    watched.save_in_place("subtract", "race\n");
    CHECK(terminal.shows("00_first/subtract is wrong"));
    terminal.type("q");
    CHECK(terminal.ended() == 0);
    CHECK(!terminal.is_on_other_screen());
    CHECK(terminal.has_modes_of_before());
    CHECK(terminal.says("00_first/subtract is wrong\r\n"));
    CHECK(watched.runs() == 4);
}

TEST_CASE("saves by another name, in bursts, and of headers; other files are none") {
    RunningWatch watched("");  // starts where the student stopped
    WatchedTerminal& terminal = watched.terminal;
    const fs::path file = watched.path / watched.submitted("add");
    for (int i = 0; i < 20; ++i) {
        watched.save_in_place("add", "race " + std::to_string(i) + "\n");
        watched.write(watched.submitted("add"), "#include \"add.hpp\"\nright\n");
    }
    CHECK(terminal.shows("RESULT pass"));
    terminal.look(500);
    // There is one run for the whole burst; on a busy machine, where the burst itself may pause, there are a
    // few.
    const std::size_t after_burst = watched.runs();
    CHECK(after_burst >= 2);
    CHECK(after_burst <= 6);
    watched.write("submitted/00_first/other.cu", "x");
    watched.write("submitted/00_first/add.cu~", "x");
    terminal.look(300);
    CHECK(watched.runs() == after_burst);
    watched.write("submitted/00_first/add.hpp", "x");  // a header that was missing when it was first included
    watched.write(watched.submitted("add"), "#include \"add.hpp\"\nrace\n");
    CHECK(terminal.shows("WRONG"));
    terminal.look(300);
    const std::size_t before_header = watched.runs();
    watched.write("submitted/00_first/add.hpp", "y");
    CHECK(terminal.waits_for(30, [&] { return watched.runs() == before_header + 1; }));
    CHECK(terminal.shows("WRONG"));
}

TEST_CASE("a save of another exercise leads there, and an exercise can be missing") {
    RunningWatch watched;
    WatchedTerminal& terminal = watched.terminal;
    watched.write(watched.submitted("subtract"), "right\n");
    CHECK(terminal.shows("00_first/subtract"));
    CHECK(terminal.shows("RESULT pass"));
    CHECK(watched.outcome("subtract") == "pass");
    fs::remove(watched.file("subtract"));
    watched.save_in_place("add", "right\n");
    CHECK(terminal.waits_for(30, [&] { return watched.outcome("add") == "pass"; }));
    watched.save_in_place("subtract", "race\n");
    CHECK(terminal.shows("WRONG"));
    CHECK(watched.outcome("subtract") == "wrong");
}

TEST_CASE("a save or another exercise ends a run, with all that it has started") {
    RunningWatch watched;
    WatchedTerminal& terminal = watched.terminal;
    watched.save_in_place("add", "slow race\n");
    CHECK(terminal.shows("Building and grading"));
    const pid_t first = watched.sleeper();
    REQUIRE(is_alive(first));
    CHECK(watched.outcome("add") == "wrong");
    fs::remove(watched.path / "sleeper");
    watched.save_in_place("add", "right\n");
    CHECK(terminal.shows("RESULT pass"));
    CHECK(!is_alive(first));
    // After an interrupted run, the earlier verdict is shown again.
    watched.save_in_place("add", "slow race\n");
    const pid_t second = watched.sleeper();
    REQUIRE(is_alive(second));
    CHECK(watched.outcome("add") == "wrong");  // the earlier verdict, not "stopped"
    terminal.type("n");
    CHECK(terminal.shows("00_first/subtract TODO(1) is open"));
    CHECK(!is_alive(second));
    CHECK(watched.outcome("add") == "pass");
    terminal.type("p");
    CHECK(terminal.shows("add.cu ... 1 s"));  // the run shows its progress
    terminal.type("q");
    CHECK(terminal.ended() == 0);
    CHECK(watched.outcome("add") == "pass");
}

TEST_CASE("a run that ends without a verdict") {
    RunningWatch watched;
    watched.write("bin/ctest", "#!/bin/sh\necho no room on the disk\nkill -9 $$\n");
    fs::permissions(watched.path / "bin/ctest", fs::perms::owner_all);
    watched.terminal.type("r");
    CHECK(watched.terminal.shows("There is no verdict. ctest says:\n\nno room on the disk\n"));
}

TEST_CASE("the list, another size, and a folder that is gone") {
    RunningWatch watched;
    WatchedTerminal& terminal = watched.terminal;
    terminal.type("l");
    CHECK(terminal.shows(">   2  wrong   00_first/add"));
    terminal.type("\033[B");
    CHECK(terminal.shows(">   3  -       00_first/subtract"));
    terminal.type("\033");
    CHECK(terminal.shows("WRONG"));
    terminal.resize(100, 40);
    CHECK(terminal.waits_for(30, [&] { return lines_of(terminal.screen()).size() == 40; }));
    fs::remove_all(watched.path / "submitted/00_first");
    CHECK(terminal.shows("The folder of this exercise was removed or moved."));
    watched.write(watched.submitted("add"), "right\n");
    terminal.type("r");
    CHECK(terminal.shows("RESULT pass"));
}

TEST_CASE("the terminal is given back, however it ends") {
    for (const std::string how : {"\003", "\004", "TERM", "INT", "ABRT"}) {
        RunningWatch watched;
        if (how.size() == 1)
            watched.terminal.type(how);
        else
            watched.terminal.send(how == "TERM" ? SIGTERM : how == "INT" ? SIGINT : SIGABRT);
        CHECK(watched.terminal.ended() == (how.size() == 1 ? 0
                                           : how == "TERM" ? 143
                                           : how == "INT"  ? 130
                                                           : 134));
        CHECK(watched.terminal.has_modes_of_before());
        CHECK(!watched.terminal.is_on_other_screen());
    }
}

TEST_CASE("it can be stopped, and goes on") {
    RunningWatch watched("00_first/add", true);
    watched.terminal.type("\032");
    CHECK(watched.terminal.says("stopped"));
    CHECK(watched.terminal.has_modes_of_before());
    CHECK(!watched.terminal.is_on_other_screen());
    watched.terminal.type("\n");
    CHECK(watched.terminal.waits_for(30, [&] { return watched.terminal.is_on_other_screen(); }));
    CHECK(!watched.terminal.has_modes_of_before());
    watched.terminal.type("h");
    CHECK(watched.terminal.shows("Who waits for whom?"));
    watched.terminal.type("q");
    CHECK(watched.terminal.ended() == 0);
    CHECK(watched.terminal.has_modes_of_before());
}

TEST_CASE("where there is nobody to go on with it, it does not stop") {
    RunningWatch watched;
    watched.terminal.type("\032");
    watched.terminal.look(200);
    CHECK(watched.terminal.is_on_other_screen());
    CHECK(!watched.terminal.has_modes_of_before());
    watched.terminal.type("h");
    CHECK(watched.terminal.shows("Who waits for whom?"));
}

TEST_CASE("what is refused") {
    const WatchedCourse files;
    const std::string list = (files.path / "course.txt").string();
    Run refused = run({KIT_COURSE_PROGRAM, "--course", list, "watch", "add"});
    CHECK(refused.status == 2);
    CHECK(begins_with(refused.output, "watch needs a terminal. Without one, use: ctest "));
    refused = run({KIT_COURSE_PROGRAM, "--course", list, "watch", "00_first/substract"});
    CHECK(refused.status == 1);
    CHECK(refused.output == "no exercise 00_first/substract: did you mean 00_first/subtract?\n");
    refused = run({KIT_COURSE_PROGRAM, "--course", list, "watch"}, {{"KIT_EXERCISE", "ad"}});
    CHECK(refused.output == "no exercise ad: did you mean 00_first/add?\n");
}

// Uses the build of broken_exercise_test.sh: KIT_WATCHED is the list of its course, and KIT_WATCHED_WRONG and
// KIT_WATCHED_RIGHT are two files for the exercise 00_first_kernel/vector_add.
TEST_CASE("a real exercise" * doctest::skip(!std::getenv("KIT_WATCHED"))) {
    const Course course = Course::read(std::getenv("KIT_WATCHED"));
    const fs::path file = submitted_file(course, course.named("vector_add"));
    write_text(file, read_text(std::getenv("KIT_WATCHED_WRONG")));
    WatchedTerminal terminal(std::getenv("KIT_WATCHED"), "vector_add");
    CHECK(terminal.shows("only the last element", 60));
    write_text(file, read_text(std::getenv("KIT_WATCHED_RIGHT")));
    CHECK(terminal.shows("RESULT pass: ", 60));
    CHECK(terminal.shows("Explain"));
}

}  // namespace watch_test
