#include "expected.hpp"

#include <doctest/doctest.h>

#include "author_commands.hpp"
#include "small_course.hpp"
#include "submission.hpp"

namespace expected_test {

using course::contains;
using course::Facts;
using course::Lines;
using course::Screens;
using course::Verdict;
using course_test::SmallCourse;

namespace {

course::CaseVerdict failed(const std::string& name, kit::Diagnosis diagnosis) {
    course::CaseVerdict one;
    one.name = name;
    one.status = course::Status::fail;
    one.diagnosis = diagnosis;
    return one;
}

Verdict wrong(const course::CaseVerdict& told) {
    Verdict verdict;
    verdict.outcome = "wrong";
    verdict.told = told.name;
    verdict.cases = {failed("first", kit::Diagnosis::tail), told};
    verdict.output =
        "00_first/add   device\n\n  | printed\n\nWRONG  x\n\n    RESULT of 0x7f1234567890, "
        "0x7fffffff\n\nRESULT "
        "fail: z\n    again: "
        "ctest\n- kind: a\n";
    return verdict;
}

}  // namespace

TEST_CASE("facts are those of the case that the verdict tells") {
    const SmallCourse small;
    const course::fs::path program = small.path / "solutions/00_first/add.cu";
    course::CaseVerdict told = failed("second", kit::Diagnosis::race);
    told.tasks = {1, 3};
    told.finding = kit::facts::Finding(kit::facts::Rule::race);
    for (const auto& [file, line] : {std::pair("/b/add.cu", 13), std::pair("kit.cuh", 7),
                                     std::pair("add.cu", 13), std::pair("add.cu", 900)}) {
        kit::facts::Access access;
        access.at = kit::facts::Line{file, line, ""};
        told.finding->accesses.push_back(access);
    }
    told.count.name = "barriers";
    const Facts facts = facts_of(wrong(told), program);
    CHECK(facts.kind == "race");
    CHECK(facts.task == "1, 3");
    CHECK(facts.at == Lines{"add.cu", "kit.cuh", "work();"});
    CHECK(facts.demand == "barriers");
    CHECK(facts_of(wrong(failed("second", kit::Diagnosis::nan)), program).task == "none");
    Verdict other;
    other.outcome = "pass";
    CHECK(facts_of(other, program).kind == "passed");
    other.outcome = "open";
    CHECK(facts_of(other, program).kind == "open");
    other.outcome = "wrong";
    CHECK(facts_of(other, program).kind == "no_verdict");
    CHECK(facts_of(other, program).task.empty());
}

TEST_CASE("facts that differ from the entry are named, with both values") {
    course::Entry entry;
    entry.kind = "wrong";
    entry.keys = {{"kind", "race"}, {"task", "1"}, {"at", "b"}, {"at", "a"}};
    CHECK(differences(entry, {"race", "1", {"a", "b"}, ""}, "cpu").empty());
    CHECK(differences(entry, {"tail", "none", {"b"}, "loads"}, "cpu") ==
          Lines{"- kind: race", "+ kind: tail", "- task: 1", "+ task: none", "- at: a", "- at: b", "+ at: b",
                "+ demand: loads"});
    entry.keys[0].second = "nan | race";
    CHECK(differences(entry, {"nan", "1", {"a", "b"}, ""}, "cpu").empty());
    CHECK(differences(entry, {"n", "1", {"a", "b"}, ""}, "cpu") == Lines{"- kind: nan | race", "+ kind: n"});
    entry.keys.emplace_back("screen", "varies (why)");
    CHECK(differences(entry, {"race", "1", {"c"}, ""}, "cpu").empty());
    entry.keys.pop_back();
    // On a GPU, lines are compared only if the entry states them.
    CHECK(differences(entry, {"race", "1", {}, ""}, "gpu").empty());
    entry.keys.emplace_back("at.gpu", "c");
    CHECK(differences(entry, {"race", "1", {}, ""}, "gpu") == Lines{"- at: c"});
    CHECK(differences(entry, {"race", "1", {"a", "b"}, ""}, "cpu").empty());
    entry.keys.emplace_back("kind.gpu", "passed");
    CHECK(differences(entry, {"passed", "", {}, ""}, "gpu").empty());
    entry.kind = "right";
    entry.keys.clear();
    CHECK(differences(entry, {"passed", "", {}, ""}, "cpu").empty());
    CHECK(differences(entry, {"race", "1", {}, ""}, "cpu") ==
          Lines{"- kind: passed", "+ kind: race", "+ task: 1"});
}

TEST_CASE("another method is a kind of its own, on the CPU backend") {
    course::CaseVerdict told = failed("second", kit::Diagnosis::wrong_value);
    told.status = course::Status::other;
    told.tasks = {1}, told.count.name = "threads";
    Verdict verdict = wrong(told);
    verdict.outcome = course::other_method;
    const Facts facts = facts_of(verdict, "add.cu");
    CHECK(facts.kind == course::other_method);
    course::Entry entry;
    entry.kind = "other";
    entry.keys = {{"task", "1"}, {"demand", "threads"}};
    const Facts passed = {"passed", "", {}, ""};
    CHECK(differences(entry, facts, "cpu").empty());
    CHECK(differences(entry, passed, "cpu") ==
          Lines{"- kind: other_method", "+ kind: passed", "- task: 1", "- demand: threads"});
    CHECK(differences(entry, passed, "gpu").empty());  // a GPU does not count, so the submission passes
    CHECK(!differences(entry, facts, "gpu").empty());
    entry.keys.emplace_back("kind.gpu", "other_method");
    CHECK(differences(entry, facts, "gpu").empty());
    entry.kind = "right", entry.keys.clear();
    CHECK(!differences(entry, facts, "cpu").empty());
}

TEST_CASE("a screen begins below the device and ends with the result") {
    CHECK(screen_of(wrong(failed("a", kit::Diagnosis::race))) ==
          Lines{"  | printed", "", "WRONG  x", "", "    RESULT of 0x..., 0x7fffffff", "", "RESULT fail: z"});
}

TEST_CASE("the screens of the last run are accepted by the names of their tests") {
    const SmallCourse small;
    const course::Course course = small.course();
    const std::string before = small.read("tests/00_first/00_first.screens");
    const auto accept = [&](const course::Arguments& arguments = {}) {
        CHECK(course::command_accept(course, arguments) == 0);
        return small.read("tests/00_first/00_first.screens");
    };
    CHECK(accept() == before);
    for (const char* name : {"a", "b"})
        write_verdict(verdict_file(course, "wrong.00_first.add." + std::string(name)),
                      wrong(failed("a", kit::Diagnosis::race)));
    const std::string screen =
        "  | printed\n\nWRONG  x\n\n    RESULT of 0x..., 0x7fffffff\n\nRESULT fail: z\n";
    CHECK(accept({"add.c"}) == before);
    CHECK(accept({"add.b"}) == course::replaced(before, "WRONG  only\n    here\n", screen));
    CHECK(accept().find("== wrong add.a\n" + screen + "\n== wrong add.b\n" + screen +
                        "\n== wrong add.c\nWRONG  no\n") != std::string::npos);
    // The judge keeps "pass" for a submission that is rejected as its entry states, and its screen is
    // compared.
    Verdict as_stated = wrong(failed("a", kit::Diagnosis::race));
    as_stated.outcome = "pass";
    write_verdict(verdict_file(course, "wrong.00_first.add.a"), as_stated);
    CHECK(contains(accept(), "== wrong add.a\n" + screen));
    // A run without the grader's verdict has no screen to accept.
    Verdict none;
    none.outcome = "wrong";
    none.output = "RESULT fail: there is no program\n";
    write_verdict(verdict_file(course, "wrong.00_first.add.b"), none);
    CHECK(contains(accept(), "== wrong add.b\n" + screen));
    // The author states the facts of an entry; accepting a screen does not change them.
    CHECK(small.read("tests/00_first/add.submissions") == SmallCourse::submissions);
    // There is no screen for a submission that passes, or whose entry was removed.
    Verdict good;
    good.outcome = "pass";
    write_verdict(verdict_file(course, "wrong.00_first.add.a"), good);
    small.change("tests/00_first/add.submissions", "== wrong c", "== wrong d");
    CHECK(accept() == before.substr(0, before.find("\n== ")) + "\n== wrong add.b\n" + screen);
    CHECK(course::command_accept(course, {"a", "b"}) == 2);
}

}  // namespace expected_test
