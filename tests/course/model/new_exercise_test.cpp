// Tests of new_exercise: it creates the files, adds the exercise to the lists of its topic, and does not
// overwrite files.
#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "rules.hpp"
#include "small_course.hpp"

namespace new_exercise_test {

using namespace course;
using course_test::error_of;
using course_test::SmallCourse;
using course_test::solution_file;

TEST_CASE("what is made keeps every rule, but says what is still to be written") {
    const SmallCourse small;
    CHECK(new_exercise(small.course(), "00_first", "sub").size() == 8);
    const Course course = small.course();
    for (const Rule& rule : rules) {
        const std::string said = joined(complaints_of(rule, course), "\n");
        INFO(std::string(rule.name));
        if (std::string(rule.name) == "submissions")
            CHECK(contains(said, "0 wrong submissions"));
        else if (std::string(rule.name) == "files")
            for (const char* place : {"sub.cu:1: still to be written: what the student writes.",
                                      "manifest.txt:5: still to be written: what the student writes"})
                CHECK(contains(said, place));
        else if (std::string(rule.name) == "plan")
            CHECK(contains(said, "the row of 00_first does not name `sub`"));
        else
            CHECK(said == "");
    }
    CHECK(
        contains(small.read(manifest), "exercise add a sum\nexercise sub WRITE: what the student writes\n"));
    CHECK(contains(small.read("README.md"), "| x | `add`, `sub` |\n"));
    const std::string purpose = "WRITE: what the student writes";
    CHECK(contains(small.read("exercises/00_first/README.md"),
                   "[add](#add) | a sum | 1 line |\n| [sub](#sub) | " + purpose + " | 1 line |\n"));
    CHECK(contains(small.read("slides/00_first.md"), "a sum | 1 |\n| `sub` | " + purpose + " | 1 |\n"));
    CHECK(contains(small.read("tests/00_first/00_first.hpp"),
                   "void sub(const float* in, int n, float* out);\n\n}  //"));
    CHECK(contains(small.read("solutions/00_first/sub.cu"), "namespace first {"));
    CHECK(contains(small.read("exercises/00_first/sub.cu"), "KIT_TODO(1, in, n, out);"));
    CHECK(contains(small.read("tests/00_first/sub_test.cu"), "first::sub(in.data(), n, out.data())"));
}

TEST_CASE(
    "a new exercise is the last one of its topic in the manifest, and on the last slide that lists some") {
    const SmallCourse small;
    small.change(manifest, "a sum\n",
                 "a sum\n  variant X\n\ntopic 01_second Second\nlearn y\nexercise mul z\n");
    small.write("solutions/01_second/mul.cu", SmallCourse::solution);
    small.change("slides/00_first.md", "<!-- exercises -->", "<!-- exercises: add -->");
    new_exercise(small.course(), "00_first", "sub");
    CHECK(contains(small.read(manifest),
                   "  variant X\nexercise sub WRITE: what the student writes\n\ntopic 01_second"));
    CHECK(contains(small.read("slides/00_first.md"), "<!-- exercises: add sub -->"));
    CHECK(contains(small.read("slides/00_first.md"), "| `sub` |"));
}

TEST_CASE("an exercise like another one begins with copies that have the new name") {
    const SmallCourse small;
    const Course before = small.course();
    new_exercise(before, "00_first", "sub", &before.exercise("00_first/add"));
    const Course course = small.course();
    for (const char* name : {"starters", "headers", "counted", "written", "hints", "lists"}) {
        for (const Rule& rule : rules) {
            INFO(std::string(name));
            if (std::string(rule.name) == name) CHECK(joined(complaints_of(rule, course), "\n") == "");
        }
    }
    const std::string solution = small.read("solutions/00_first/sub.cu");
    CHECK(begins_with(solution, "// 00_first/sub: WRITE: what the student writes.\n//\n// Build: nvcc "));
    CHECK(contains(solution, "sub.cu sub_test.cu -o sub"));
    CHECK(contains(solution, "void sub() {"));
    CHECK(contains(solution, "    work();\n"));
    CHECK(contains(small.read("exercises/00_first/sub.cu"), "KIT_TODO(1);"));
    CHECK(contains(small.read("exercises/00_first/README.md"),
                   "## sub\n\nWRITE: what differs from `add`, whose text follows.\n"));
}

TEST_CASE("names that only begin like the copied exercise stay") {
    const SmallCourse small;
    small.change(solution_file, "    work();", "    add_v1_work(address, add_test, adder);");
    const Course before = small.course();
    new_exercise(before, "00_first", "sub", &before.exercise("00_first/add"));
    CHECK(contains(small.read("solutions/00_first/sub.cu"), "sub_v1_work(address, sub_test, adder);"));
}

TEST_CASE("kernels that launch kernels are built with -rdc=true") {
    const SmallCourse small;
    small.change(manifest, "learn x", "learn x\nbuild DEVICE_LAUNCH");
    new_exercise(small.course(), "00_first", "sub");
    CHECK(contains(small.read("solutions/00_first/sub.cu"), "nvcc -std=c++17 -rdc=true -I"));
    CHECK(contains(small.read("exercises/00_first/README.md"), "nvcc -std=c++17 -rdc=true -I"));
}

TEST_CASE("nothing is made where something exists or is missing") {
    const auto refused = [](const std::string& topic, const std::string& name, auto&& prepare) {
        const SmallCourse small;
        prepare(small);
        const std::string said = error_of([&] { new_exercise(small.course(), topic, name); });
        CHECK_FALSE(fs::exists(small.path / "solutions/00_first/sub.cu"));
        return said;
    };
    const auto nothing = [](const SmallCourse&) {};
    CHECK(contains(refused("00_first", "add", nothing), "solutions/00_first/add.cu: exists already"));
    CHECK(contains(refused("00_first", "Sub", nothing), "is no name for an exercise"));
    CHECK(contains(refused("00_first", "2sub", nothing), "is no name for an exercise"));
    CHECK(contains(refused("01_none", "sub", nothing), "There is no topic 01_none"));
    CHECK(contains(
        refused("00_first", "sub",
                [](const SmallCourse& small) { fs::remove(small.path / "tests/00_first/00_first.hpp"); }),
        "00_first.hpp: missing; common/README.md lists what a topic needs"));
    CHECK(contains(refused("00_first", "sub",
                           [](const SmallCourse& small) { small.write("tests/00_first/sub_test.cu", ""); }),
                   "sub_test.cu: exists already"));
    CHECK(contains(refused("00_first", "sub",
                           [](const SmallCourse& small) {
                               small.change("tests/00_first/00_first.hpp", "void add()", "void sub()");
                           }),
                   "has sub already"));
    for (const std::string page : {"README.md", "exercises/00_first/README.md", "slides/00_first.md"}) {
        const auto broken = [&](const SmallCourse& small) {
            small.write(page, replaced(small.read(page), "<!-- /", "<!-- "));
        };
        CHECK(contains(refused("00_first", "sub", broken), page));
    }
}

}  // namespace new_exercise_test
