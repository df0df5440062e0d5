// The rules that hold for every topic and exercise, as functions from the course to a list of complaints. CTest runs each as
// course.NAME; `kit_course check` runs them all.
#pragma once

#include <set>

#include "course.hpp"
#include "source.hpp"

namespace course {

/// One sentence each, beginning with the file; empty when the rule holds.
using Complaints = std::vector<std::string>;

Complaints check_files(const Course& course);  ///< starter, solution, test, contract, lecture, demo, results
Complaints check_stray(const Course& course);  ///< no .cu file that nothing builds
Complaints check_starters(const Course& course);  ///< each is what its solution makes
Complaints check_headers(
    const Course& course);  ///< title, build line, run line, and a true index of versions
Complaints check_hints(
    const Course& course);  ///< a section per exercise, a task per TODO, three hints per task
Complaints check_links(const Course& course);  ///< links lead somewhere; lectures lead to their exercises
Complaints check_code(const Course& course);   ///< code in lectures and diagnoses is a region: see quotes.hpp
Complaints check_evidence(
    const Course& course);  ///< each misconception has its wrong submission, and its words
Complaints check_readme(
    const Course& course);  ///< the table of topics is true, and commands name what exists
/// A page for each kind of finding, a kind for each page, all in the index.
Complaints check_diagnoses(const Course& course);
Complaints check_diagnoses(const Course& course, const std::set<std::string>& kinds);

struct Rule {
    const char* name;
    Complaints (*check)(const Course&);
};
const std::vector<Rule>& rules();

/// A file of the checkout, which complaints name as a reader sees it. Throws Error if it cannot be read.
Source source_of(const Course& course, const fs::path& path);

}  // namespace course
