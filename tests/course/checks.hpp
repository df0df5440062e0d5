// The rules that hold for every topic and exercise, as functions from a course to a list of complaints.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace course {

struct Exercise {
    std::string topic, name;
};

/// A checkout, and the exercises that its CMake files declare.
struct Course {
    std::filesystem::path root;
    std::vector<Exercise> exercises;

    std::vector<std::string> topics() const;
};

/// One sentence each, beginning with the file; empty when the rule holds.
using Complaints = std::vector<std::string>;

Complaints check_files(const Course& course);  ///< starter, solution, test, contract, lecture, demo, results
Complaints check_hints(
    const Course& course);  ///< a section per exercise, a task per TODO, three hints per task
Complaints check_headers(
    const Course& course);  ///< build line, run line, and an index of versions that is true
Complaints check_links(
    const Course& course);  ///< relative links lead somewhere; lectures lead to their exercises
Complaints check_code(const Course& course);  ///< code in lectures and diagnoses is a region of compiled code
Complaints check_diagnoses(
    const Course& course);  ///< a page for each kind of finding, a kind for each page, all in the index
Complaints check_stray(const Course& course);  ///< no .cu file that nothing builds

struct Check {
    std::string name;
    Complaints (*run)(const Course&);
};
const std::vector<Check>& all_checks();

/// The whole text of a file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// The lines of a text, without line ends.
std::vector<std::string> lines_of(const std::string& text);

/// The pages about findings, "lectures/diagnoses/race.md", in order; the index is none.
std::vector<std::string> diagnosis_pages(const Course& course);

}  // namespace course
