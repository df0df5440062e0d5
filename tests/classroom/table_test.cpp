// Tests of the class as a table: CSV that standard programs can read, and a page in which text by students
// stays text.
#include <doctest/doctest.h>

#include "made_up_class.hpp"
#include "overview.hpp"
#include "reports.hpp"

namespace table_test {

using namespace classroom;
using namespace classroom_test;

namespace {

/// Reads CSV as RFC 4180 defines it. This reader does not share code with the writer.
std::vector<Lines> read_csv(const std::string& text) {
    std::vector<Lines> records;
    for (std::size_t at = 0; at < text.size();) {
        Lines record;
        for (bool more = true; more;) {
            std::string field;
            if (text[at] == '"') {
                for (++at;; ++at) {
                    REQUIRE(at < text.size());
                    if (text[at] != '"')
                        field += text[at];
                    else if (text[at + 1] == '"')
                        field += text[++at];
                    else
                        break;
                }
                ++at;
            } else {
                while (text[at] != ',' && text[at] != '\r') {
                    REQUIRE(text[at] != '"');
                    REQUIRE(text[at] != '\n');
                    field += text[at++];
                }
            }
            record.push_back(field);
            more = text[at] == ',';
            at += more ? 1 : 2;  // the end of a line has two characters
            if (!more) {
                REQUIRE(text[at - 2] == '\r');
                REQUIRE(text[at - 1] == '\n');
            }
        }
        records.push_back(record);
    }
    return records;
}

}  // namespace

TEST_CASE("the class as CSV") {
    MadeUpClass made;
    Student& ada = made.add("ada", "Lovelace, \"Ada\"");
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in(ada, "07_reduction/fast", "broken");
    made.hand_in(ada, "08_scan/compact", "open").is_starter = true;
    Student& bob = made.add(
        "b\xf6"
        "b",
        "=cmd|' /C calc'!A0");
    made.hand_in_wrong(bob, "07_reduction/tree",
                       {case_of("a", "pass"), case_of("b", "fail", kit::Diagnosis::tail, {1})});
    made.hand_in(bob, "07_reduction/fast", "open");
    bob.entries["08_scan/compact"].outcome = "";
    bob.remarks = {"two\nlines,", "@more"};
    const auto rows =
        read_csv(csv_of(made.graded, Points::parse(R"({"partial": "cases"})", "p", made.course)));
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == Lines{"id", "name", "points", "07_reduction/tree", "07_reduction/tree points",
                           "07_reduction/fast", "07_reduction/fast points", "08_scan/compact",
                           "08_scan/compact points", "remarks"});
    CHECK(rows[1] == Lines{"ada", "Lovelace, \"Ada\"", "1", "pass", "1", "broken", "0", "open", "0", ""});
    CHECK(rows[2] == Lines{"b\xc3\xb6"
                           "b",
                           "'=cmd|' /C calc'!A0", "0.5", "wrong", "0.5", "open", "0", "", "0",
                           "two\nlines,\n@more"});
}

TEST_CASE("another method is a column's outcome, and a mark of its own that is not that of a mistake") {
    MadeUpClass made;
    Student& ada = made.add("ada");
    made.hand_in(ada, "07_reduction/tree", course::other_method).sentence =
        "right in all 2 cases, but not as asked";
    CHECK(read_csv(csv_of(made.graded, Points()))[1] ==
          Lines{"ada", "ada", "0.5", "other_method", "0.5", "missing", "0", "missing", "0", ""});
    const std::string page = html_of(made.graded, Points());
    CHECK(page.find("<td class=\"other part\" title=\"0.5 of 1 (right, but not as the exercise asks: 50%): "
                    "right in all 2 cases, "
                    "but not as asked\">another method</td>") != std::string::npos);
    CHECK(page.find("Where they are stuck") == std::string::npos);
    CHECK(page.find("What is wrong most often") == std::string::npos);
}

TEST_CASE("an empty class, and one without exercises") {
    MadeUpClass made;
    CHECK(read_csv(csv_of(made.graded, Points())).size() == 1);
    CHECK(html_of(made.graded, Points()).find("No student has handed in anything.") != std::string::npos);
    made.add("ada");
    made.graded.exercises.clear();
    CHECK(read_csv(csv_of(made.graded, Points()))[1] == Lines{"ada", "ada", "0", ""});
    const std::string page = html_of(made.graded, Points());
    CHECK(page.find("No exercise was graded.") != std::string::npos);
    CHECK(page.find("id=\"matrix\"") == std::string::npos);
}

TEST_CASE("where they are stuck, and what is wrong most often") {
    MadeUpClass made;
    const course::CaseVerdict right = case_of("a", "pass"), race = race_in("b", {2}),
                              tail = case_of("c", "fail", kit::Diagnosis::tail, {2}),
                              value = case_of("d", "fail");
    Student& ada = made.add("ada");
    made.hand_in(ada, "07_reduction/tree", "pass");
    made.hand_in_wrong(ada, "07_reduction/fast", {right, tail, race}).verdict.told = "b";
    made.hand_in_wrong(ada, "08_scan/compact", {race});
    Student& bob = made.add("bob");
    made.hand_in_wrong(bob, "07_reduction/fast", {tail});
    made.hand_in(bob, "07_reduction/tree", "open");
    made.hand_in(bob, "08_scan/compact", "open").is_starter = true;
    Student& eve = made.add("eve");
    made.hand_in(eve, "07_reduction/fast", "broken");
    made.hand_in_wrong(eve, "07_reduction/tree", {value});

    const Overview overview = overview_of(made.graded);
    const std::vector<const Standing*> hardest = overview.hardest();
    REQUIRE(hardest.size() == 3);
    // Stops 3 students: two are wrong and one does not compile.
    CHECK(hardest[0]->exercise->id() == "07_reduction/fast");
    CHECK(hardest[0]->stuck.size() == 3);
    // Stops 2 students: one is wrong and one is open.
    CHECK(hardest[1]->exercise->id() == "07_reduction/tree");
    CHECK(hardest[1]->of(Cell::passed) == 1);
    CHECK(hardest[2]->exercise->id() ==
          "08_scan/compact");  // stops 1 student, because untouched and missing exercises do not count
    CHECK(hardest[2]->stuck == std::vector<const Student*>{&made.graded.students[0]});
    CHECK(hardest[2]->of(Cell::untouched) == 1);
    CHECK(hardest[2]->of(Cell::missing) == 1);

    REQUIRE(overview.diagnoses.size() == 3);
    CHECK(overview.diagnoses[0].diagnosis.words ==
          "race");  // the diagnosis of the verdict, not of ada's first case
    CHECK(overview.diagnoses[0].diagnosis.page == "lectures/diagnoses/race.md");
    CHECK(overview.diagnoses[0].submissions == 2);
    CHECK(overview.diagnoses[0].students.size() == 1);
    CHECK(overview.diagnoses[0].exercises.size() == 2);
    CHECK(overview.diagnoses[1].submissions == 1);
    std::set<std::string> others = {overview.diagnoses[1].diagnosis.words,
                                    overview.diagnoses[2].diagnosis.words};
    CHECK(others == std::set<std::string>{"only the end is wrong", "wrong values"});

    const std::string page = html_of(made.graded, Points());
    // The name of every diagnosis is a link, in both tables. A diagnosis without a page leads to the page about
    // debugging. If the site was built, the links lead there.
    const std::string root = made.course.root.string(), site = (made.course.build / "site").string();
    const std::string race_page = "lectures/diagnoses/race",
                      debugging = "lectures/01_error_handling/debugging";
    CHECK(count_of(page, "<a href=\"file://" + root + "/" + race_page + ".md\">race</a>") == 3);
    CHECK(count_of(page, "<a href=\"file://" + root + "/" + debugging + ".md\">") == 3);
    CHECK(page.find(debugging + ".md\">only the end is wrong</a>") != std::string::npos);
    CHECK(page.find(debugging + ".md\">wrong values</a>") != std::string::npos);
    made.write("build/site/lectures/diagnoses/race.html", "");
    const std::string with_site = html_of(made.graded, Points());
    CHECK(count_of(with_site, "<a href=\"file://" + site + "/" + race_page + ".html\">race</a>") == 3);
    CHECK(count_of(with_site, "<a href=\"file://" + root + "/" + debugging + ".md\">") == 3);
    CHECK(page.find("11%") != std::string::npos);  // one of nine is right
    // Each column is headed by the whole name of its exercise, and the first one of a topic by that of the topic.
    CHECK(
        page.find(
            "title=\"07_reduction/tree\"><span><b>07_reduction</b><br>tree</span></th>"
            "<th scope=\"col\" title=\"07_reduction/fast\"><span>fast</span></th>"
            "<th scope=\"col\" class=\"first\" title=\"08_scan/compact\"><span><b>08_scan</b><br>compact") !=
        std::string::npos);
}

TEST_CASE("nothing that comes from students is markup") {
    MadeUpClass made;
    const std::string evil = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>\xff&amp;";
    Student& student = made.add(evil, evil);
    student.remarks = {evil};
    made.graded.remarks = {"whose is " + evil};
    made.hand_in_wrong(student, "07_reduction/tree", {case_of(evil, "fail")}).sentence = evil;
    made.hand_in(student, "07_reduction/fast", evil).sentence = evil;
    const std::string page = html_of(made.graded, Points());
    CHECK(count_of(page, "<script>") == 1);  // only the page's own script
    CHECK(count_of(page, "</script>") == 1);
    CHECK(page.find("<img") == std::string::npos);
    CHECK(page.find("&lt;script&gt;alert(1)") != std::string::npos);
    CHECK(page.find('\xff') == std::string::npos);
    CHECK(page.find("<td>whose is &quot;&gt;&lt;script&gt;") != std::string::npos);
    CHECK(page.find("&amp;amp;") != std::string::npos);
    CHECK(count_of(page, "http") == count_of(page, "http-equiv"));  // the page loads nothing from the web
}

TEST_CASE("300 students: a row each, in the order of the class") {
    MadeUpClass made;
    for (int i = 0; i < 300; ++i) made.add("s" + std::to_string(1000 + i));
    const std::string page = html_of(made.graded, Points());
    CHECK(count_of(page, "<tr data-points=") == 300);
    CHECK(count_of(page, "class=\"missing\" title=") == 900);
    CHECK(page.find(">s1000<") < page.find(">s1299<"));
    CHECK(read_csv(csv_of(made.graded, Points())).size() == 301);
}

}  // namespace table_test
