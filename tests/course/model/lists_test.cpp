// Tests of the tables of topics and exercises in pages and decks: they follow from the manifest, and contain
// every exercise once.
#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "small_course.hpp"

namespace lists_test {

using namespace course;
using course_test::SmallCourse;

TEST_CASE("all exercises of a topic, once and in their order, on one slide or on several") {
    const SmallCourse small;
    const std::string deck = "slides/00_first.md";
    small.change(manifest, "a sum\n",
                 "a sum\nexercise sub a difference\ntopic 01_second Second\nlearn y\nexercise mul z\n");
    small.write("solutions/00_first/sub.cu", SmallCourse::solution);
    small.write("solutions/01_second/mul.cu", SmallCourse::solution);
    const Course course = small.course();
    const auto listed = [&](const std::string& before, const std::string& after) {
        small.change(deck, before, after);
        small.write(deck, list(course, deck).text());
        return joined(list(course, deck).complaints, "\n");
    };
    const std::string two = "<!-- exercises: add -->\n\n<!-- /exercises -->\n\n<!-- exercises: sub -->";
    CHECK(listed("<!-- exercises -->", "<!-- exercises -->") == "");
    CHECK(contains(small.read(deck), "| `add` | a sum | 1 |\n| `sub` | a difference | 1 |\n\n<!-- /"));
    CHECK(listed("<!-- exercises -->", two) == "");
    CHECK(contains(small.read(deck),
                   "| `add` | a sum | 1 |\n\n<!-- /exercises -->\n\n<!-- exercises: sub -->"));
    const std::string wrong = "slides/00_first.md:1: lists the exercises ",
                      end = ", and not all of the topic once, in their order";
    CHECK(listed("exercises: sub", "exercises: sub add") == wrong + "add, sub, add" + end);
    CHECK(listed("exercises: sub add", "exercises: add sub") == wrong + "add, add, sub" + end);
    CHECK(listed("exercises: add sub", "exercises: add") == wrong + "add, add" + end);
    const std::string table = list(course, "README.md").text();
    CHECK(table.find("| [00 First](lectures/00_first/README.md)") < table.find("| [01 Second]"));
    CHECK(contains(table, "[slides](slides/01_second.md) | y | `mul` |\n\n<!-- /topics -->"));
}

TEST_CASE("the sections of the tasks are in the order of the manifest") {
    const SmallCourse small;
    const std::string page = "exercises/00_first/README.md",
                      section = "\n## add" + small.read(page).substr(small.read(page).find("\n## add") + 7);
    small.change(manifest, "a sum\n", "a sum\nexercise sub a difference\n");
    small.write("solutions/00_first/sub.cu", SmallCourse::solution);
    Complainer first, last;
    small.write(page, section + replaced(section, "## add", "## sub"));
    check_hints(small.course(), first);
    CHECK(joined(first.complaints, "\n") == "");
    small.write(page, replaced(section, "## add", "## sub") + section);
    check_hints(small.course(), last);
    CHECK(joined(last.complaints, "\n") ==
          "exercises/00_first/README.md: the sections are in the order sub, add, the manifest has add, sub");
}

}  // namespace lists_test
