// Tests of the copy for students: its files, the text of its pages, and the files that it never overwrites.
#include "student.hpp"

#include <doctest/doctest.h>

#include "small_course.hpp"

namespace student_test {

using namespace course;
using course_test::error_of;
using course_test::SmallCourse;

namespace {

std::string shown(const std::string& text, const std::set<fs::path>& there = {}) {
    return page_for_students(text, "lectures/00_first/README.md", there);
}

struct Copied : SmallCourse {
    Copied() {
        write("CMakeLists.txt", "include(kit_topic)\ninclude(kit_docs)\ninclude(kit_slides)\n");
        write("build/course.txt", "not of the course");
    }
    fs::path copy() const { return path / "build/copy"; }
    bool has(const std::string& file) const { return fs::exists(copy() / file); }
    std::string text(const std::string& file) const { return read_text(copy() / file); }
};

}  // namespace

TEST_CASE("what is not for students is left out, and what only is shows") {
    CHECK(shown("a\n<!-- not for students -->\nb\n\nc\n<!-- /not for students -->\nd\n") == "a\nd\n");
    CHECK(shown("| a |\n| b <!-- not for students --> |\n| c |\n") == "| a |\n| c |\n");
    CHECK(shown("a\n\n<!-- for students: words,\nmore -->\n\nb\n") == "a\n\nwords,\nmore\n\nb\n");
    CHECK(contains(error_of([] { shown("<!-- not for students -->\nb\n"); }), "has no"));
}

TEST_CASE("comments vanish, and what is folded away below a gap; other details stay") {
    const std::string gap = "```cpp\nKIT_TODO(1);\n```\n",
                      details = "\n<details><summary>Hint</summary>\n\nx\n\n</details>\n";
    CHECK(shown("<!-- code: solutions/a.cu r -->\n" + gap +
                "\n<details><summary>After you have done the "
                "exercise</summary>\n\n```cpp\nwork();\n```\n\n</details>\n" +
                details) == gap + details);
    CHECK(shown("a\n\n<details><summary>After you have done the exercise</summary>\n\n4 "
                "sectors\n\n</details>\n\n" +
                gap) == "a\n\n" + gap);
    CHECK(shown("2.1<!--=gain--> times\n\n<!-- numbers\ngain = 1\n-->\n") == "2.1 times\n\n");
    CHECK(shown("```\n<!-- code -->\n```\n") == "```\n<!-- code -->\n```\n");
}

TEST_CASE("links to what is not there become words") {
    const std::set<fs::path> there = {"lectures/00_first/b.svg", "exercises/00_first/README.md"};
    const std::string kept =
        "[a](../../exercises/00_first/README.md#x) [b](../../exercises/00_first) [c](#d) "
        "[w](https://a.b)\n![e](b.svg)\n";
    CHECK(shown(kept, there) == kept);
    CHECK(shown("see [the `tree`](../gone.md#x), [[1]](gone.cu), [the\ndeck](../../slides/a.md)\n", there) ==
          "see the `tree`, [1], the\ndeck\n");
    CHECK(shown("[g](gone)\n\n```cpp\nf = [g](gone) {};\n```\n", there) ==
          "g\n\n```cpp\nf = [g](gone) {};\n```\n");
    CHECK(page_for_students("| [t](a.md), [slides](slides/a.md) |\n", "README.md", {"a.md"}) ==
          "| [t](a.md) |\n");
}

TEST_CASE("the copy has starters and nothing that gives away") {
    const Copied small;
    make_student_copy(small.course(), small.copy());
    CHECK(small.text("exercises/00_first/add.cu") == Source("s.cu", SmallCourse::solution).starter());
    CHECK(small.text("tests/00_first/add.starter") == small.text("exercises/00_first/add.cu"));
    CHECK(small.text("CMakeLists.txt") == "include(kit_topic)\n");
    CHECK(contains(small.text("lectures/00_first/README.md"), "KIT_TODO(1);"));
    CHECK(!contains(small.text("lectures/00_first/README.md"), "work();"));
    CHECK(small.has("tests/00_first/add_test.cu"));
    for (const char* gone : {"solutions", "slides", "tests/00_first/add.submissions",
                             "tests/00_first/00_first.screens", "lectures/00_first/demo.cu", "build",
                             "lectures/00_first/results", "lectures/misconceptions.md", "tests/cpu"})
        CHECK_MESSAGE(!small.has(gone), std::string(gone));
}

TEST_CASE("a starter is what the solution makes, whatever somebody has done in exercises/") {
    const Copied small;
    small.write("exercises/00_first/add.cu", "work();");
    make_student_copy(small.course(), small.copy());
    CHECK(small.text("exercises/00_first/add.cu") == Source("s.cu", SmallCourse::solution).starter());
}

TEST_CASE("a copy is made anew, and nothing that it has not made is touched") {
    const Copied small;
    small.write("lectures/00_first/old/page.md", "old\n");
    make_student_copy(small.course(), small.copy());
    REQUIRE(small.has("lectures/00_first/old/page.md"));
    small.write("build/copy/.git/config", "mine");
    fs::remove(small.path / "lectures/00_first/old/page.md");
    make_student_copy(small.course(), small.copy());
    CHECK(!small.has("lectures/00_first/old"));
    CHECK(small.has(".git/config"));
    small.write("build/copy/exercises/00_first/add.cu", "my work");
    CHECK(contains(error_of([&] { make_student_copy(small.course(), small.copy()); }),
                   "a student has worked on it"));
    small.write("build/other/notes.txt", "mine");
    CHECK(contains(error_of([&] { make_student_copy(small.course(), small.path / "build/other"); }),
                   "is not empty"));
}

TEST_CASE("presets of the copy are those of exercises") {
    const std::string text = presets_for_students(
        R"({"version": 6, "testPresets": [{"name": "b", "hidden": true}, {"name": "exercises"}, {"name": "gpu"}],
            "workflowPresets": [{"name": "docs"}]})");
    CHECK(contains(text, "\"exercises\""));
    CHECK(contains(text, "\"version\": 6"));
    CHECK(contains(text, "\"b\""));
    CHECK(!contains(text, "gpu"));
    CHECK(!contains(text, "docs"));
}

}  // namespace student_test
