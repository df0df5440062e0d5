// Tests of points: the file of points, the lines that it refuses, partial credit, and days late.
#include "points.hpp"

#include <doctest/doctest.h>

#include "made_up_class.hpp"

namespace points_test {

using namespace classroom;
using namespace classroom_test;

namespace {

struct Graded : MadeUpClass {
    Points points(const std::string& text) const { return Points::parse(text, "points.json", course); }
    std::string complaint(const std::string& text) const {
        return course_test::error_of([&] { points(text); });
    }
    /// Returns the first student's score as "POINTS of MOST: WHY".
    std::string score(const std::string& text, const std::string& id) const {
        const Score score = points(text).of(graded, graded.students[0], exercise(id));
        char number[64];
        std::snprintf(number, sizeof number, "%.2f of %.2f: ", score.points, score.most);
        return number + score.why;
    }
};

}  // namespace

TEST_CASE("one point per exercise where nothing is said") {
    Graded made;
    Student& ada = made.add("ada");
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in(ada, "07_reduction/fast", "broken");
    const Points points;
    CHECK(points.most(made.graded) == 3);
    CHECK(points.of(made.graded, ada).points == 1);
    CHECK(points.of(made.graded, ada).most == 3);
    CHECK(points.of(made.graded, ada).why == "");
    CHECK(made.score("{}", "07_reduction/tree") == "1.00 of 1.00: ");
    CHECK(made.score("{}", "07_reduction/fast") == "0.00 of 1.00: ");
    CHECK(made.score("{}", "08_scan/compact") == "0.00 of 1.00: ");
    ada.entries["08_scan/compact"].outcome = "";
    CHECK(made.score("{}", "08_scan/compact") == "0.00 of 1.00: not graded yet");
    ada.entries.erase("08_scan/compact");
    CHECK(made.score("{}", "08_scan/compact") == "0.00 of 1.00: not graded yet");
}

TEST_CASE("points by pattern, by name and by task") {
    const Graded made;
    const Points points = made.points(
        R"({"default": 0.5, "points": {"07_reduction/tree": 4, "*": 2, "07_*/*": 3, "08_scan/compact task 1": 7}})");
    CHECK(points.most(made.exercise("07_reduction/tree")) == 4);  // the name counts, although patterns follow
    CHECK(points.most(made.exercise("07_reduction/fast")) == 3);  // the last matching pattern counts
    CHECK(points.most(made.exercise("08_scan/compact")) == 7);
    CHECK(points.most(made.graded) == 14);
    CHECK(made.points(R"({"default": 0.5})").most(made.graded) == 1.5);
    CHECK(made.points(R"({"points": {"scan.compact": 5}})").most(made.exercise("08_scan/compact")) == 5);
}

TEST_CASE("what the file of points refuses, in one sentence") {
    const Graded made;
    CHECK(made.complaint(R"({"defualt": 1})") ==
          "points.json: unknown key \"defualt\": did you mean \"default\"?");
    CHECK(made.complaint(R"({"late": {"free": 1}})") ==
          "points.json: unknown key \"free\": did you mean \"free_days\"?");
    CHECK(made.complaint(R"({"points": {"07_reduction/tre": 1}})") ==
          "points.json: no exercise 07_reduction/tre: did you mean 07_reduction/tree?");
    CHECK(made.complaint(R"({"points": {"07_redution/*": 1}})") ==
          "points.json: no exercise matches \"07_redution/*\": did you mean \"07_reduction/*\"?");
    CHECK(made.complaint(R"({"points": {"07_reduction/z*": 1}})") ==
          "points.json: no exercise of this topic matches \"07_reduction/z*\": did you mean "
          "\"07_reduction/*\"?");
    CHECK(made.complaint(R"({"points": {"07_reduction/tree task 4": 1}})") ==
          "points.json: 07_reduction/tree has no task 4: its tasks are 1 to 3");
    CHECK(made.complaint(R"({"points": {"07_reduction/tree task two": 1}})") ==
          "points.json: 07_reduction/tree has no task two: its tasks are 1 to 3");
    CHECK(made.complaint(R"({"points": {"07_reduction/fast task 1": 1}})") ==
          "points.json: task 2 of 07_reduction/fast has no points, and other tasks of it have: give it some "
          "too, or 0");
    CHECK(made.complaint(R"({"points": {"08_scan/compact task 1": 1, "08_scan/compact": 1}})") ==
          "points.json: 08_scan/compact has points as a whole and for its tasks: remove one of the two");
    CHECK(made.complaint(R"({"points": {"tree": 1, "07_reduction/tree": 2}})") ==
          "points.json: 07_reduction/tree occurs twice: remove one");
    CHECK(made.complaint(R"({"points": {"*": 1, "*": 2}})") == "points.json: \"*\" occurs twice: remove one");
    CHECK(made.complaint(R"({"points": {"*": -1}})") ==
          "points.json: \"*\" must be a number from 0 to 1000000, not -1");
    CHECK(made.complaint(R"({"default": "1"})") ==
          "points.json: \"default\" must be a number from 0 to 1000000, not \"1\"");
    CHECK(made.complaint(R"({"late": {"lost_per_day": 10}})") ==
          "points.json: \"lost_per_day\" must be a number from 0 to 1, not 10");
    CHECK(made.complaint(R"({"races": 1.5})") ==
          "points.json: \"races\" must be a number from 0 to 1, not 1.5");
    CHECK(made.complaint(R"({"partial": "half"})") ==
          "points.json: \"partial\" must be \"none\", \"tasks\" or \"cases\", not \"half\"");
    CHECK(made.complaint(R"({"partial": 1})") ==
          "points.json: \"partial\" must be \"none\", \"tasks\" or \"cases\", not 1");
    CHECK(made.complaint("[]") == "points.json: the file must be { ... }");
    CHECK(made.complaint(R"({"points": 3})") == "points.json: \"points\" must be { ... }");
    CHECK(made.complaint("{\"default\": 1\n \"races\": 1}").find("points.json:2: this is not JSON") == 0);
    CHECK(made.complaint("").find("points.json:1: this is not JSON") == 0);
}

TEST_CASE("partial credit for tasks") {
    Graded made;
    Student& ada = made.add("ada");
    const std::string rule = R"({"default": 3, "partial": "tasks"})", id = "07_reduction/tree";
    const auto fail = [](std::vector<int> tasks) {
        return case_of("b", "fail", kit::Diagnosis::tail, tasks);
    };
    made.hand_in_wrong(ada, id, {case_of("a", "pass"), fail({2})});
    CHECK(made.score(rule, id) == "2.00 of 3.00: 2 of 3 tasks");
    CHECK(made.score(R"({"default": 3})", id) == "0.00 of 3.00: ");
    made.hand_in_wrong(ada, id, {fail({2}), fail({3, 2})});
    CHECK(made.score(rule, id) == "1.00 of 3.00: 1 of 3 tasks");
    made.hand_in_wrong(ada, id, {fail({2}), fail({})});  // the second failure does not name a task
    CHECK(made.score(rule, id) == "0.00 of 3.00: 0 of 3 tasks");
    made.hand_in_wrong(ada, id, {});  // there are no cases, so the submission is wrong as a whole
    CHECK(made.score(rule, id) == "0.00 of 3.00: 0 of 3 tasks");
    // The tasks have different points: 1 + 2 of 1 + 2 + 5.
    made.hand_in_wrong(ada, id, {fail({3})});
    CHECK(made.score(
              R"({"partial": "tasks", "points": {"tree task 1": 1, "tree task 2": 2, "tree task 3": 5}})",
              id) == "3.00 of 8.00: 2 of 3 tasks");
    // A third is rounded to hundredths.
    made.hand_in_wrong(ada, id, {fail({1})});
    CHECK(made.score(R"({"partial": "tasks"})", id) == "0.67 of 1.00: 2 of 3 tasks");
}

TEST_CASE("a gap that is filled counts only if something has run") {
    Graded made;
    Student& ada = made.add("ada");
    const std::string rule = R"({"default": 3, "partial": "tasks"})", id = "07_reduction/tree";
    Entry& entry = made.hand_in(ada, id, "open", "work();\nwork();\nKIT_TODO(3);\n");
    CHECK(made.score(rule, id) == "0.00 of 3.00: 0 of 3 tasks");
    entry.verdict.passed = 1;
    CHECK(made.score(rule, id) == "2.00 of 3.00: 2 of 3 tasks");
    entry.verdict.cases = {case_of("a", "fail", kit::Diagnosis::tail, {1})};
    CHECK(made.score(rule, id) == "1.00 of 3.00: 1 of 3 tasks");
    entry.is_starter = true;
    CHECK(made.score(rule, id) == "0.00 of 3.00: ");
    entry.is_starter = false;
    entry.file = "/nowhere/tree.cu";  // the file cannot be read, so it is unknown which gaps are filled
    CHECK(made.score(rule, id) == "0.00 of 3.00: 0 of 3 tasks");
}

TEST_CASE("partial credit for cases") {
    Graded made;
    Student& ada = made.add("ada");
    const std::string rule = R"({"default": 2, "partial": "cases"})", id = "07_reduction/tree";
    made.hand_in_wrong(ada, id,
                       {case_of("a", "pass"), case_of("b", "pass"), case_of("c", "pass"),
                        case_of("d", "fail", kit::Diagnosis::tail), case_of("e", "skip")});
    CHECK(made.score(rule, id) == "1.50 of 2.00: 3 of 4 cases");
    made.hand_in(ada, id, "open").verdict.passed = 3;  // the total number of cases is unknown
    CHECK(made.score(rule, id) == "0.00 of 2.00: a gap is open, so not every case ran");
    made.hand_in(ada, id, "broken");
    CHECK(made.score(rule, id) == "0.00 of 2.00: ");
}

TEST_CASE("what races keeps its share, and no more than that is wrong with it") {
    Graded made;
    Student& ada = made.add("ada");
    const std::string rule = R"({"default": 2, "races": 0.5})", id = "07_reduction/tree";
    const course::CaseVerdict race = race_in("b", {2});
    made.hand_in_wrong(ada, id, {case_of("a", "pass"), race});
    CHECK(made.score(rule, id) == "1.00 of 2.00: right values, but a race: 50%");
    CHECK(made.score(R"({"default": 2})", id) == "0.00 of 2.00: ");
    // Two of three tasks are worth more than half of the points.
    CHECK(made.score(R"({"default": 3, "races": 0.5, "partial": "tasks"})", id) ==
          "2.00 of 3.00: 2 of 3 tasks");
    CHECK(made.score(R"({"default": 2, "races": 0.8, "partial": "tasks"})", id) ==
          "1.60 of 2.00: right values, but a race: 80%");
    made.hand_in_wrong(ada, id, {race});  // no case shows correct values
    CHECK(made.score(rule, id) == "0.00 of 2.00: ");
    made.hand_in_wrong(ada, id, {case_of("a", "pass"), race, case_of("c", "fail", kit::Diagnosis::tail)});
    CHECK(made.score(rule, id) == "0.00 of 2.00: ");
    // Results differ between runs, and no race was reported, so the values are not correct.
    made.hand_in_wrong(ada, id, {case_of("a", "pass"), case_of("b", "fail", kit::Diagnosis::race, {2})});
    CHECK(made.score(rule, id) == "0.00 of 2.00: ");
}

TEST_CASE("right by another method: half, unless the file says otherwise") {
    Graded made;
    Student& ada = made.add("ada");
    made.hand_in(ada, "07_reduction/tree", course::other_method);
    const std::string id = "07_reduction/tree", why = "right, but not as the exercise asks: ";
    CHECK(Points().of(made.graded, ada, made.exercise(id)).points == 0.5);
    CHECK(made.score(R"({"default": 4})", id) == "2.00 of 4.00: " + why + "50%");
    CHECK(made.score(R"({"default": 4, "other_method": 1})", id) == "4.00 of 4.00: " + why + "100%");
    CHECK(made.score(R"({"default": 4, "other_method": 0})", id) == "0.00 of 4.00: " + why + "0%");
    // The share for a different method is not partial credit, so the rules for partial credit do not change
    // it.
    CHECK(made.score(R"({"default": 4, "partial": "tasks"})", id) == "2.00 of 4.00: " + why + "50%");
    ada.days_late = 1;
    CHECK(made.score(R"({"default": 4, "late": {"lost_per_day": 0.1}})", id) ==
          "1.80 of 4.00: " + why + "50%; one day late: 10% less");
    CHECK(made.complaint(R"({"other_method": 2})") ==
          "points.json: \"other_method\" must be a number from 0 to 1, not 2");
}

TEST_CASE("days late") {
    Graded made;
    Student& ada = made.add("ada");
    const std::string rule =
        R"({"default": 10, "late": {"free_days": 1, "lost_per_day": 0.1, "most_lost": 0.25}})";
    const std::string id = "07_reduction/tree";
    made.hand_in(ada, id, "pass");
    const auto after = [&](double days) {
        made.graded.students[0].days_late = days;
        return made.score(rule, id);
    };
    CHECK(after(0) == "10.00 of 10.00: ");
    CHECK(after(-3) == "10.00 of 10.00: ");
    CHECK(after(0.01) == "10.00 of 10.00: one day late: free");
    CHECK(after(1) == "10.00 of 10.00: one day late: free");
    CHECK(after(1.5) == "9.00 of 10.00: 2 days late: 10% less");
    CHECK(after(3) == "8.00 of 10.00: 3 days late: 20% less");
    CHECK(after(4) == "7.50 of 10.00: 4 days late: 25% less");
    CHECK(after(400) == "7.50 of 10.00: 400 days late: 25% less");
    CHECK(made.score("{}", id) == "1.00 of 1.00: ");  // the text does not mention days late
    CHECK(made.points(rule).of(made.graded, made.graded.students[0]).why == "400 days late: 25% less");

    made.graded.students[0].days_late = 0.5;
    made.hand_in_wrong(made.graded.students[0], id,
                       {case_of("a", "pass"), case_of("b", "fail", kit::Diagnosis::tail, {3})});
    CHECK(made.score(R"({"default": 3, "partial": "tasks", "late": {"lost_per_day": 0.1}})", id) ==
          "1.80 of 3.00: 2 of 3 tasks; one day late: 10% less");
}

}  // namespace points_test
