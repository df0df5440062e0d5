// Blocks of code are written from their regions, and nothing else of a page changes.
#include "quotes.hpp"

#include <doctest/doctest.h>

#include "commands.hpp"
#include "small_course.hpp"

using namespace course;
using course_test::SmallCourse;

namespace {

const std::string page = "lectures/00_first/README.md", region = "void add() {\n    work();\n}\n",
                  mark = "<!-- code: solutions/00_first/add.cu kernel -->\n```cpp\n";

}  // namespace

TEST_CASE("a page that is right stays byte for byte") {
    const SmallCourse small;
    const Quoted quoted = quote(small.course(), page);
    CHECK(quoted.text == small.read(page));
    CHECK(quoted.outdated.empty());
    CHECK(quoted.complaints.empty());
}

TEST_CASE("each block is written, an empty one too, and the text around stays byte for byte") {
    const SmallCourse small;
    const std::string before = "No  newline \t\n\n* a\n", between = "```\n\n\n```text\n```\ntext  \n\n",
                      after = "```\nend";
    small.write(page, before + mark + "old\n\nolder\n" + between + mark + region + "```\n" + mark + after);
    const Quoted quoted = quote(small.course(), page);
    CHECK(quoted.text == before + mark + region + between + mark + region + "```\n" + mark + region + after);
    CHECK(quoted.complaints.empty());
    REQUIRE(quoted.outdated.size() == 2);
    CHECK(contains(quoted.outdated[0], "README.md:5: is not what solutions/00_first/add.cu has as kernel"));
}

TEST_CASE("a block whose region is gone is not touched, others are written") {
    const SmallCourse small;
    const std::string gone = "<!-- code: solutions/00_first/add.cu gone -->\n```cpp\nold\n```\n";
    small.write(page, gone + "\n" + mark + "old\n```\n");
    const Quoted quoted = quote(small.course(), page);
    CHECK(quoted.text == gone + "\n" + mark + region + "```\n");
    REQUIRE(quoted.complaints.size() == 1);
    CHECK(contains(quoted.complaints[0], "README.md:2: solutions/00_first/add.cu: no region // [gone]"));
}

TEST_CASE("lectures and diagnoses quote") {
    const SmallCourse small;
    std::vector<fs::path> wanted;
    for (const kit::FindingRow& row : kit::finding_rows) wanted.push_back(kit::page_of(row.kind));
    wanted.push_back(page);
    CHECK(quoting_pages(small.course()) == wanted);
}

TEST_CASE("the command compares, or writes") {
    const SmallCourse small;
    const std::string before = small.read(page);
    CHECK(command_code(small.course(), {}) == 0);
    small.change(page, "work();", "play();");
    CHECK(command_code(small.course(), {}) == 1);
    CHECK(small.read(page) != before);
    CHECK(command_code(small.course(), {"--write"}) == 0);
    CHECK(small.read(page) == before);
    small.change(page, "add.cu kernel", "add.cu gone");
    CHECK(command_code(small.course(), {"--write"}) == 1);
    CHECK(command_code(small.course(), {"--wrote"}) == 2);
}
