// Tests of the exports to JUnit, Gradescope and Moodle, which are read back by the rules of these tools.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "made_up_class.hpp"
#include "reports.hpp"

namespace exports_test {

using namespace classroom;
using namespace classroom_test;

TEST_CASE("JUnit: a case per student and exercise, in the suite of its topic") {
    MadeUpClass made;
    made.add("ada", "Ada");
    made.add("b<o>&b.2");
    made.hand_in(made.graded.students[0], "07_reduction/tree", "pass");
    made.hand_in(made.graded.students[0], "07_reduction/fast", "broken").verdict.output = "error: <x>\xff";
    made.hand_in_wrong(made.graded.students[1], "08_scan/compact",
                       {case_of("a", "fail", kit::Diagnosis::tail)});
    made.graded.students[1].entries["07_reduction/fast"].outcome = "";
    const std::string xml = junit_of(made.graded);
    CHECK(
        xml.find("<testsuite name=\"07_reduction\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">") !=
        std::string::npos);
    CHECK(xml.find("<testsuite name=\"08_scan\" tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\">") !=
          std::string::npos);
    CHECK(xml.find("name=\"exercise.07_reduction.tree.ada\"") != std::string::npos);
    CHECK(xml.find("name=\"exercise.08_scan.compact.b&lt;o&gt;&amp;b.2\"") != std::string::npos);
    CHECK(xml.find("error: &lt;x&gt;\xc3\xbf") != std::string::npos);
    CHECK(xml.find("<failure type=\"open\" message=\"nothing was handed in\"/>") != std::string::npos);
    CHECK(count_of(xml, "<testcase ") == 6);
    made.graded.students.clear();
    CHECK(count_of(junit_of(made.graded), "<testcase ") == 0);
}

TEST_CASE("another method in every export") {
    MadeUpClass made;
    Student& ada = made.add("ada", "Ada");
    Entry& entry = made.hand_in(ada, "07_reduction/tree", course::other_method);
    entry.verdict.output = "OTHER  right results\nRESULT other: right in all 2 cases\n";
    made.hand_in(ada, "07_reduction/fast", "pass");
    const Points points = Points::parse(R"({"default": 4})", "p", made.course);
    CHECK(junit_of(made.graded).find("<failure type=\"other_method\"") != std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(gradescope_of(made.graded, ada, points));
    CHECK(json["tests"][0]["score"] == 2);
    CHECK(json["tests"][0]["output"].get<std::string>().find(
              "another method: right, but not as the exercise asks: 50%\nOTHER") == 0);
    CHECK(moodle_of(made.graded, points)
              .find("07_reduction/tree: another method, 2 of 4 (right, but not as the exercise asks: 50%)") !=
          std::string::npos);
}

TEST_CASE("Gradescope's results.json") {
    MadeUpClass made;
    Student& ada = made.add("ada", "Ada");
    made.hand_in(ada, "07_reduction/tree", "pass").verdict.output = "RESULT pass: 2 of 2 cases\n";
    ada.entries["07_reduction/tree"].verdict.seconds = 1.5;
    Entry& wrong = made.hand_in_wrong(
        ada, "07_reduction/fast", {case_of("a", "pass"), case_of("b", "fail", kit::Diagnosis::tail, {2})});
    wrong.verdict.output = "x\xff seed 918273645 in " + wrong.file.string() + "\n";
    wrong.verdict.seed = "918273645";
    wrong.verdict.seconds = 0.25;
    ada.days_late = 1;
    const Points points = Points::parse(
        R"({"default": 4, "partial": "cases", "late": {"lost_per_day": 0.5}})", "p", made.course);
    const std::string text = gradescope_of(made.graded, ada, points);
    const nlohmann::json json = nlohmann::json::parse(text);
    CHECK(json["score"] == 3);  // (4 + 2 + 0) / 2
    CHECK(json["execution_time"] == 1.75);
    CHECK(json["visibility"] == "visible");
    CHECK(json["stdout_visibility"] == "hidden");
    REQUIRE(json["tests"].size() == 3);
    const nlohmann::json& first = json["tests"][0];
    CHECK(first["name"] == "07_reduction/tree");
    CHECK(first["score"] == 2);
    CHECK(first["max_score"] == 4);
    CHECK(first["status"] == "passed");
    CHECK(first["visibility"] == "visible");
    CHECK(first["output"] == "right: one day late: 50% less\nRESULT pass: 2 of 2 cases\n");
    CHECK(json["tests"][1]["score"] == 1);
    CHECK(json["tests"][1]["output"] ==
          "wrong: 1 of 2 cases; one day late: 50% less\nx\xc3\xbf in exercises/07_reduction/fast.cu\n");
    CHECK(json["tests"][2]["status"] == "failed");
    CHECK(json["tests"][2]["score"] == 0);
    // The file may have only keys that Gradescope knows.
    const std::set<std::string> top = {"score",      "execution_time",    "output",
                                       "visibility", "stdout_visibility", "tests"};
    for (const auto& [key, value] : json.items()) CHECK(top.count(key) == 1);
    CHECK(text.find(made.path.string()) == std::string::npos);
    made.graded.exercises.clear();
    CHECK(nlohmann::json::parse(gradescope_of(made.graded, ada, points))["tests"].is_array());
}

TEST_CASE("Moodle: the columns of the file of names, then grade and feedback") {
    MadeUpClass made;
    made.add("ada", "Ada");
    made.add("bob", "Bob");
    made.add("eve", "Eve");
    Student& ada = made.graded.students[0];
    ada.columns = {{"Identifier", "Participant 7"}, {"Email address", "ada@example.org"}, {"Grade", "-"}};
    made.graded.students[1].columns = {{"Identifier", "=1+1"}, {"Email address", "b,ob@example.org"}};
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in_wrong(ada, "07_reduction/fast", {case_of("a", "pass"), race_in("b", {2})});
    const Points points = Points::parse(R"({"partial": "cases"})", "p", made.course);
    CHECK(moodle_of(made.graded, points) ==
          "Email address,Identifier,Grade,Feedback comments\r\n"
          "ada@example.org,Participant 7,1.5,\"1.5 of 3 points. 07_reduction/fast: wrong, 0.5 of 1 (1 of 2 "
          "cases), see "
          "lectures/diagnoses/race.md. 08_scan/compact: missing, 0 of 1.\"\r\n"
          "\"b,ob@example.org\",'=1+1,0,\"0 of 3 points. 07_reduction/tree: missing, 0 of 1. "
          "07_reduction/fast: missing, "
          "0 of 1. 08_scan/compact: missing, 0 of 1.\"\r\n");

    for (Student& student : made.graded.students) student.columns.clear();
    made.graded.exercises.clear();
    CHECK(moodle_of(made.graded, Points()) ==
          "ID number,Full name,Grade,Feedback comments\r\nada,Ada,0,0 of 0 points.\r\nbob,Bob,0,0 of 0 "
          "points.\r\n"
          "eve,Eve,0,0 of 0 points.\r\n");
}

}  // namespace exports_test
