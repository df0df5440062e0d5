// Tests that blocks of code are copied from their regions, and that the rest of a page does not change. Also
// tests excerpts of recorded output: the parts that a page can request, and the complaint about a missing
// part.
#include "quotes.hpp"

#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "small_course.hpp"

namespace quotes_test {

using namespace course;
using course_test::error_of;
using course_test::SmallCourse;

namespace {

const std::string page = "lectures/00_first/README.md", plain = "// [kernel]\nvoid add() {}\n// [/kernel]\n",
                  region = "void add() {}\n",
                  mark = "<!-- code: solutions/00_first/add.cu kernel -->\n```cpp\n";

/// A course whose lecture quotes code outside of exercises.
struct PlainCourse : SmallCourse {
    PlainCourse() { write("solutions/00_first/add.cu", plain); }
};

struct Recorded : course_test::Folder {
    Recorded() { write("results/h200.txt", "title\n\nv1  10 us\nv2   5 us \n\nend\n"); }
    std::vector<std::string> lines(const std::string& asked) const { return excerpt(path, asked); }
    std::string error(const std::string& asked) const {
        return error_of([&] { lines(asked); });
    }
};

}  // namespace

TEST_CASE("a page that is right stays byte for byte") {
    const SmallCourse small;
    const Revision quoted = quote(small.course(), page);
    CHECK(quoted.text() == small.read(page));
    CHECK(quoted.edits.empty());
    CHECK(quoted.complaints.empty());
}

TEST_CASE("each block is written, an empty one too, and the text around stays byte for byte") {
    const PlainCourse small;
    const std::string before = "No  newline \t\n\n* a\n", between = "```\n\n\n```text\n```\ntext  \n\n",
                      after = "```\nend";
    small.write(page, before + mark + "old\n\nolder\n" + between + mark + region + "```\n" + mark + after);
    const Revision quoted = quote(small.course(), page);
    CHECK(quoted.text() ==
          before + mark + region + between + mark + region + "```\n" + mark + region + after);
    CHECK(quoted.complaints.empty());
    REQUIRE(quoted.edits.size() == 2);
    CHECK(contains(quoted.edits[0].complaint,
                   "README.md:5: is not what solutions/00_first/add.cu has as kernel"));
}

TEST_CASE("a block whose region is gone is not touched, others are written") {
    const PlainCourse small;
    const std::string gone = "<!-- code: solutions/00_first/add.cu gone -->\n```cpp\nold\n```\n";
    small.write(page, gone + "\n" + mark + "old\n```\n");
    const Revision quoted = quote(small.course(), page);
    CHECK(quoted.text() == gone + "\n" + mark + region + "```\n");
    REQUIRE(quoted.complaints.size() == 1);
    CHECK(contains(quoted.complaints[0], "README.md:2: solutions/00_first/add.cu: no region // [gone]"));
}

TEST_CASE("what an exercise asks for stands with its gap, and folded away as it will be") {
    const SmallCourse small;
    const std::string right = small.read(page), after = "\ntext\n",
                      folded = "\n<details><summary>After you have done the exercise</summary>\n";
    REQUIRE(contains(right, "    KIT_TODO(1);\n}\n```\n" + folded));
    for (const std::string& old :
         {mark + "```\n", mark + "void add() {\n    work();\n}\n```\n",
          right.substr(right.find("<!-- code"), right.find("work()") - right.find("<!-- code")) +
              "rest();\n```\n\n</details>\n"}) {
        small.write(page, right.substr(0, right.find("<!-- code")) + old + after);
        const Revision quoted = quote(small.course(), page);
        CHECK(quoted.text() == right + after);
        CHECK(quoted.complaints.empty());
    }
    // Code that is not part of an exercise is not folded.
    small.write("solutions/00_first/add.cu", plain);
    small.write(page, right + after);
    CHECK(quote(small.course(), page).text() ==
          right.substr(0, right.find("<!-- code")) + mark + region + "```\n" + after);
}

TEST_CASE("details that an author wrote below a block stay") {
    const PlainCourse small;
    const std::string text = mark + region + "```\n\n<details><summary>Why?</summary>\n\nSo.\n\n</details>\n";
    small.write(page, text);
    CHECK(quote(small.course(), page).text() == text);
}

TEST_CASE("lectures, their appendices and diagnoses quote") {
    const SmallCourse small;
    std::vector<fs::path> wanted;
    for (const kit::FindingRow& row : kit::finding_rows) wanted.push_back(kit::page_of(row.kind));
    wanted.push_back(page);
    wanted.push_back("lectures/00_first/appendix.md");
    small.write("lectures/00_first/appendix.md", "# Appendix\n");
    small.write("lectures/00_first/results/tables.md", "");
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

TEST_CASE_FIXTURE(Recorded, "lines, paragraphs and whole files") {
    CHECK(lines("results/h200.txt 1-1") == Lines{"title"});
    CHECK(lines("results/h200.txt 3-5") == Lines{"v1  10 us", "v2   5 us ", ""});
    CHECK(lines("results/h200.txt \"v2   5\"") == Lines{"v1  10 us", "v2   5 us "});
    CHECK(lines("results/h200.txt \"title\"") == Lines{"title"});
    CHECK(lines("results/h200.txt \"end\"") == Lines{"end"});
    CHECK(lines("results/h200.txt").size() == 6);
}

TEST_CASE_FIXTURE(Recorded, "what is not there is named") {
    CHECK(error("results/none.txt 1-2") == "the output results/none.txt does not exist or is empty");
    CHECK(error("results/h200.txt 3-9") == "the output results/h200.txt has 6 lines, not 3-9");
    CHECK(error("results/h200.txt 3-2") == "the output results/h200.txt has 6 lines, not 3-2");
    CHECK(error("results/h200.txt 0-2") == "the output results/h200.txt has 6 lines, not 0-2");
    CHECK(error("results/h200.txt \"v3\"") == "the output results/h200.txt has no \"v3\"");
}

TEST_CASE_FIXTURE(Recorded, "what is not understood is asked for") {
    for (const char* asked : {"", "results/h200.txt v2", "results/h200.txt 3", "results/h200.txt 3-",
                              "results/h200.txt -3", "results/h200.txt 1-2-3", "results/h200.txt \"",
                              "results/h200.txt \"\"", "results/h200.txt \"v1\" x"}) {
        CAPTURE(asked);
        CHECK(contains(error(asked), "which lines are these?"));
    }
}

}  // namespace quotes_test
