// Tests of the rules: a small correct course gives no complaints, and each way to break it gives the correct
// complaint.
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

/// One way to break a correct course, and the complaint that must follow.
struct Broken {
    std::string rule, complaint;
    std::function<void(const SmallCourse&)> damage;
};

const std::string tasks = "exercises/00_first/README.md", lecture = "lectures/00_first/README.md",
                  race = "lectures/diagnoses/race.md", index_page = "lectures/diagnoses/README.md",
                  examples = "tests/cpu/checks/pages_test.cu", believed = "lectures/misconceptions.md",
                  entries = "tests/00_first/add.submissions", screens = "tests/00_first/00_first.screens",
                  terms = "lectures/glossary.md", order = "lectures/instructors_guide.md", facts = manifest,
                  deck = "slides/00_first.md", test = "tests/00_first/add_test.cu",
                  contract = "tests/00_first/00_first.hpp";

/// Ways to break a course: remove a file, replace a text in it, or write a new one.
auto gone(const std::string& file) {
    return [=](const SmallCourse& small) { CHECK(fs::remove(small.path / file)); };
}
auto changed(const std::string& file, const std::string& from, const std::string& to) {
    return [=](const SmallCourse& small) { small.change(file, from, to); };
}
auto written(const std::string& file, const std::string& text = "") {
    return [=](const SmallCourse& small) { small.write(file, text); };
}

/// Gives an entry the keys of the hunt wrong.a, with this number.
auto also_a_hunt(const std::string& entry, int number) {
    return [=](const SmallCourse& small) {
        const std::string text = small.read(entries);
        const std::size_t begin = text.find("hunt: 1"), end = text.find("-- region", begin);
        const std::string keys =
            replaced(text.substr(begin, end - begin), "hunt: 1", sentence("hunt: ", number));
        small.change(entries, "== " + entry + "\n", "== " + entry + "\n" + keys);
    };
}
auto not_a_hunt(const SmallCourse& small) {
    const std::string text = small.read(entries);
    const std::size_t begin = text.find("hunt: 1"), end = text.find("-- region", begin);
    small.change(entries, text.substr(begin, end - begin), "");
}

const Broken all[] = {
    // Rule "files": a missing file is named.
    {"files", "add.cu: missing (the starter", gone(starter_file)},
    {"files", "add.cu: missing (the solution", gone(solution_file)},
    {"files", "add_test.cu: missing", gone("tests/00_first/add_test.cu")},
    {"files", "00_first.hpp: missing", gone("tests/00_first/00_first.hpp")},
    {"files", "README.md: missing (tasks", gone(tasks)},
    {"files", "README.md: missing (the lecture", gone(lecture)},
    {"files", "demo.cu: missing", gone("lectures/00_first/demo.cu")},
    {"files", "add.cu:11: still to be written: what?", changed(solution_file, "Add.", "WRITE: what?\n")},
    {"files", "exercises/00_first/README.md:3: still to be written: x",
     changed(tasks, "# 00 First: the exercises", "# 00 First: the exercises\n\nWRITE: x")},
    {"files", "results: missing or empty",
     [](const SmallCourse& small) { fs::remove_all(small.path / "lectures/00_first/results"); }},
    // Rule "stray": a file that no target builds is named.
    {"stray", "exercises/00_first/backup.cu: belongs to no exercise",
     written("exercises/00_first/backup.cu")},
    {"stray", "tests/00_first/sub_test.cu: belongs to no exercise", written("tests/00_first/sub_test.cu")},
    {"stray", "lectures/00_first/old.cu: the lecture does not link to it",
     written("lectures/00_first/old.cu")},
    {"stray", "solutions/01_second: not a topic", written("solutions/01_second/x.cu")},
    // Rule "starters": each must equal the one that its solution generates.
    {"starters", "exercises/00_first/add.cu:12: has \"    work();\", its solution gives \"    KIT_TODO(1);\"",
     changed(starter_file, "KIT_TODO(1);", "work();")},
    {"starters", "has \"(the end of the file)\"", written(starter_file)},
    {"starters", "solutions/00_first/add.cu:15: error: region 1 ends as 2",
     changed(solution_file, "END SOLUTION 1", "END SOLUTION 2")},
    // Rule "headers": title, build line, run line, versions.
    {"headers", "does not begin with", changed(solution_file, "00_first/add: ", "add: ")},
    {"headers", "no build line", changed(solution_file, "add_test.cu", "sub_test.cu")},
    {"headers", "no line \"// Run", changed(solution_file, "// Run:", "// Go:")},
    {"headers", "v2 is not in the header",
     changed(solution_file, "// v1: one", "// v2: faster.\n// v1: one")},
    {"headers", "names v2, but", changed(solution_file, "//   v1 ", "//   v2  fast\n//   v1 ")},
    {"headers", "has no line \"//   v1", changed(solution_file, "//   v1 ", "//   ")},
    // Rule "locals": no const in solutions, const in kernels of demos.
    {"locals", "solutions/00_first/add.cu:13: a local value of a solution has no `const`",
     changed(solution_file, "    work();", "    const int i = threadIdx.x;")},
    {"locals", "solutions/00_first/add.cu:13: a local value",
     changed(solution_file, "    work();", "    for (const float each : values) work();")},
    {"locals", "solutions/00_first/add.cu:13: a local value",
     changed(solution_file, "    work();", "    const auto [x, y] = work();")},
    {"locals", "lectures/00_first/demo.cu:2: `i` never changes",
     written("lectures/00_first/demo.cu", "__global__ void add(int n) {\n    int i = threadIdx.x;\n}\n")},
    {"locals", "lectures/00_first/more.hpp:3: `sum` never changes",
     written("lectures/00_first/more.hpp",
             "__device__ int add(int n) {\n    if (n > 0) {\n        int sum = "
             "n;\n    }\n    int i = 0, sum = 0;\n    sum += i++;\n}\n")},
    // Rule "hints": a section, tasks, and three hints for each task.
    {"hunts", "add.submissions:3: wrong.a: the level must be 1, 2 or 3",
     changed(entries, "level: 1", "level: 4")},
    {"hunts", "\"hunt.kind: play\" is unknown", changed(entries, "hunt.kind: work", "hunt.kind: play")},
    {"hunts", ":3: wrong.a: no \"hunt.symptom:\"", changed(entries, "hunt.symptom: It plays.\n", "")},
    {"hunts", ":3: wrong.a: more than one \"hunt.level:\"",
     changed(entries, "hunt.level: 1", "hunt.level: 1\nhunt.level: 2")},
    {"hunts", ":3: wrong.a: no \"hunt.line:\"", changed(entries, "hunt.line: play();\n", "")},
    {"hunts", "2 hints, but 3 are needed", changed(entries, "hunt.hint: two\n", "")},
    {"hunts", "the program has 0 lines \"stop();\"",
     changed(entries, "hunt.line: play();", "hunt.line: stop();")},
    {"hunts", "differs from the solution, but not near \"int far;\"",
     [](const SmallCourse& small) {
         small.change(solution_file, "\n// v1:", "int far;" + std::string(9, '\n') + "// v1:");
         small.change(entries, "hunt.line: play();", "hunt.line: int far;");
     }},
    {"hunts", "the first hint has the line \"play();\"", changed(entries, "It plays", "play(); plays")},
    {"hunts", "the first hint has the line \"play();\"", changed(entries, "one", "not play();")},
    // Their numbers are 1, 2, 3 ..., each once.
    {"hunts", ":3: wrong.a: no \"hunt:\"", changed(entries, "hunt: 1\n", "")},
    {"hunts", ":3: wrong.a: \"hunt: first\" is not a number", changed(entries, "hunt: 1", "hunt: first")},
    {"hunts", "add.submissions: none of the 1 hunts has the number 1",
     changed(entries, "hunt: 1", "hunt: 2")},
    {"hunts", ":19: wrong.b: hunt 1 is also wrong.a at line 3", also_a_hunt("wrong b", 1)},
    {"hunts", "add.submissions: none of the 2 hunts has the number 2", also_a_hunt("wrong b", 1)},
    {"hunts", "add.submissions: none of the 2 hunts has the number 2", also_a_hunt("wrong b", 3)},
    {"hunts", "right.way: only a wrong submission can be a hunt", also_a_hunt("right way", 2)},
    {"hunts", "tests/00_first: a topic needs at least one hunt", not_a_hunt},
    {"hunts", "there are 1 hunts, but a course of several topics needs 100",
     changed(manifest, "topic 00_first", "topic 01_second Second\ntopic 00_first")},
    {"hints", "no section \"## add\"", changed(tasks, "## add", "## sub")},
    {"hints", "TODO(1) has no heading", changed(tasks, "### Task 1", "### Chore 1")},
    {"hints", "Task 2 has no TODO", changed(tasks, "### Task 1", "### Task 2")},
    {"hints", "2 hints, 3 are needed", changed(tasks, "<summary>Hint 2", "<summary>Remark")},
    {"hints", "hint 2 is not headed", changed(tasks, "a pointer", "pointer")},
    {"hints", "hint 3 is not headed", changed(tasks, "near-code", "code")},
    {"hints", "hint 2 says nothing", changed(tasks, "Look at the guard.\n", "")},
    {"hints", "asks no question", changed(tasks, "Which element?", "Element 3.")},
    // Rule "links": their targets must exist.
    {"links", "README.md:2: link to gone.md, which does not exist", written("README.md", "\n[a](gone.md)")},
    {"links", "link to gone.svg", written("lectures/00_first/more.md", "<img src=\"gone.svg\">")},
    {"links", "no link to ../../exercises", written(lecture, "none")},
    // Rule "code": a block must equal its region.
    {"code", "README.md:6: is not what", changed(lecture, "work();", "play();")},
    {"code", "is not what", changed(lecture, "KIT_TODO(1);", "work();")},
    {"code", "is not what", changed(lecture, "<details>", "<details open>")},
    {"code", "is not what", changed(lecture, "void add() {\n    // TODO", "void sub() {\n    // TODO")},
    {"code", "is not what", changed(lecture, "    work();\n", "")},
    {"code", "is not what", changed(lecture, "work();\n}", "work();\n}\nmore")},
    {"code", "README.md:6: is not what",
     changed(lecture, "-->\n```cpp\nvoid add() {\n    // TODO(1): Add. About 1 line.\n    KIT_TODO(1);\n}\n",
             "-->\n```cpp\n")},
    {"code", "add.cu: no region // [kernel]", changed(solution_file, "// [/kernel]", "// [/k]")},
    {"code", "gone.cu: not there", changed(lecture, "00_first/add.cu kernel", "gone.cu kernel")},
    {"code", "code without a line", changed(lecture, "<!-- code:", "<!-- see:")},
    {"code", "expected <!-- code: FILE REGION -->", changed(lecture, "add.cu kernel", "add.cu")},
    {"code", "expected <!-- code: FILE REGION -->", changed(lecture, "-->\n```cpp", "-->\n\n```cpp")},
    {"code", "race.md:5: is not what", changed(race, "work();", "play();")},
    // Rule "visible": no page of the lectures or tasks may show solutions, even if they were typed again.
    {"visible",
     "README.md:8: the page shows 1 of 1 lines of solutions/00_first/add.cu that its starter lacks",
     changed(lecture, "// TODO(1): Add. About 1 line.", "work();")},
    {"visible", "README.md:16: the page shows 1 of 1 lines",
     changed(lecture, "<details><summary>After you have done the exercise</summary>\n", "")},
    {"visible", "more.md:2: the page shows 1 of 1 lines",
     written("lectures/00_first/more.md", "```\nwork( ) ;  // typed\n```\n")},
    {"visible", "exercises/00_first/README.md",
     changed(tasks, "### Task 1", "```\nwork();\n```\n\n### Task 1")},
    {"visible", "slides/00_first.md: the slides before the exercises show 1 of 1 lines",
     [](const SmallCourse& small) {
         std::string text = read_text(small.path / deck);
         const std::size_t at = text.find("<!-- _class: exercises");
         CHECK(at != std::string::npos);
         small.write(deck, text.insert(at, "<!-- code: solutions/00_first/add.cu kernel -->\n\n---\n"));
     }},
    // Rule "copied": no file of the copy for students may contain a solution, whatever its line breaks.
    {"copied", "tests/00_first/more.hpp: the copy for students shows 1 line of solutions/00_first/add.cu",
     [](const SmallCourse& small) {
         small.change(solution_file, "    work();",
                      "    int sum_of_two = in[threadIdx.x] + in[threadIdx.x + 1];");
         small.write("tests/00_first/more.hpp",
                     "int sum_of_two =\n    in[threadIdx.x] +  // typed again\n    in[threadIdx.x + 1];\n");
     }},
    {"copied", "lectures/00_first/sum.svg: the copy for students shows 4 lines of solutions/00_first/add.cu",
     [](const SmallCourse& small) {
         const std::string lines =
             "    int left = in[threadIdx.x];\n    int right = in[threadIdx.x + 1];\n    int product = left "
             "* "
             "right + offset;\n";
         small.change(solution_file, "    work();\n", lines + "    out[threadIdx.x] = product;\n");
         small.write("lectures/00_first/sum.svg",
                     "<text>" + replaced(lines, "\n", "</text>\n<text>") + "</text>\n");
     }},
    // Rule "diagnoses": a page for each kind, and a kind for each page.
    {"diagnoses", "gone.md: there are no findings of this kind", written("lectures/diagnoses/gone.md")},
    {"diagnoses", "trap.md: missing", gone("lectures/diagnoses/trap.md")},
    {"diagnoses", "race.md: no line <!-- report", changed(race, "report:", "r:")},
    {"diagnoses", "race.md: no line <!-- report",
     changed(race, "<!-- report: race -->", "`<!-- report: race -->`")},
    {"diagnoses", "stack.md: no PLANTED or ALONE", changed(examples, "ALONE", "SILENT")},
    {"diagnoses", "trap.md: no PLANTED or ALONE", changed(examples, "\"trap\"", "\"a\"")},
    {"diagnoses", "no link to race.md", changed(index_page, "](race", "](rice")},
    // Rule "submissions": three wrong ones, each with a verdict and a screen (see submissions_test.cpp).
    {"submissions", "2 wrong submissions, at least 3", changed(entries, "== wrong c", "== right c")},
    {"submissions", ":3: wrong.a: no \"what:\"", changed(entries, "what: x\nkind: race", "kind: race")},
    {"submissions", ":3: wrong.a: still to be written: what", changed(entries, "what: x", "what: WRITE: x")},
    {"submissions", "\"kind: \" is not in common/diagnoses.hpp", changed(entries, "kind: race\n", "")},
    {"submissions", "\"kind: rice\" is not in", changed(entries, "kind: race", "kind: rice")},
    {"submissions", "\"kind: rice\" is not in",
     changed(entries, "kind: nan | tail", "kind: nan\nkind.gpu: rice")},
    {"submissions", "\"kind: nan | rice\" is not in", changed(entries, "kind: race", "kind: nan | rice")},
    {"submissions", "\"task: 2\" is no task of this exercise", changed(entries, "task: 1", "task: 2")},
    {"submissions", "\"task: \" is no task", changed(entries, "task: none\n", "")},
    {"submissions", ":3: wrong.a: it changes region 1, and \"task: none\" has none of them",
     changed(entries, "task: 1\nat", "task: none\nat")},
    {"submissions", "\"task: none | 1\" has none of them",
     changed(entries, "task: 1\nat", "task: none | 1\nat")},
    {"submissions", "wrong.b: it changes region 1",
     changed(entries, "void add() {\n-- with\nvoid add(int) {", "    work();\n-- with\n    rest();")},
    {"submissions", "\"task-why:\" is not needed",
     changed(entries, "task: 1\nat", "task: 1\ntask-why: x\nat")},
    {"submissions", "no \"better:\" says what it should be",
     changed(entries, "kind: race\ntask: 1", "kind: passed")},
    {"submissions", "no \"better:\" says what it should be",
     changed(entries, "== right way", "== right way\nkind: race\ntask: 1")},
    {"submissions", "other.c: no \"demand:\" says which method",
     changed(entries, "== wrong c", "== other c")},
    {"submissions", "\"backends:\" is not", changed(entries, "cpu (a reason)", "cpu a reason")},
    {"submissions", "add.submissions:16: wrong.a: solutions/00_first/add.cu has no region 2",
     changed(entries, "-- region 1\n    play", "-- region 2\n    play")},
    {"submissions", "add.submissions:3: \"hint\" is unknown here",
     [](const SmallCourse& small) { small.write(entries, "\n== wrong a\nhint: x\n"); }},
    {"submissions", "it changes 41 lines in a row",
     [](const SmallCourse& small) {
         std::string lines;
         for (int i = 0; i < 40; ++i) lines += "    play();\n";
         small.change(entries, "    play();\n", lines);
     }},
    {"submissions", "there is no exercise 00_first/sub", written("tests/00_first/sub.submissions")},
    {"submissions", "sub.screens: is not TOPIC.screens", written("tests/00_first/sub.screens")},
    {"submissions", "00_first.screens: wrong add.c is missing",
     changed(screens, "== wrong add.c", "== wrong add.d")},
    {"submissions", "00_first.screens: wrong add.a is not needed",
     changed(entries, "what: x", "what: x\nscreen: varies")},
    {"submissions", "is not as kit_author accept writes it",
     changed(screens, "== wrong add.c", "\n== wrong add.c")},
    // Rule "evidence": each misconception has a wrong submission, and quotes words of its screen.
    {"evidence", "misconceptions.md:5: tests/00_first/add.submissions has no entry \"== wrong d\"",
     changed(believed, "[add.a]", "[add.d]")},
    {"evidence", "add_a is not in tests/00_first/add.submissions", changed(believed, "[add.a]", "[add_a]")},
    {"evidence", "sub.a is not in tests/00_first/sub.submissions",
     changed(believed, "[add.a](../tests/00_first/add", "[sub.a](../tests/00_first/sub")},
    {"evidence", "00_first.screens does not say \"z\" of a", changed(believed, "`yes`", "`z`")},
    {"evidence", "before words that only this backend prints for b", changed(believed, "CPU: ", "")},
    {"evidence", "before words that only this backend prints for b", changed(believed, "CPU: ", "GPU: ")},
    {"evidence", "before words that only this backend prints for b",
     changed(entries, "backends: cpu", "backends: gpu")},
    {"evidence", "no row about 00_first", written(believed, "# Misconceptions\n")},
    {"evidence", "no row about 00_first", gone(believed)},
    // Rule "glossary": each term is introduced once, in bold, and the glossary names the place.
    {"glossary", "README.md:3: **sum** is not in lectures/glossary.md",
     changed(lecture, "**word**", "**word** and **sum**")},
    {"glossary", "README.md:3: **word** was introduced in lectures/00_first/README.md:3",
     changed(lecture, "**word**", "**word** or **word**")},
    {"glossary", "more.md:1: **word** was introduced in lectures/00_first/README.md:3",
     written("lectures/00_first/more.md", "A **word**.\n")},
    {"glossary", "glossary.md:5: \"word\" is not in bold where the link leads",
     changed(lecture, "**word**", "*word*")},
    {"glossary", "glossary.md:5: \"word\" is not in bold", changed(terms, "README.md)", "README.md#end)")},
    {"glossary", "glossary.md:5: \"word\" is not in bold", changed(terms, "[00](00_first/README.md)", "00")},
    {"glossary", "glossary.md:6: \"word\" is in line 5, too",
     changed(terms, "README.md) |\n", "README.md) |\n| sentence (word) | x | [00](00_first/README.md) |\n")},
    {"glossary", "glossary.md: no table", changed(terms, "| term ", "| name ")},
    // Rule "reading": lectures name their prerequisites, which come earlier in the guide's order.
    {"reading", "README.md: no paragraph \"**Prerequisites.** ...\"",
     changed(lecture, "**Prerequisites.** ", "")},
    {"reading", "more.md: no paragraph", written("lectures/00_first/more.md", "# More\n")},
    {"reading", "the reading order lacks lectures/00_first/more.md",
     written("lectures/00_first/more.md", "**Prerequisites.** [00](README.md)\n")},
    {"reading", "the reading order lacks lectures/00_first/README.md", changed(order, "| 00 |", "| 01 |")},
    {"reading", "instructors_guide.md: no table below", changed(order, "Reading order", "Order")},
    {"reading", "README.md:3: lectures/00_first/README.md has no heading #2-sums",
     changed(lecture, "A **word** of C++.", "[00](README.md#2-sums).")},
    {"reading",
     "README.md:3: needs README.md, which is step 1 of the reading order in lectures/instructors_guide.md, "
     "and this is "
     "step 1",
     changed(lecture, "A **word** of C++.", "[00](README.md).")},
    // Rule "needs": the options of nvcc are those in the manifest.
    {"needs", "solutions/00_first/add.cu: the line for nvcc has no -lnccl",
     changed(facts, "a sum\n", "a sum\n  library nccl\n")},
    {"needs", "the line for nvcc has no -arch=", changed(facts, "a sum\n", "a sum\n  architecture sm_90\n")},
    {"needs", "the line for nvcc has no -rdc=true",
     changed(facts, "learn x\n", "learn x\nbuild DEVICE_LAUNCH\n")},
    {"needs", "the line for nvcc has -rdc=true, and by common/course/manifest.txt it needs none",
     changed(solution_file, "-std=c++17", "-std=c++17 -rdc=true")},
    {"needs", "exercises/00_first/README.md:1: the line for nvcc has -lnvshmem_host",
     written(tasks, "nvcc exercises/00_first/add.cu -lnvshmem_host\n")},
    // Rule "counted": a demand that the contract does not name, and a name without a demand.
    {"counted",
     "add_test.cu: the test counts \"loads\", and tests/00_first/00_first.hpp does not say so: its list",
     written(test, "void f(kit::Case& test) {\n    test.demand(\n        \"loads\", true);\n}\n")},
    {"counted", "00_first.hpp says that \"loads\" is counted, and no case does",
     written(contract, "/// What is counted:\n///   - add: loads\n")},
    {"counted", "00_first.hpp: \"What is counted\" names sub, which is not an exercise",
     written(contract, "/// What is counted:\n///   - sub: loads\n")},
    {"counted", "00_first.hpp: no line \"/// What the host may compute: nothing.\"",
     changed(contract, "the host may", "may")},
    {"counted", "00_first.hpp: \"What the host may compute\" names sub, which is not an exercise",
     changed(contract, "compute: nothing", "compute: sub")},
    {"counted",
     "add_test.cu: the contract lets the host compute this, and the test does not call host_may_compute()",
     changed(contract, "compute: nothing", "compute: add, sub")},
    {"counted", "add_test.cu: calls host_may_compute(), and the contract does not say so",
     written(test, "int main() {\n    grader.host_may_compute();\n}\n")},
    // Rule "written": the purpose in a solution is that of the manifest, a TODO has the lines of its region, and
    // the contract has the demands of the test.
    {"written",
     "solutions/00_first/add.cu:1: has \"// 00_first/add: a sum.\", and should have \"// 00_first/add: "
     "all.\"",
     changed(facts, "a sum\n", "all\n")},
    {"written",
     "add.cu:11: has \"// TODO(1): Add. About 1 line.\", and should have \"// TODO(1): Add. About 2 lines.\"",
     changed(solution_file, "    work();", "    work();\n\n    more();")},
    {"written", "add.cu:11: TODO(1) does not say how many lines are missing",
     changed(solution_file, "About 1 line", "About one line")},
    {"written", "add.cu:11: TODO(1) does not say how many lines are missing",
     changed(solution_file, "About 1 line", "1 or 2 lines")},
    {"written",
     "00_first.hpp:2: has \"///   - add: loads\", and should have \"///   - add: stores, threads\"",
     [](const SmallCourse& small) {
         small.write(contract,
                     "/// What is counted:\n///   - add: loads\n/// What the host may compute: nothing.\n");
         small.write(test,
                     "void f(kit::Case& test) {\n    test.demand(\"threads\", true);\n    "
                     "test.demand(\"stores\", true);\n}\n");
     }},
    {"written", "and should have \"/// What the host may compute: add.\"",
     written(test, "int main() {\n    grader.host_may_compute();\n}\n")},
    // Rule "links", for pages and pictures.
    {"links",
     "README.md:2: link to lectures/00_first/README.md#gone, and lectures/00_first/README.md has no such "
     "heading",
     written("README.md", "\n[a](lectures/00_first/README.md#gone)")},
    {"links", "README.md:2: link to #gone, and README.md has no such heading",
     written("README.md", "\n[a](#gone)")},
    {"links", "README.md: has 2 headings of the first level", written("README.md", "# a\n# b\n")},
    {"links", "README.md:2: a picture without alternative text",
     written("README.md", "# a\n![](lectures/a.svg)\n")},
    // Rule "lists": the tables in README.md, tasks and decks are those of the manifest.
    {"lists", "README.md:7: the table of topics should be \"| [00 First](lectures/00_first/README.md)",
     changed("README.md", "| x | `add`", "| y | `add`")},
    {"lists", "README.md:1: no table of topics", changed("README.md", "<!-- topics -->", "")},
    {"lists", "README.md:3: this table does not end", changed("README.md", "<!-- /topics -->", "")},
    {"lists",
     "exercises/00_first/README.md:7: the table of exercises should be \"| [add](#add) | a sum | 1 line |\"",
     changed(tasks, "| 1 line |", "| 2 lines |")},
    {"lists", "exercises/00_first/README.md:1: no table of exercises",
     changed(tasks, "<!-- exercises -->", "")},
    {"lists", "slides/00_first.md:25: the table of exercises should be \"| `add` | a sum | 1 |\"",
     changed(deck, "| `add` | a sum | 1 |\n", "")},
    {"lists", "slides/00_first.md:1: no table of exercises", changed(deck, "<!-- exercises -->", "")},
    {"lists", "slides/00_first.md:21: 00_first has no exercise sub",
     changed(deck, "<!-- exercises -->", "<!-- exercises: sub -->")},
    {"lists", "should be \"| `add` (stretch, sm_90) | a sum | 1 |\"",
     changed(facts, "a sum\n", "a sum\n  stretch\n  architecture sm_90\n")},
    // Rule "titles": the titles are those of the manifest.
    {"titles", "lectures/00_first/README.md: no line \"# 00 First\"",
     changed(lecture, "# 00 First", "# 00 Start")},
    {"titles", "exercises/00_first/README.md: no line \"# 00 First: the exercises\"",
     changed(tasks, "First: the", "Start: the")},
    {"titles", "slides/00_first.md: no line \"title: 00 First\"",
     changed(deck, "title: 00 First", "title: 00 Start")},
    {"titles", "slides/00_first.md: no line \"# **00** First\"",
     changed(deck, "# **00** First", "# **00** Start")},
    {"titles", "glossary.md:5: the link is called \"00 Start\", and the topic \"00 First\"",
     changed(terms, "[00]", "[00\nStart]")},
    // Rule "plan": the guide has a row for each topic, with its exercises and the minutes of its deck.
    {"plan", "instructors_guide.md: the row of 00_first does not name `add`",
     changed(order, "`add`", "`sub`")},
    {"plan", "instructors_guide.md: \"## 14 weeks\" has no row for 00_first",
     changed(order, "| 1 | [00", "## Later\n\n| 1 | [00")},
    {"plan", "the notes of slides/00_first.md take 20 minutes, and the row of the topic does not say so",
     changed(order, "| 20 |", "| 21 |")},
    {"plan", "slides/00_first.md takes 109 minutes, and a lecture has 90",
     changed(deck, "Time: 1 min", "Time: 90 min")},
    {"plan", "instructors_guide.md: no section \"## 14 weeks\"", changed(order, "14 weeks", "Weeks")},
    // Rule "decks": mistakes in their text (see deck_test.cpp) and in their shape.
    {"files", "slides/00_first.md: missing (the deck", gone(deck)},
    {"decks", "slides/00_first.md:7: there is no solutions/gone.cu",
     changed(deck, "# **00** First\n", "`solutions/gone.cu`\n\n`solutions/gone.cu`\n")},
    {"decks", "slides/00_first.md, slide 4 \"Your turn\": its notes do not begin with",
     changed(deck, "Time: 1 min.\nSay", "Say")},
    {"decks", "slides/00_first.md, slide 2 \"Which one?\": has no notes",
     changed(deck, "<!-- Time: 1 min. -->", "")},
    {"decks", "slide 15 \"\": has no headline", changed(deck, "## Point 15", "Point 15")},
    {"decks", "slide 1 \"00 First\": the deck has 14 slides, and must have 15 to 30",
     changed(deck, "\n---\n## Point 15\n", "\n")},
    {"decks", "the first slide must have the class title", changed(deck, "class: title", "class: small")},
    {"decks", "slides/00_more.md, slide 1 \"00 More\": the deck has 1 slides",  // a deck of an appendix
     written("slides/00_more.md", "---\ntitle: 00 More\n---\n# 00 More\n")},
    {"decks", "the deck has no slide of class exercises", changed(deck, "class: exercises", "class: small")},
    {"decks", "the deck has no slide of class chart", written("lectures/00_first/figures/chart_a.svg")},
    {"decks", "slide 3 \"Run it\": a demo needs a slide of class predict directly before it",
     changed(deck, "class: predict", "class: small")},
    // Rules "numbers" and "records": see numbers_test.cpp and records_test.cpp.
    {"numbers", "README.md:23: the block <!-- numbers at the end has no line gain = ...",
     [](const SmallCourse& small) { small.write(lecture, small.read(lecture) + "\n2.0<!--=gain-->\n"); }},
    {"records", "one.json", written("lectures/00_first/results/one.json", "{}")},
    // Rule "commands": the targets, presets and files in commands must exist.
    {"commands", "no build preset \"docs\"",
     changed("README.md", "--build --preset exercises", "--build --preset docs")},
    {"commands", "no configure preset \"base\"",
     changed("README.md", "cmake --preset exercises", "cmake --preset base")},
    {"commands", "no test preset \"exams\"",
     changed("README.md", "ctest --preset exercises", "ctest --preset exams")},
    {"commands", "no topic has demo.01_first", changed("README.md", "demo.00", "demo.01")},
    {"commands", "no exercise is called first.sub", changed("README.md", "-R first.add", "-R first.sub")},
    {"commands", "lectures/00_first/README.md:22: CMakePresets.json has no workflow preset \"x\"",
     [](const SmallCourse& small) {
         small.write(lecture, small.read(lecture) + "`cmake --workflow --preset x`\n");
     }},
    {"commands", "CMakePresets.json", written("CMakePresets.json", "{")},
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

TEST_CASE("locals: values that change, references and host code are accepted") {
    const SmallCourse small;
    small.change(solution_file, "    work();", "    const int* from = in;\n    const float& x = *from;");
    small.write("lectures/00_first/demo.cu",
                "__device__ void add(int n) {\n"
                "    int sum = 0;\n    for (int k = 0; k < n; ++k) sum += k;\n"
                "    int count = 0;\n    atomicAdd(&count, sum);\n"
                "    float4 four = {};\n    four.x = 1;\n"
                "    int low = 0, high = n;\n    while (low < high) --high;\n"
                "    const int last = n - 1;\n"
                "}\n"
                "int main() {\n    int i = 0;\n}\n");
    CHECK(joined(complaints_of("locals", small.course()), "\n") == "");
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

TEST_CASE("every rule is tried, and has a test course.NAME") {
    Lines names;
    for (const Rule& rule : rules) {
        names.push_back(rule.name);
        const auto is_of_it = [&](const Broken& broken) { return broken.rule == rule.name; };
        CHECK_MESSAGE(std::any_of(std::begin(all), std::end(all), is_of_it), std::string(rule.name));
    }
    CHECK(joined(names, " ") == KIT_NAMES_OF_RULES);
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
