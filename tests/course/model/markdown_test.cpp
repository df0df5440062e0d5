// Tests that pages are parsed in the forms in which authors write them.
#include "markdown.hpp"

#include <doctest/doctest.h>

namespace markdown_test {

using namespace course;

TEST_CASE("headings, text and code are leaves in order") {
    const Markdown page("# 07 *Reduction*\n\nOne `number` from\nmany.\n\n```cpp\nint a;\n\nint b;\n```\n");
    REQUIRE(page.blocks().size() == 3);
    CHECK(page.blocks()[0].kind == Block::heading);
    CHECK(page.blocks()[0].plain == "07 Reduction");
    CHECK(page.blocks()[1].plain == "One number from many.");
    CHECK(page.blocks()[2].info == "cpp");
    CHECK(page.text().substr(page.blocks()[2].range.begin) == "int a;\n\nint b;\n```\n");
    CHECK(page.blocks()[2].range.end - page.blocks()[2].range.begin ==
          std::string("int a;\n\nint b;\n").size());
}

TEST_CASE("comments have a name, a value and the code below them") {
    const Markdown page(
        "Text <!-- here --> and `<!-- not: this -->`.\n\n<!-- code: a.cu kernel -->\n```cpp\nx\n```\n\n"
        "<!-- output: b.txt 3-4 -->\n\n```text\ny\n```\n\n```text\n<!-- nor: this -->\n```\n");
    REQUIRE(page.comments().size() == 3);
    CHECK(page.comments()[0].name == "here");
    CHECK(page.comments()[0].value == "");
    CHECK(page.comments()[1].name == "code");
    CHECK(page.comments()[1].value == "a.cu kernel");
    CHECK(page.comments()[1].has_code);
    CHECK(page.line(page.comments()[1].code.begin) == 5);
    CHECK_FALSE(page.comments()[2].has_code);  // an empty line separates the comment from the code
}

TEST_CASE("code begins with its first line, indented or empty") {
    for (const std::string code : {"    int a;\n", "\n\n  int a;\n", "int a;\n\n"}) {
        const Markdown page("<!-- code: a b -->\n```cpp\n" + code + "```\nMore.\n");
        REQUIRE(page.comments().size() == 1);
        REQUIRE(page.comments()[0].has_code);
        const Range range = page.comments()[0].code;
        CHECK(page.text().substr(range.begin, range.end - range.begin) == code);
    }
}

TEST_CASE("links, images, and those of tags") {
    const Markdown page(
        "[a](b.md \"c\") ![d](e.svg)\n\n`[f](g)`\n\n<a href=\"h.md\">i</a> <img src=\"j.png\">\n");
    std::vector<std::string> targets;
    for (const Link& link : page.links()) targets.push_back(link.target);
    CHECK(targets == std::vector<std::string>{"b.md", "e.svg", "h.md", "j.png"});
    CHECK(page.links()[0].at == 1);
}

TEST_CASE("a link knows where its text stands") {
    const Markdown page("Before.\n\n| x | [a](b.md) |\n|---|---|\n| [c](d.md) | **[e](f.md)** |\n");
    REQUIRE(page.links().size() == 3);
    CHECK(page.text()[page.links()[0].at] == 'a');
    CHECK(page.text()[page.links()[1].at] == 'c');
    CHECK(page.text()[page.links()[2].at] == 'e');
}

TEST_CASE("tasks and their hints") {
    const Markdown page(
        "# Tasks\n## `tree`: stretch\n### Task 1: the tail\n<details><summary>Hint 1 (a "
        "question)</summary>\n\n"
        "What may *stand* in `t`?\n</details>\n<details><summary>Hint 2 (a "
        "pointer)</summary>\nLook.</details>\n\n"
        "Text.\n\n### More\n### Task 2: the tree\n## next\n");
    const std::vector<Section> sections = sections_of(page);
    REQUIRE(sections.size() == 2);
    CHECK(sections[0].name == "tree");
    REQUIRE(sections[0].tasks.size() == 2);
    const Task& task = sections[0].tasks[0];
    CHECK(task.title == "the tail");
    REQUIRE(task.hints.size() == 2);
    CHECK(task.hints[0].heading == "Hint 1 (a question)");
    CHECK(task.hints[0].plain() == "What may stand in t?");
    CHECK(task.hints[1].plain() == "Look.");
    CHECK(sections[0].tasks[1].number == 2);
    CHECK(sections[1].name == "next");
}

TEST_CASE("a hint keeps the lines of its code, and the questions of Explain are one line each") {
    const Markdown page(
        "## tree\n### Task 1: t\n<details><summary>Hint 3 "
        "(near-code)</summary>\n\nOne\nparagraph.\n\n```text\n"
        "for each:\n    add\n```\n</details>\n\n### Run it\nNo question.\n### Explain\n\n1. Why\n   `a`?\n2. "
        "Why "
        "*b*?\n\n## next\nNone.\n");
    const std::vector<Section> sections = sections_of(page);
    REQUIRE(sections.size() == 2);
    CHECK(sections[0].tasks[0].hints[0].lines == Lines{"One paragraph.", "    for each:", "        add"});
    CHECK(sections[0].explain == Lines{"Why a?", "Why b?"});
    CHECK(sections[1].explain.empty());
}

TEST_CASE("bold words, and whether they begin their paragraph, item or cell") {
    const Markdown page(
        "**First** and *the* **`second` one**.\n\n- **Item**: **more**\n\n| **cell** | x **y** "
        "|\n|---|---|\n");
    std::string told;
    for (const course::Bold& bold : page.bold()) told += bold.plain + (bold.first ? "! " : " ");
    CHECK(told == "First! second one Item! more cell! y ");
    CHECK(page.line(page.bold()[2].at) == 3);
}

TEST_CASE("the anchor of a heading is GitHub's") {
    CHECK(course::anchor_of("2. The `tree`, or: Little's law") == "2-the-tree-or-littles-law");
    CHECK(course::anchor_of(" a_b - c ") == "a_b---c");
}

}  // namespace markdown_test
