// Tests of the folder with all reports of a class: every report exists, and none is written outside of the
// folder.
#include "reports.hpp"

#include <doctest/doctest.h>

#include <set>

#include "made_up_class.hpp"

namespace reports_test {

using namespace classroom;
using namespace classroom_test;

namespace {

std::set<std::string> files_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).string());
    }
    return names;
}

}  // namespace

TEST_CASE("every report of a class of two") {
    MadeUpClass made;
    made.add("ada", "Ada");
    made.add("bob.2", "Bob");
    write_reports(made.graded, Points(), made.path / "reports");
    CHECK(files_in(made.path / "reports") ==
          std::set<std::string>{"class.csv", "class.html", "feedback/ada.html", "feedback/ada.md",
                                "feedback/bob.2.html", "feedback/bob.2.md", "gradescope/ada/results.json",
                                "gradescope/bob.2/results.json", "junit.xml", "moodle.csv"});
    CHECK(made.read("reports/feedback/bob.2.md").find("# Bob\n") == 0);
}

TEST_CASE("an empty class has its tables") {
    MadeUpClass made;
    write_reports(made.graded, Points(), made.path / "reports");
    CHECK(files_in(made.path / "reports") ==
          std::set<std::string>{"class.csv", "class.html", "junit.xml", "moodle.csv"});
    made.graded.exercises.clear();
    made.add("ada");
    write_reports(made.graded, Points(), made.path / "reports");
    CHECK(files_in(made.path / "reports").count("feedback/ada.md") == 1);
}

TEST_CASE("no name of a student leads out of the folder, and none writes over another's") {
    MadeUpClass made;
    const std::vector<std::string> ids = {"..",     "../../x",  "a/b",        "a_b",
                                          "/etc/x", "Zo\xeb",   "Zo\xc3\xab", std::string(255, 'n'),
                                          "..\\x",  "new\nline"};
    for (const std::string& id : ids) made.add(id);
    const std::set<std::string> before = files_in(made.path);
    write_reports(made.graded, Points(), made.path / "reports");
    for (const std::string& file : files_in(made.path))
        CHECK((before.count(file) == 1 || file.rfind("reports/", 0) == 0));
    CHECK(files_in(made.path / "reports/feedback").size() == 2 * ids.size());
    CHECK(files_in(made.path / "reports/gradescope").size() == ids.size());
}

}  // namespace reports_test
