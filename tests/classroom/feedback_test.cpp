// Tests of the feedback for one student: it has all results of the student, and nothing about other students,
// the seed or the machine.
#include <doctest/doctest.h>

#include "made_up_class.hpp"
#include "reports.hpp"

namespace feedback_test {

using namespace classroom;
using namespace classroom_test;

TEST_CASE("paths and seeds stay with the instructor") {
    MadeUpClass made;
    Student& ada = made.add("ada");
    Entry& entry = made.hand_in(ada, "07_reduction/tree", "wrong");
    entry.verdict.seed = "918273645";
    const std::string root = made.course.root.string();
    const auto told = [&](const std::string& text) {
        return told_to(made.graded, ada, made.exercise("07_reduction/tree"), text);
    };
    CHECK(told("07_reduction/tree   CPU executor as NVIDIA H200   seed 918273645\nx") ==
          "07_reduction/tree   CPU executor as NVIDIA H200\nx");
    CHECK(told("my seed 918273645, told 918273645!") == "my, told ...!");
    CHECK(told("x918273645y 9182736450") == "x918273645y 9182736450");
    CHECK(told(entry.file.string() + ":18: error") == "exercises/07_reduction/tree.cu:18: error");
    CHECK(told("    " + root + "/tests/07_reduction/tree_test.cu:3") ==
          "    tests/07_reduction/tree_test.cu:3");
    CHECK(told("/scratch/run_17/tree.cu:18:3: error") == "exercises/07_reduction/tree.cu:18:3: error");
    CHECK(told("(/usr/include/c++/12/vector:5)") == "(vector:5)");
    CHECK(told("In file included from /home/prof/kit/common/kit.cuh:3:") ==
          "In file included from kit.cuh:3:");
    CHECK(told("18 | a = b / c; // x/y and 1/2, a/b/c, and/or") ==
          "18 | a = b / c; // x/y and 1/2, a/b/c, and/or");
    CHECK(told("/* a comment */ x /= 2") == "/* a comment */ x /= 2");
    CHECK(told("lectures/diagnoses/race.md") == "lectures/diagnoses/race.md");
    CHECK(told("Zo\xeb") == "Zo\xc3\xab");

    entry.verdict.seed = "";  // the report contains the seed anyway
    CHECK(told("07_reduction/tree   CPU executor   seed 99887766\n99887766\n") ==
          "07_reduction/tree   CPU executor\n...\n");
    entry.verdict.seed = "1";  // other numbers 1 are not the seed
    CHECK(told("seed 1\n1 of 12, seed 12") == "\n1 of 12, seed 12");
    entry.file = made.path / "a folder with blanks" / "07_reduction/tree.cu";
    CHECK(told("see " + entry.file.string() + ":4") == "see exercises/07_reduction/tree.cu:4");
}

TEST_CASE("remarks that name somebody else are not passed on") {
    MadeUpClass made;
    made.add("ada", "Ada Lovelace");
    made.add("bob", "Bob");
    Student& ada = made.graded.students[0];
    ada.remarks = {
        "the archive is broken",         "handed in twice, also as bob", "the same as Bob's", "a bobbin",
        "read /srv/class/ada.zip twice", "ada is handed in twice"};
    CHECK(remarks_for(made.graded, ada) ==
          Lines{"the archive is broken", "a bobbin", "read ada.zip twice", "ada is handed in twice"});
}

TEST_CASE("what to do next") {
    MadeUpClass made;
    Student& ada = made.add("ada");
    const auto next = [&] {
        Lines lines;
        for (const Step& step : next_for(made.graded, ada)) {
            lines.push_back(step.words);
            if (!step.command.empty()) lines.push_back(step.command);
        }
        return course::joined(lines, "\n");
    };
    CHECK(
        next() ==
        "Hand in `exercises/07_reduction/tree.cu`: start with Task 1 in `exercises/07_reduction/README.md`.\n"
        "Then grade it yourself:\nctest --preset exercises -R 'reduction.tree$'");
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in(ada, "07_reduction/fast", "open", "KIT_TODO(1);\n").is_starter = true;
    CHECK(contains(
        next(),
        "Start with `exercises/07_reduction/fast.cu`: do Task 1 in `exercises/07_reduction/README.md`."));
    // Exercises that the student has edited come before the others.
    made.hand_in_wrong(ada, "08_scan/compact",
                       {case_of("a", "fail", kit::Diagnosis::tail, {3}), race_in("b", {1})})
        .verdict.told = "b";
    CHECK(next() ==
          "Edit `exercises/08_scan/compact.cu`: it is wrong, see Task 1 in `exercises/08_scan/README.md`.\n"
          "Read `lectures/diagnoses/race.md`.\n"
          "Then grade it yourself:\nctest --preset exercises -R 'scan.compact$'");
    made.hand_in(ada, "07_reduction/fast", "open", "done();\nKIT_TODO(2);\n");
    CHECK(contains(next(), "TODO(2) is still open; it is Task 2 in `exercises/07_reduction/README.md`."));
    made.hand_in(ada, "07_reduction/fast", "broken");
    CHECK(contains(next(), "fix the first error that the compiler reports"));
    made.hand_in(ada, "07_reduction/fast", "pass");
    made.hand_in(ada, "08_scan/compact", "pass");
    CHECK(next() == "All exercises are right. Well done!");
    made.hand_in(ada, "07_reduction/tree", course::other_method).verdict.cases = {
        case_of("a", course::other_method, kit::Diagnosis::wrong_value, {3})};
    CHECK(next() ==
          "Edit `exercises/07_reduction/tree.cu`: it is right, but not as the exercise asks, see Task 3 in "
          "`exercises/07_reduction/README.md`.\n"
          "Then grade it yourself:\nctest --preset exercises -R 'reduction.tree$'");
    made.hand_in(ada, "08_scan/compact", "open").is_starter =
        true;  // comes first in the feedback, although it is later in the course
    CHECK(contains(next(), "Start with `exercises/08_scan/compact.cu`"));
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in(ada, "08_scan/compact", "pass");
    ada.entries["08_scan/compact"].outcome = "";
    CHECK(next() == "Wait for the rest of the grading.");
    made.graded.exercises.clear();
    CHECK(next() == "Nothing was graded.");
}

TEST_CASE("what to do next with a bug hunt") {
    MadeUpClass made;
    Student& ada = made.add("ada");
    ada.entries["07_reduction/tree"].hunt = "reduction.tree.1";
    const std::vector<Step> steps = next_for(made.graded, ada);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].words ==
          "Repair `exercises/hunts/reduction.tree.1.cu`, and name the line and the kind of its mistake.");
    CHECK(steps[1].command == "build/course/kit_course hunt reduction.tree.1");
}

TEST_CASE("the whole feedback, with nothing of others in it") {
    MadeUpClass made;
    made.add("ada", "Ada *Lovelace*, <script>");
    Student& eve = made.add("s4711", "Eve Unmistakable");
    made.hand_in(eve, "07_reduction/tree", "pass", "other\n");
    Student& ada = made.graded.students[0];
    Entry& wrong = made.hand_in_wrong(ada, "07_reduction/tree", {case_of("a", "pass"), race_in("b", {2})});
    wrong.verdict.output = "07_reduction/tree   CPU executor   seed 918273645\n\nWRONG  race\n" +
                           wrong.file.string() + ":7\n```\n<b>printed</b>\n";
    wrong.verdict.seed = "918273645";
    made.hand_in(ada, "08_scan/compact", "broken").sentence =
        "does not compile: line 3 of " + made.path.string() + "/x/compact.cu";
    const Points points = Points::parse(R"({"partial": "cases"})", "p", made.course);

    const std::string markdown = feedback_markdown(made.graded, ada, points);
    CHECK(markdown.find("# Ada \\*Lovelace\\*, &lt;script&gt;\n\n**0.5 of 3 points**\n") == 0);
    CHECK(contains(markdown, "| `07_reduction/tree` | wrong | 0.5 of 1 point (1 of 2 cases) |\n"));
    CHECK(contains(markdown, "| `07_reduction/fast` | missing | 0 of 1 point |\n"));
    CHECK(contains(
        markdown,
        "````text\n07_reduction/tree   CPU executor\n\nWRONG  race\nexercises/07_reduction/tree.cu:7\n```\n"
        "<b>printed</b>\n````\n\nRead: `lectures/diagnoses/race.md`\n"));
    CHECK(contains(markdown,
                   "## 08_scan/compact: does not compile\n\ndoes not compile: line 3 of "
                   "exercises/08_scan/compact.cu\n"));
    // A line of the raw file is the command: nothing in it is quoted for Markdown.
    CHECK(
        contains(markdown,
                 "- Then grade it yourself:\n\n```sh\nctest --preset exercises -R 'reduction.tree$'\n```\n"));
    CHECK(contains(markdown,
                   "- Edit `exercises/07_reduction/tree.cu`: it is wrong, see Task 2 in "
                   "`exercises/07_reduction/README.md`.\n"));
    CHECK(!contains(markdown, "## 07_reduction/fast"));

    const std::string html = feedback_html(made.graded, ada, points);
    CHECK(contains(html, "Ada *Lovelace*, &lt;script&gt;"));
    CHECK(contains(html, "&lt;b&gt;printed&lt;/b&gt;"));
    CHECK(contains(html, "exercises/07_reduction/tree.cu:7"));
    CHECK(contains(html,
                   "<pre tabindex=\"0\">ctest --preset exercises -R &#39;reduction.tree$&#39;</pre></li>"));
    CHECK(contains(html, "<li>Edit <code>exercises/07_reduction/tree.cu</code>: it is wrong, see Task 2"));
    CHECK(contains(html, "Read: <code>lectures/diagnoses/race.md</code>"));
    for (const std::string& text : {markdown, html}) {
        CHECK(!contains(text, "<script"));
        CHECK(!contains(text, "918273645"));
        CHECK(!contains(text, "Unmistakable"));
        CHECK(!contains(text, "s4711"));
        CHECK(!contains(text, made.path.string()));
    }
}

}  // namespace feedback_test
