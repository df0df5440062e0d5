// The rules are tried: a small valid course gives no complaint, and each way of breaking it gives the right one.
#include "rules.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "author_commands.hpp"
#include "diagnoses.hpp"
#include "small_course.hpp"

namespace rules_test {

using namespace course;
using course_test::SmallCourse;
using course_test::solution_file;
using course_test::starter_file;

namespace {

Complaints complaints_of(const std::string& name, const Course& course) {
    for (const Rule& rule : rules) {
        if (rule.name == name) return course::complaints_of(rule, course);
    }
    throw Error("no rule " + name);
}

/// One way to break a valid course, and what the rule must say of it.
struct Broken {
    std::string rule, complaint;
    std::function<void(const SmallCourse&)> damage;
};

const std::string tasks = "exercises/00_first/README.md", lecture = "lectures/00_first/README.md",
                  race = "lectures/diagnoses/race.md", index_page = "lectures/diagnoses/README.md",
                  examples = "tests/cpu/checks/pages_test.cu", believed = "lectures/misconceptions.md",
                  patch = "tests/00_first/add.wrong/b.patch", terms = "lectures/glossary.md",
                  order = "lectures/instructors_guide.md";

/// Removes the file. / Replaces a text that is there. / Writes the file anew.
auto gone(const std::string& file) {
    return [=](const SmallCourse& small) { CHECK(fs::remove(small.path / file)); };
}
auto changed(const std::string& file, const std::string& from, const std::string& to) {
    return [=](const SmallCourse& small) { small.change(file, from, to); };
}
auto written(const std::string& file, const std::string& text = "") {
    return [=](const SmallCourse& small) { small.write(file, text); };
}

const Broken all[] = {
    // Files: what is missing is named.
    {"files", "add.cu: missing (the starter", gone(starter_file)},
    {"files", "add.cu: missing (the solution", gone(solution_file)},
    {"files", "add_test.cu: missing", gone("tests/00_first/add_test.cu")},
    {"files", "00_first.hpp: missing", gone("tests/00_first/00_first.hpp")},
    {"files", "README.md: missing (tasks", gone(tasks)},
    {"files", "README.md: missing (the lecture", gone(lecture)},
    {"files", "demo.cu: missing", gone("lectures/00_first/demo.cu")},
    {"files", "add.cu:11: still to be written: what?", changed(solution_file, "Add.", "WRITE: what?\n")},
    {"files", "exercises/00_first/README.md:3: still to be written: x",
     changed(tasks, "# First", "# First\n\nWRITE: x")},
    {"files", "results: missing or empty", gone("lectures/00_first/results/one.json")},
    // Stray: what nothing builds is named.
    {"stray", "exercises/00_first/backup.cu: belongs to no exercise",
     written("exercises/00_first/backup.cu")},
    {"stray", "tests/00_first/sub_test.cu: belongs to no exercise", written("tests/00_first/sub_test.cu")},
    {"stray", "lectures/00_first/old.cu: the lecture does not link to it",
     written("lectures/00_first/old.cu")},
    {"stray", "solutions/01_second: not a topic", written("solutions/01_second/x.cu")},
    // Starters: each is what its solution makes.
    {"starters", "exercises/00_first/add.cu:12: has \"    work();\", its solution gives \"    KIT_TODO(1);\"",
     changed(starter_file, "KIT_TODO(1);", "work();")},
    {"starters", "has \"(the end of the file)\"", written(starter_file)},
    {"starters", "solutions/00_first/add.cu:15: error: region 1 ends as 2",
     changed(solution_file, "END SOLUTION 1", "END SOLUTION 2")},
    // Headers: title, build line, run line, versions.
    {"headers", "does not begin with", changed(solution_file, "00_first/add: ", "add: ")},
    {"headers", "no build line", changed(solution_file, "add_test.cu", "sub_test.cu")},
    {"headers", "no line \"// Run", changed(solution_file, "// Run:", "// Go:")},
    {"headers", "v2 is not in the header",
     changed(solution_file, "// v1: one", "// v2: faster.\n// v1: one")},
    {"headers", "names v2, but", changed(solution_file, "//   v1 ", "//   v2  fast\n//   v1 ")},
    {"headers", "has no line \"//   v1", changed(solution_file, "//   v1 ", "//   ")},
    // Hints: a section, tasks, and three hints each.
    {"hints", "no section \"## add\"", changed(tasks, "## add", "## sub")},
    {"hints", "TODO(1) has no heading", changed(tasks, "### Task 1", "### Chore 1")},
    {"hints", "Task 2 has no TODO", changed(tasks, "### Task 1", "### Task 2")},
    {"hints", "2 hints, 3 are needed", changed(tasks, "<summary>Hint 2", "<summary>Remark")},
    {"hints", "hint 2 is not headed", changed(tasks, "a pointer", "pointer")},
    {"hints", "hint 3 is not headed", changed(tasks, "near-code", "code")},
    {"hints", "hint 2 says nothing", changed(tasks, "Look at the guard.\n", "")},
    {"hints", "asks no question", changed(tasks, "Which element?", "Element 3.")},
    // Links: they lead somewhere.
    {"links", "README.md:2: link to gone.md, which does not exist", written("README.md", "\n[a](gone.md)")},
    {"links", "link to gone.svg", written("lectures/00_first/more.md", "<img src=\"gone.svg\">")},
    {"links", "no link to ../../exercises", written(lecture, "none")},
    // Code: a block is its region.
    {"code", "README.md:4: is not what", changed(lecture, "work();", "play();")},
    {"code", "is not what", changed(lecture, "KIT_TODO(1);", "work();")},
    {"code", "is not what", changed(lecture, "<details>", "<details open>")},
    {"code", "is not what", changed(lecture, "void add() {\n    // TODO", "void sub() {\n    // TODO")},
    {"code", "is not what", changed(lecture, "    work();\n", "")},
    {"code", "is not what", changed(lecture, "work();\n}", "work();\n}\nmore")},
    {"code", "README.md:4: is not what",
     changed(lecture, "-->\n```cpp\nvoid add() {\n    // TODO(1): Add. About 1 line.\n    KIT_TODO(1);\n}\n",
             "-->\n```cpp\n")},
    {"code", "add.cu: no region // [kernel]", changed(solution_file, "// [/kernel]", "// [/k]")},
    {"code", "gone.cu: not there", changed(lecture, "00_first/add.cu kernel", "gone.cu kernel")},
    {"code", "code without a line", changed(lecture, "<!-- code:", "<!-- see:")},
    {"code", "expected <!-- code: FILE REGION -->", changed(lecture, "add.cu kernel", "add.cu")},
    {"code", "expected <!-- code: FILE REGION -->", changed(lecture, "-->\n```cpp", "-->\n\n```cpp")},
    {"code", "race.md:4: is not what", changed(race, "work();", "play();")},
    // Visible: lectures do not hand out solutions, not even typed ones, on whatever page.
    {"visible",
     "README.md:6: the lecture shows 1 of 1 lines of solutions/00_first/add.cu that its starter lacks",
     changed(lecture, "// TODO(1): Add. About 1 line.", "work();")},
    {"visible", "README.md:14: the lecture shows 1 of 1 lines",
     changed(lecture, "<details><summary>After you have done the exercise</summary>\n", "")},
    {"visible", "more.md:2: the lecture shows 1 of 1 lines",
     written("lectures/00_first/more.md", "```\nwork( ) ;  // typed\n```\n")},
    // Diagnoses: a page for each kind, a kind for each page.
    {"diagnoses", "gone.md: there are no findings of this kind", written("lectures/diagnoses/gone.md")},
    {"diagnoses", "trap.md: missing", gone("lectures/diagnoses/trap.md")},
    {"diagnoses", "race.md: no line <!-- report", changed(race, "report:", "r:")},
    {"diagnoses", "race.md: no line <!-- report",
     changed(race, "<!-- report: race -->", "`<!-- report: race -->`")},
    {"diagnoses", "stack.md: no PLANTED or ALONE", changed(examples, "ALONE", "SILENT")},
    {"diagnoses", "trap.md: no PLANTED or ALONE", changed(examples, "\"trap\"", "\"a\"")},
    {"diagnoses", "no link to race.md", changed(index_page, "](race", "](rice")},
    // Wrong: three submissions, each with its diagnosis (see patch_test.cpp).
    {"wrong", "2 wrong submissions, at least 3", gone(patch)},
    {"wrong", "no line \"// diagnosis",
     changed(patch, "// diagnosis: yes\n// diagnosis.cpu: only here\n", "")},
    {"wrong", "no line \"// wrong", changed(patch, "// wrong: x\n", "")},
    {"wrong", "there is no exercise 00_first/sub", written("tests/00_first/sub.wrong/a.patch")},
    // Evidence: each misconception has its wrong submission, and its words.
    {"evidence", "misconceptions.md:5: tests/00_first/add.wrong/gone.patch is not there",
     changed(believed, "wrong/a.patch", "wrong/gone.patch")},
    {"evidence", "add_a is not the name of", changed(believed, "[add.a]", "[add_a]")},
    {"evidence", "a.patch has no diagnosis \"z\"", changed(believed, "`yes`", "`z`")},
    {"evidence", "\"CPU: \" must stand before", changed(believed, "CPU: ", "")},
    {"evidence", "\"CPU: \" must stand before", changed(believed, "`yes`", "CPU: `yes`")},
    {"evidence", "no row about 00_first", written(believed, "# Misconceptions\n")},
    {"evidence", "no row about 00_first", gone(believed)},
    // Glossary: each of the field's words is introduced once, in bold, and the glossary says where.
    {"glossary", "README.md:1: **sum** is not in lectures/glossary.md",
     changed(lecture, "**word**", "**word** and **sum**")},
    {"glossary", "README.md:1: **word** was introduced in lectures/00_first/README.md:1",
     changed(lecture, "**word**", "**word** or **word**")},
    {"glossary", "more.md:1: **word** was introduced in lectures/00_first/README.md:1",
     written("lectures/00_first/more.md", "A **word**.\n")},
    {"glossary", "glossary.md:5: \"word\" does not stand in bold where the link leads",
     changed(lecture, "**word**", "*word*")},
    {"glossary", "glossary.md:5: \"word\" does not stand in bold",
     changed(terms, "README.md)", "README.md#end)")},
    {"glossary", "glossary.md:5: \"word\" does not stand in bold",
     changed(terms, "[00](00_first/README.md)", "00")},
    {"glossary", "glossary.md:6: \"word\" stands in line 5, too",
     changed(terms, "README.md) |\n", "README.md) |\n| sentence (word) | x | [00](00_first/README.md) |\n")},
    {"glossary", "glossary.md: no table", changed(terms, "| term ", "| name ")},
    // Reading: lectures say what they need, and the guide's order respects it.
    {"reading", "README.md: no paragraph \"**Prerequisites.** ...\"",
     changed(lecture, "**Prerequisites.** ", "")},
    {"reading", "more.md: no paragraph", written("lectures/00_first/more.md", "# More\n")},
    {"reading", "the reading order lacks lectures/00_first/more.md",
     written("lectures/00_first/more.md", "**Prerequisites.** [00](README.md)\n")},
    {"reading", "the reading order lacks lectures/00_first/README.md", changed(order, "| 00 |", "| 01 |")},
    {"reading", "instructors_guide.md: no table below", changed(order, "Reading order", "Order")},
    {"reading", "README.md:1: lectures/00_first/README.md has no heading #2-sums",
     changed(lecture, "A **word** of C++.", "[00](README.md#2-sums).")},
    {"reading",
     "README.md:1: needs README.md, which is step 1 of the reading order in lectures/instructors_guide.md, "
     "and this is "
     "step 1",
     changed(lecture, "A **word** of C++.", "[00](README.md).")},
    // Readme: its table and its commands are true.
    {"readme", "no row \"| 00_first: ", changed("README.md", "00_first: ", "00_frist: ")},
    {"readme", "00_frist is not a topic", changed("README.md", "00_first: ", "00_frist: ")},
    {"readme", "no link to slides/00_first.md",
     changed("README.md", "(slides/00_first.md)", "(slides/0.md)")},
    {"readme", "has the exercises \"add, sub\", the topic has \"add\"",
     changed("README.md", "`add`", "`add`, `sub`")},
    {"readme", "no build preset \"docs\"",
     changed("README.md", "--build --preset exercises", "--build --preset docs")},
    {"readme", "no configure preset \"base\"",
     changed("README.md", "cmake --preset exercises", "cmake --preset base")},
    {"readme", "no test preset \"exams\"",
     changed("README.md", "ctest --preset exercises", "ctest --preset exams")},
    {"readme", "no topic has demo.01_first", changed("README.md", "demo.00", "demo.01")},
    {"readme", "no exercise is called first.sub", changed("README.md", "-R first.add", "-R first.sub")},
    {"readme", "lectures/00_first/README.md:20: CMakePresets.json has no workflow preset \"x\"",
     [](const SmallCourse& small) {
         small.write(lecture, small.read(lecture) + "`cmake --workflow --preset x`\n");
     }},
    {"readme", "CMakePresets.json", written("CMakePresets.json", "{")},
};

}  // namespace

TEST_CASE("each way of breaking a course is told by its rule") {
    for (const Broken& broken : all) {
        const SmallCourse small;
        broken.damage(small);
        const std::string said = joined(complaints_of(broken.rule, small.course()), "\n");
        INFO(broken.rule << " must say: " << broken.complaint);
        INFO("it says: " << said);
        CHECK(contains(said, broken.complaint));
    }
}

TEST_CASE("every rule accepts a valid course") {
    const SmallCourse small;
    for (const Rule& rule : rules) {
        INFO(std::string(rule.name));
        CHECK(joined(course::complaints_of(rule, small.course()), "\n") == "");
    }
}

TEST_CASE("diagnoses: a page for each kind, a kind for each page") {
    for (const kit::FindingRow& row : kit::finding_rows) {
        const std::string kind = row.kind;
        const SmallCourse small;
        fs::rename(small.path / kit::page_of(kind), small.path / kit::page_of("no_" + kind));
        const std::string said = joined(complaints_of("diagnoses", small.course()), "\n");
        CHECK(contains(said, "/" + kind + ".md: missing (there are findings of this kind)"));
        CHECK(contains(said, "/no_" + kind + ".md: there are no findings of this kind"));
    }
}

TEST_CASE("reading: a section may need what is read after the page's first ones") {
    const SmallCourse small;
    small.write("lectures/00_first/more.md", "**Prerequisites.** [00](README.md#1-a).\n\n## 1. First\n");
    small.write(order,
                "## Reading order\n\n| step | read |\n|---|---|\n| 1 | 00, section 1 |\n| 2 | the [appendix "
                "of 00](x) |\n"
                "| 3 | 01; 00, sections 2 and 3 |\n");
    const auto said = [&](const std::string& paragraph) {
        small.write(lecture, "**Prerequisites.** " + paragraph + "\n\n## 1. A\n\n## 2. B\n");
        return joined(complaints_of("reading", small.course()), "\n");
    };
    CHECK(said("C++. For section 2 the appendix ([more](more.md#1-first), section 1).") == "");
    CHECK(said("Sections 2 and 3 need [more](more.md).") == "");
    const std::string late =
        "README.md:1: needs more.md#1-first, which is step 2 of the reading order in "
        "lectures/instructors_guide.md, and this is step 1";
    CHECK(contains(said("For section 1 the appendix ([more](more.md#1-first), section 1)."), late));
    CHECK(contains(said("For section 2 nothing. Then [more](more.md#1-first), section 1."), late));
    CHECK(contains(said("[more](more.md#2-second)."), "lectures/00_first/more.md has no heading #2-second"));
}

TEST_CASE("readme: exercises and topics stand in the order of the story") {
    const SmallCourse small;
    Course course = small.course();
    course.exercises.push_back({"00_first", "sub", {}});
    CHECK(contains(joined(complaints_of("readme", course), "\n"), "the topic has \"add, sub\""));
    small.change("README.md", "`add`", "`sub`, `add`");
    CHECK(contains(joined(complaints_of("readme", course), "\n"), "has the exercises \"sub, add\""));
    small.change("README.md", "`sub`, `add`", "`add`, `sub`");
    CHECK(joined(complaints_of("readme", course), "\n") == "");
    course.exercises.insert(course.exercises.begin(), {"01_second", "mul", {}});
    small.change(
        "README.md", "\n\n```",
        "\n| 01_second: [lecture](lectures/01_second/README.md), [tasks](exercises/01_second/README.md), "
        "[slides](slides/01_second.md) | y | `mul` |\n\n```");
    CHECK(
        contains(joined(complaints_of("readme", course), "\n"), "the topics' order is 00_first, 01_second"));
}

TEST_CASE("the command applies one rule or all, and nothing is never checked silently") {
    const SmallCourse small;
    Course course = small.course();
    CHECK(command_check(course, {}) == 0);
    CHECK(command_check(course, {"files"}) == 0);
    gone("lectures/00_first/demo.cu")(small);
    CHECK(command_check(course, {}) == 1);
    CHECK(command_check(course, {"files"}) == 1);
    CHECK(command_check(course, {"links"}) == 0);
    CHECK(command_check(course, {"files", "links"}) == 2);
    CHECK(contains(course_test::error_of([&] { command_check(course, {"lonks"}); }),
                   "There is no rule \"lonks\": choose one of files stray"));
    course.exercises.clear();
    CHECK(contains(course_test::error_of([&] { command_check(course, {}); }), "nothing would be checked"));
}

}  // namespace rules_test
