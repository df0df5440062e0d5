// Tests of common/course/author/json.cpp, the model that slides and site read, with a small course.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "author_commands.hpp"
#include "folder.hpp"
#include "quotes.hpp"

namespace json_test {

using course::Course;
using course_test::error_of;
using course_test::Folder;
using nlohmann::json;

namespace {

Course course_in(const Folder& folder) {
    folder.write("README.md", "# Course\n");
    folder.write(course::manifest, "topic 07_sums Sums\nlearn trees; warps\nexercise tree x\n");
    folder.write("lectures/07_sums/README.md",
                 "# 07 Sums\n\n<!-- code: solutions/07_sums/tree.cu kernel -->\n```cpp\nint a;\n```\n");
    folder.write("lectures/07_sums/appendix.md", "# More\n");
    folder.write("lectures/07_sums/results/tables.md", "");
    folder.write("lectures/07_sums/demo.cu", "int main() {}\n");
    folder.write("lectures/diagnoses/README.md", "# Found\n\n[warp](warp.md), [race](race.md)\n");
    for (const char* kind : {"race", "warp", "odd"})
        folder.write("lectures/diagnoses/" + std::string(kind) + ".md", "# " + std::string(kind) + "\n");
    folder.write("lectures/guide.md", "# Guide\n");
    folder.write("exercises/07_sums/README.md", "# 07 Sums: the exercises\n");
    folder.write("solutions/07_sums/tree.cu", "// top\n// [kernel]\nint a;\n// [/kernel]\n");
    folder.write("tests/07_sums/tree.submissions", "== wrong no_barrier\n-- top\nint x;\n");
    folder.write("slides/07_sums.md", "# Slides\n");
    folder.write("slides/README.md", "# Decks\n");
    Course course;
    course.root = folder.path;
    course.read_manifest();
    return course;
}

std::vector<std::string> paths_of(const json& pages) {
    std::vector<std::string> paths;
    for (const json& page : pages) paths.push_back(page.at("path"));
    return paths;
}

}  // namespace

TEST_CASE("pages stand in the order in which one reads them") {
    const Folder folder;
    const json model = json::parse(course::model_as_json(course_in(folder)));
    CHECK(paths_of(model["pages"]) ==
          std::vector<std::string>{"README.md", "lectures/07_sums/README.md", "lectures/07_sums/appendix.md",
                                   "exercises/07_sums/README.md", "lectures/diagnoses/README.md",
                                   "lectures/diagnoses/warp.md", "lectures/diagnoses/race.md",
                                   "lectures/diagnoses/odd.md", "lectures/guide.md", "slides/README.md"});
    CHECK(model["diagnoses"][0] == "lectures/diagnoses/warp.md");
    CHECK(model["pages"][8]["title"] == "Guide");
}

TEST_CASE("a topic says what it has") {
    const Folder folder;
    const json topic = json::parse(course::model_as_json(course_in(folder)))["topics"][0];
    CHECK(topic["title"] == "07 Sums");
    CHECK(topic["learn"] == "trees; warps");
    CHECK(topic["slides"] == true);
    CHECK(topic["wrong"] == 1);
    CHECK(topic["appendices"] == json::array({"lectures/07_sums/appendix.md"}));
    CHECK(topic["contract"] == "tests/07_sums/07_sums.hpp");
    CHECK(topic["exercises"][0]["solution"] == "solutions/07_sums/tree.cu");
}

TEST_CASE("a page says where its code comes from") {
    const Folder folder;
    const Course course = course_in(folder);
    const json quote = json::parse(course::model_as_json(course))["pages"][1]["quotes"][0];
    CHECK(quote == json{{"line", 4}, {"file", "solutions/07_sums/tree.cu"}, {"first", 3}, {"last", 3}});
    folder.write("solutions/07_sums/tree.cu", "// [other]\nint a;\n// [/other]\n");
    CHECK(error_of([&] { course::model_as_json(course); }).find("no region // [kernel]") !=
          std::string::npos);
}

TEST_CASE("code with a gap comes from the starter, and what is folded away from the solution") {
    const Folder folder;
    const Course course = course_in(folder);
    const std::string solution =
        "// [kernel]\n// TODO(1): b\n// BEGIN SOLUTION 1\nb;\n// END SOLUTION 1\n// [/kernel]\n";
    folder.write("solutions/07_sums/tree.cu", solution);
    const std::string page = "lectures/07_sums/README.md", starter = "exercises/07_sums/tree.cu";
    folder.write(page, course::quote(course, page).text());
    folder.write(starter, course::Source("s.cu", solution).starter());
    const auto quotes = [&] { return json::parse(course::model_as_json(course))["pages"][1]["quotes"]; };
    const json finished = {{"line", 11}, {"file", "solutions/07_sums/tree.cu"}, {"first", 2}, {"last", 5}};
    CHECK(quotes() == json{{{"line", 4}, {"file", starter}, {"first", 2}, {"last", 3}}, finished});
    folder.write(starter, "somebody has worked on it");
    CHECK(quotes() == json::array({finished}));
}

TEST_CASE("a solution says which lines are removed for the starter, and which lines are marks") {
    const Folder folder;
    const Course course = course_in(folder);
    folder.write("solutions/07_sums/tree.cu",
                 "// [kernel]\n// TODO(1): b\n// BEGIN SOLUTION 1\nb;\n// STARTER c;\n// END SOLUTION "
                 "1\nd;\n// [/kernel]\n");
    const json exercise = json::parse(course::model_as_json(course))["topics"][0]["exercises"][0];
    CHECK(exercise["removed"] == json{4});
    CHECK(exercise["marks"] == json{1, 3, 5, 6, 8});
}

TEST_CASE("sources are what is no page") {
    const Folder folder;
    const json model = json::parse(course::model_as_json(course_in(folder)));
    CHECK(model["sources"] == json{"common/course/manifest.txt", "lectures/07_sums/demo.cu",
                                   "solutions/07_sums/tree.cu", "tests/07_sums/tree.submissions"});
}

}  // namespace json_test
