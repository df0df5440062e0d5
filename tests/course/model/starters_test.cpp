// Tests that starters are written to exercises/, and that a student's work is never lost.
#include "starters.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "author_commands.hpp"
#include "small_course.hpp"

namespace starters_test {

using namespace course;
using course_test::error_of;
using course_test::SmallCourse;
using course_test::solution_file;
using course_test::starter_file;

namespace {

/// Commits everything with git. Returns false if git is not installed.
bool commit(const SmallCourse& small) {
    const std::string git = "git -C '" + small.path.string() + "' -c user.name=a -c user.email=b@c ";
    return std::system(
               (git + "init -q 2>/dev/null && " + git + "add . && " + git + "commit -qm x").c_str()) == 0;
}

}  // namespace

TEST_CASE("a missing starter is made, and one that is right stays") {
    const SmallCourse small;
    const Course course = small.course();
    const std::string made = small.read(starter_file);
    CHECK(put_starter(course, course.exercises[0]) == Put::unchanged);
    fs::remove(small.path / starter_file);
    CHECK(put_starter(course, course.exercises[0]) == Put::made);
    CHECK(small.read(starter_file) == made);
}

TEST_CASE("a starter that the tool wrote is renewed, time and again") {
    const SmallCourse small;
    const Course course = small.course();
    CHECK(put_starter(course, course.exercises[0]) == Put::unchanged);
    for (int time = 0; time < 2; ++time) {
        small.change(solution_file, "Add", "Add, add");
        CHECK(put_starter(course, course.exercises[0]) == Put::renewed);
    }
    CHECK(contains(small.read(starter_file), "TODO(1): Add, add, add."));
}

TEST_CASE("what somebody has written stays, with and without git") {
    for (const bool with_git : {false, true}) {
        const SmallCourse small;
        const Course course = small.course();
        put_starter(course, course.exercises[0]);
        small.change(starter_file, "KIT_TODO(1);", "mine();");
        const std::string mine = small.read(starter_file);
        if (with_git && !commit(small)) continue;  // work that is committed counts as well
        CHECK(put_starter(course, course.exercises[0]) == Put::kept);
        small.change(solution_file, "Add.", "Add both.");
        CHECK(put_starter(course, course.exercises[0]) == Put::kept);
        CHECK(small.read(starter_file) == mine);
    }
}

TEST_CASE("a starter that a committed solution makes is renewed in a fresh build folder") {
    const SmallCourse small;
    const Course course = small.course();
    const bool with_git = commit(small);
    small.change(solution_file, "Add.", "Add both.");
    CHECK(put_starter(course, course.exercises[0]) == (with_git ? Put::renewed : Put::kept));
}

TEST_CASE("an outdated starter that nobody can vouch for stays") {
    const SmallCourse small;
    const Course course = small.course();
    small.change(solution_file, "Add.", "Add both.");
    CHECK(put_starter(course, course.exercises[0]) == Put::kept);
}

TEST_CASE("by name it is replaced, once, and a copy stays") {
    const SmallCourse small;
    const Course course = small.course();
    small.change(starter_file, "KIT_TODO(1);", "mine();");
    const std::string mine = small.read(starter_file);
    CHECK(force_starter(course, course.exercises[0]) == starter_file + ".mine");
    CHECK(small.read(starter_file + ".mine") == mine);
    CHECK(contains(small.read(starter_file), "KIT_TODO(1);"));
    small.change(starter_file, "KIT_TODO(1);", "more();");
    CHECK(contains(error_of([&] { force_starter(course, course.exercises[0]); }), "is there already"));
    CHECK(contains(small.read(starter_file), "more();"));
}

TEST_CASE("a solution with wrong marks touches nothing") {
    const SmallCourse small;
    const Course course = small.course();
    small.change(solution_file, "END SOLUTION 1", "END SOLUTION 2");
    const std::string before = small.read(starter_file);
    CHECK(error_of([&] { put_starter(course, course.exercises[0]); }) ==
          "solutions/00_first/add.cu:15: error: region 1 ends as 2");
    CHECK(small.read(starter_file) == before);
}

TEST_CASE("the command says what was kept, how to go on, and renews the others") {
    const SmallCourse small;
    Course course = small.course();
    course.exercises.push_back({"00_first", "sub", {}});
    small.write("solutions/00_first/sub.cu", SmallCourse::solution);
    small.change(starter_file, "KIT_TODO(1);", "mine();");
    CHECK(advice_on_kept(course, course.exercises[0]) ==
          "exercises/00_first/add.cu: kept, because it contains work: it differs from every starter that was "
          "generated before. To replace it and keep a copy as add.cu.mine: build/kit_author starters --force "
          "00_first/add");
    CHECK(command_starters(course, {}) == 1);
    CHECK(contains(small.read(starter_file), "mine();"));
    CHECK(contains(small.read("exercises/00_first/sub.cu"), "KIT_TODO(1);"));
    CHECK(command_starters(course, {"--force", "00_first/add"}) == 0);
    CHECK(command_starters(course, {}) == 0);
    CHECK(contains(small.read(starter_file + ".mine"), "mine();"));
    CHECK(command_starters(course, {"add"}) == 2);
    CHECK(contains(error_of([&] { command_starters(course, {"--force", "add"}); }), "write TOPIC/NAME"));
}

}  // namespace starters_test
