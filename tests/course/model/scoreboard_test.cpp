// Tests of the last screen: after all exercises, the scoreboard and the next step; after some exercises, the
// first failure.
#include <doctest/doctest.h>
#include <unistd.h>

#include "commands.hpp"
#include "judge.hpp"
#include "small_course.hpp"

namespace scoreboard_test {

using namespace course;

namespace {

/// Returns the output of command_scoreboard.
std::string printed(const Course& course) {
    std::fflush(stdout);
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    const int before = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    command_scoreboard(course, {});
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    std::rewind(file);
    std::string text;
    for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

/// A small course with three exercises, of which `graded` have just been graded.
struct Graded : course_test::SmallCourse {
    Course course;

    explicit Graded(const std::vector<std::string>& graded, const std::string& outcome = "wrong") {
        setenv("KIT_COLOR", "never", 1);
        course = SmallCourse::course();
        course.backend = "CPU";
        course.submitted = path / "exercises";
        course.exercises = {{"00_first", "start", {}}, {"00_first", "add", {}}, {"00_first", "end", {}}};
        for (const char* name : {"start", "add", "end"}) {
            write(std::string("exercises/00_first/") + name + ".cu", "int x;\n");
            write(std::string("solutions/00_first/") + name + ".cu", solution);
        }
        REQUIRE(
            command_begin(course, {}) <
            2);  // command_begin() also looks for the targets that exercises share, which do not exist here
        for (const std::string& name : graded) {
            Verdict verdict;
            verdict.test = "exercise.00_first." + name;
            verdict.outcome = outcome;
            verdict.sentence = "1 of 2 cases failed";
            verdict.again = "ctest";
            verdict.output = "WRONG  race on `tile` of " + name + "\nRESULT fail: 1 of 2 cases failed\n";
            CaseVerdict one;
            one.status = Status::fail, one.tasks = {1};
            one.fault = kit::facts::Fault::stated, one.sentence = "race on `tile`";
            one.at = {"exercises/00_first/" + name + ".cu", 7, ""};
            verdict.cases = {one};
            write_verdict(verdict_file(course, verdict.test), verdict);
        }
    }
};

}  // namespace

TEST_CASE("after one exercise: its verdict, and a hint for its task if the screen has room") {
    const Graded graded({"add"});
    std::string text = printed(graded.course);
    CHECK(contains(text, "WRONG  race on `tile` of add"));
    CHECK(contains(text, "Which element?"));
    CHECK(!contains(text, "Next: "));  // the verdict has said it
    CHECK(!contains(text, "CUDA course"));
    CHECK(!contains(text, "\033"));
    const fs::path file = verdict_file(graded.course, "exercise.00_first.add");
    Verdict verdict = *read_verdict(file);
    for (int i = 0; i < 18; ++i) verdict.output = "a line\n" + verdict.output;
    write_verdict(file, verdict);
    text = printed(graded.course);
    CHECK(contains(text, "WRONG  race on `tile` of add"));
    CHECK(!contains(text, "Which element?"));
    CHECK(lines_of(text).size() <= 23);
}

TEST_CASE("after several: the first failure in full, the others in a line") {
    const Graded graded({"add", "end"});
    const std::string text = printed(graded.course);
    CHECK(contains(text, "RESULT fail: 1 of 2 cases failed   exercise.00_first.end\n"));
    CHECK(contains(text, "WRONG  race on `tile` of add"));
    CHECK(!contains(text, "WRONG  race on `tile` of end"));
    CHECK(contains(text, "Next: 00_first/add is wrong"));
}

TEST_CASE("after one that is done: the one behind it is next") {
    const Graded graded({"add"}, "pass");
    const std::string text = printed(graded.course);
    CHECK(contains(text, "RESULT pass: 1 of 2 cases failed   exercise.00_first.add\n"));
    CHECK(contains(text, "Next: 00_first/end"));
    CHECK(contains(text, "        hunt    build/kit_course hunt first.add\n"));
}

TEST_CASE("after all: every verdict, the scoreboard, the first that is not done") {
    const Graded graded({"start", "add", "end"});
    const std::string text = printed(graded.course);
    for (const char* name : {"start", "add", "end"})
        CHECK(contains(text, std::string("WRONG  race on `tile` of ") + name));
    CHECK(contains(text, "CUDA course"));
    CHECK(contains(text, "Next: 00_first/start is wrong"));
    CHECK(contains(text, "wrong   race on `tile`"));
}

TEST_CASE("right, but not as the exercise asks: its own count, its own mark, and it comes last") {
    Graded graded({"start", "add", "end"});
    const auto set = [&](const std::string& name, const std::string& outcome) {
        const fs::path file = verdict_file(graded.course, "exercise.00_first." + name);
        Verdict verdict = *read_verdict(file);
        verdict.outcome = outcome;
        verdict.cases[0].status = outcome == other_method ? Status::other : Status::pass;
        verdict.cases[0].method = {"a tree", "you wrote a loop", "", 1};
        verdict.output = "OTHER  right results of " + name + "\nRESULT other: right in all 2 cases\n";
        write_verdict(file, verdict);
    };
    setenv("LC_ALL", "C", 1);  // without block characters
    set("start", other_method), set("add", "pass");
    const std::string text = printed(graded.course);
    CHECK(contains(text, "OTHER  right results of start"));
    CHECK(contains(text, "done  other  wrong  open\n"));
    CHECK(contains(text, "########~~~~~~~~xxxxxxxx      1      1      1     0\n"));
    CHECK(contains(text, "Next: 00_first/end is wrong"));
    set("end", "pass");
    const std::string after = printed(graded.course);
    CHECK(contains(after, "Next: 00_first/start is right, but not as the exercise asks"));
    CHECK(contains(after, "other   It practises a tree; you wrote a loop."));
    CHECK(contains(after, "exercises/00_first/start.cu:7"));
    CHECK(contains(after, "1 exercise is right, but not as the exercise asks, which is not done."));
    setenv("KIT_COLOR", "always", 1);
    const std::string coloured = printed(graded.course);
    CHECK(contains(coloured, "\033[36m      1\033[0m"));
    CHECK(!contains(coloured, "\033[31m"));
    CHECK(!contains(coloured, "\033[1;31m"));
    setenv("KIT_COLOR", "never", 1);
}

TEST_CASE(
    "after one that is right otherwise: it stays the next one, and a failure of another is shown instead") {
    const Graded graded({"add"}, other_method);
    CHECK(!contains(printed(graded.course), "Next: "));
    const Graded both({"add", "end"}, other_method);
    Verdict verdict = *read_verdict(verdict_file(both.course, "exercise.00_first.end"));
    verdict.outcome = "wrong";
    write_verdict(verdict_file(both.course, verdict.test), verdict);
    const std::string text = printed(both.course);
    CHECK(contains(text, "RESULT other: 1 of 2 cases failed   exercise.00_first.add\n"));
    CHECK(contains(text, "WRONG  race on `tile` of end"));
}

TEST_CASE("for each proof, how many of its tests ran") {
    const Graded graded({});
    graded.write("build/tests.txt", "quick kit.a\nfull kit.b\nquick cpu.c\nexercise exercise.00_first.add\n");
    const auto after = [&](const std::string& log) {
        graded.write("build/Testing/Temporary/LastTest.log.tmp", "Start testing: Nov 27\n" + log);
        return printed(graded.course);
    };
    const std::string kit = "1/2 Testing: kit.a\n1/2 Test: kit.a\nOutput:\nin \"x Testing: kit.b\"\n";
    CHECK(after(kit) == "quick proof: 1 of 2 tests ran\nfull proof: 1 of 3 tests ran\n");
    CHECK(after("1/1 Testing: kit.b\n") == "full proof: 1 of 3 tests ran\n");
    CHECK(after(kit + "2/2 Testing: cpu.c\nOutput:\n" + kept_verdict + "\n") ==
          "quick proof: 1 of 2 tests ran, and 1 has not changed since it passed\n"
          "full proof: 1 of 3 tests ran, and 1 has not changed since it passed\n");
    CHECK(after("1/1 Testing: exercise.00_first.add\n").empty());
    CHECK(contains(after(""), "No exercise was graded"));
}

}  // namespace scoreboard_test
