#include "submissions.hpp"

#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "expected.hpp"
#include "small_course.hpp"

namespace submissions_test {

using course::Entry;
using course::Lines;
using course::Submissions;
using course_test::error_of;
using course_test::SmallCourse;

namespace {

const Lines solution = course::lines_of(
    "#include <a>\nhead\n{\n// BEGIN SOLUTION 1\none\n\ntwo\n// STARTER KIT_TODO(1);\n// END SOLUTION "
    "1\n}\n{\n"
    "// BEGIN SOLUTION 2\ntwo\n// END SOLUTION 2\n}\ntail\n");
const std::string plain = "#include <a>\nhead\n{\none\n\ntwo\n}\n{\ntwo\n}\ntail\n";

Submissions read(const std::string& text) {
    return Submissions("s.submissions", text);
}

/// Returns the program of an entry with these changes.
std::string program(const std::string& changes, const Lines& text = solution) {
    const Submissions all = read("== wrong a\nwhat: x\n" + changes);
    return course::text_of(all.program(all.entries()[0], "s.cu", text));
}

std::string complaint(const std::string& changes, const Lines& text = solution) {
    return error_of([&] { program(changes, text); });
}

}  // namespace

TEST_CASE("an entry says what it is, and what the verdict must be") {
    const Submissions all = read(
        "# About\n\n== wrong no_barrier\nwhat: x: y\n# a remark\nkind: race\nkind.gpu: nan\nat: a\nat: b\n"
        "-- region 1\n\n    x\n\n\n== right other_way\nwhat: z\n-- top\nint x;\n");
    REQUIRE(all.entries().size() == 2);
    const Entry& one = all.entry("wrong.no_barrier");
    CHECK(one.line == 3);
    CHECK(one.value("what") == "x: y");
    CHECK(one.values("at") == Lines{"a", "b"});
    CHECK(one.value("task").empty());
    CHECK(one.expected("kind", "cpu") == "race");
    CHECK(one.expected("kind", "gpu") == "nan");
    CHECK(one.changes[0].after == Lines{"", "    x"});  // blank lines at the end only separate entries
    CHECK(all.find("wrong.other_way") == nullptr);
    CHECK(error_of([&] { all.entry("right.third"); }) == "s.submissions: has no entry \"== right third\"");
    CHECK(course::text_of(lines_of(all.entry("right.other_way"))) ==
          "== right other_way\nwhat: z\n-- top\nint x;\n");
}

TEST_CASE("an entry of another method") {
    const Submissions all =
        read("== other loop\nwhat: x\ntask: 1\ndemand: threads\nkind.gpu: other_method\n-- top\nint x;\n");
    const Entry& one = all.entry("other.loop");
    CHECK(one.kind == "other");
    CHECK(one.value("demand") == "threads");
    CHECK(course::lines_of(one)[0] == "== other loop");
    CHECK(course::usual_kind(one, "cpu") == course::other_method);
    CHECK(course::usual_kind(one, "gpu") == "passed");
}

TEST_CASE("what is not understood is refused, with its line") {
    const auto refused = [](const std::string& text) { return error_of([&] { read(text); }); };
    CHECK(refused("x\n") == "s.submissions:1: expected \"== wrong NAME\"");
    CHECK(refused("== strange a\n").find(":1: expected \"== wrong NAME\", \"== other NAME\" or") !=
          std::string::npos);
    CHECK(refused("== wrong a b\n").find(":1: expected") != std::string::npos);
    CHECK(refused("== wrong a\nhint: x\n-- top\nx\n").find(":2: \"hint\" is unknown here") !=
          std::string::npos);
    CHECK(refused("== wrong a\nwhat.gpu: x\n-- top\nx\n").find(":2: \"what.gpu\" is unknown") !=
          std::string::npos);
    CHECK(refused("== wrong a\nkind\n-- top\nx\n").find(":2: \"kind\" is unknown") != std::string::npos);
    CHECK(refused("== wrong a\n-- regoin 1\nx\n").find(":2: expected \"-- region NUMBER\"") !=
          std::string::npos);
    CHECK(refused("== wrong a\n-- with\nx\n").find(":2: expected") != std::string::npos);
    CHECK(refused("== wrong a\n-- replace\nx\n").find(":2: \"-- replace\" needs") != std::string::npos);
    CHECK(refused("== wrong a\n-- replace\n-- with\nx\n").find(":2: \"-- replace\" needs") !=
          std::string::npos);
    CHECK(refused("== wrong a\nwhat: x\n").find(":1: wrong.a changes nothing") != std::string::npos);
    CHECK(refused("== wrong a\n-- top\nx\n== right a\n-- top\nx\n").find(":4: a is also at line 1") !=
          std::string::npos);
}

TEST_CASE("the program is the solution without marks, and with the changes") {
    const auto changed = [](const std::string& from, const std::string& to) {
        return course::replaced(plain, from, to);
    };
    CHECK(course::text_of(course::without_marks(solution).lines) == plain);
    CHECK(program("-- region 1\n  three\n") == changed("{\none\n\ntwo\n}", "{\n  three\n}"));
    CHECK(program("-- region 2\n") == changed("{\ntwo\n}", "{\n}"));
    CHECK(program("-- region 2\nb\n-- region 1\na\n") == "#include <a>\nhead\n{\na\n}\n{\nb\n}\ntail\n");
    CHECK(program("-- top\nint x;\n\n") == changed("#include <a>\n", "#include <a>\nint x;\n"));
    CHECK(program("-- replace\ntail\n-- with\nend\n\nx\n") == changed("tail", "end\n\nx"));
    CHECK(program("-- replace\n}\ntail\n-- with\n}\n") == changed("tail\n", ""));
    // Text that the entry has inserted is not searched, so this text occurs only once.
    CHECK(program("-- region 1\ntwo\n-- replace\ntwo\n-- with\n2\n") ==
          "#include <a>\nhead\n{\ntwo\n}\n{\n2\n}\ntail\n");
    CHECK(program("-- replace\nhead\n-- with\ntail\n-- replace\ntail\n-- with\nx\n") ==
          "#include <a>\ntail\n{\none\n\ntwo\n}\n{\ntwo\n}\nx\n");
}

TEST_CASE("a change without a place names file, entry and what is missing") {
    CHECK(complaint("-- region 3\nx\n") == "s.submissions:3: wrong.a: s.cu has no region 3");
    CHECK(complaint("-- region 1\nx\n-- region 1\ny\n") ==
          "s.submissions:5: wrong.a: it replaces region 1 twice");
    Lines twice = solution;
    twice.insert(twice.end(), {"// BEGIN SOLUTION 1", "x", "// END SOLUTION 1"});
    CHECK(complaint("-- region 1\nx\n", twice) == "s.submissions:3: wrong.a: s.cu has several regions 1");
    CHECK(complaint("-- replace\n  gone\n-- with\nx\n") ==
          "s.submissions:3: wrong.a: s.cu does not have the text to replace, which begins with \"gone\"");
    CHECK(complaint("-- replace\ntwo\n-- with\nx\n") ==
          "s.submissions:3: wrong.a: s.cu has more than once the text to replace, which begins with \"two\"");
    // A solution may change in all other lines.
    Lines other = solution;
    other[1] = "other";
    other.insert(other.begin() + 3, {"more", ""});
    CHECK(complaint("-- region 1\nx\n-- replace\ntail\n-- with\nend\n", other).empty());
}

TEST_CASE("a submission is told by its regions, and otherwise by the least text that is unique") {
    const auto told = [](const std::string& submission) {
        Entry entry;
        entry.kind = "wrong";
        entry.name = "a";
        entry.changes = course::changes_between(solution, course::lines_of(submission));
        const std::string text = course::text_of(lines_of(entry));
        CHECK(program(text.substr(text.find("--"))) == submission);
        return text.substr(text.find("--"));
    };
    const auto changed = [](const std::string& from, const std::string& to) {
        return course::replaced(plain, from, to);
    };
    CHECK(told(changed("one", "1")) == "-- region 1\n1\n\ntwo\n");
    CHECK(told(changed("two\n}\ntail", "}\ntail")) == "-- region 2\n");
    CHECK(told(changed("two\n}\ntail", "x\ntwo\n}\ntail")) == "-- region 2\nx\ntwo\n");
    CHECK(told(changed("two\n}\ntail", "two\nx\n}\ntail")) == "-- region 2\ntwo\nx\n");
    CHECK(told(changed("head", "x")) == "-- replace\nhead\n-- with\nx\n");
    CHECK(told(changed("tail\n", "")) == "-- replace\ntail\n-- with\n");
    CHECK(told(changed("#include <a>\n", "#include <a>\nint x;\n")) == "-- top\nint x;\n");
    CHECK(told(changed("one", "1\nx").replace(13, 4, "HEAD")) ==
          "-- region 1\n1\nx\n\ntwo\n-- replace\nhead\n-- with\nHEAD\n");
    // The brace alone occurs twice, so the change needs a line of context.
    CHECK(told(changed("}\n{", "}\n\n{{")) == "-- replace\n}\n{\n-- with\n}\n\n{{\n");
    // If several regions have the same number, the number does not identify them.
    const Lines twice = course::lines_of(
        "// BEGIN SOLUTION 1\na\n// END SOLUTION 1\n// BEGIN SOLUTION 1\nb\n// END SOLUTION 1\n");
    const std::vector<Entry::Change> changes = course::changes_between(twice, {"a", "c"});
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].before == Lines{"b"});
    CHECK(changes[0].after == Lines{"c"});
    CHECK(course::changes_between(solution, solution).empty());
}

TEST_CASE("an edited copy of the solution becomes an entry, and an entry a program") {
    const SmallCourse small;
    const course::Course course = small.course();
    const std::string before = small.read("tests/00_first/add.submissions"),
                      text = course::replaced(SmallCourse::solution, "work();", "walk();");
    small.write("copy.cu", text);
    const std::string copy = small.path / "copy.cu", out = small.path / "out.cu";
    CHECK(course::command_submit(course, {"00_first/add", "wrong.a", copy}) == 0);
    CHECK(small.read("tests/00_first/add.submissions") ==
          course::replaced(before, "    play();\n", "    walk();\n"));
    CHECK(course::command_submit(course, {"00_first/add", "right.new_way", copy}) == 0);
    const std::string all = small.read("tests/00_first/add.submissions");
    CHECK(course::ends_with(all,
                            "    other_work();\n\n== right new_way\nwhat: WRITE: what is unusual about it\n"
                            "-- region 1\n    walk();\n"));
    CHECK(course::command_submit(course, {"00_first/add", "wrong.new", copy}) == 0);
    CHECK(course::ends_with(small.read("tests/00_first/add.submissions"),
                            "== wrong new\nwhat: WRITE: what the student did\nkind: WRITE\ntask: WRITE\n"
                            "-- region 1\n    walk();\n"));
    CHECK(course::command_expand(course, {"00_first/add", "wrong.new", out}) == 0);
    CHECK(small.read("out.cu") == course::text_of(course::without_marks(course::lines_of(text)).lines));
    small.write("copy.cu", SmallCourse::solution);
    CHECK(error_of([&] {
              course::command_submit(course, {"00_first/add", "wrong.b", copy});
          }).find("copy.cu: is the solution") != std::string::npos);
    CHECK(course::command_submit(course, {"00_first/add", "b", copy}) == 2);
    // The first entry creates the file.
    small.write("copy.cu", text);
    course::fs::remove(small.path / "tests/00_first/add.submissions");
    CHECK(course::command_submit(course, {"00_first/add", "right.way", copy}) == 0);
    CHECK(small.read("tests/00_first/add.submissions")
              .find("# Submissions of 00_first/add, and the verdict that each "
                    "must get. The format: tests/README.md.\n\n== right way\n") == 0);
}

TEST_CASE("the entry of a test") {
    const SmallCourse small;
    const course::Course course = small.course();
    CHECK(entry_of(course, "wrong.00_first.add.a")->line == 3);
    CHECK(entry_of(course, "sanitize.wrong.00_first.add.a.KIT_FAST")->name == "a");
    CHECK(entry_of(course, "right.00_first.add.way")->kind == "right");
    CHECK(!entry_of(course, "right.00_first.add.a"));
    CHECK(!entry_of(course, "solution.00_first.add"));
}

}  // namespace submissions_test
