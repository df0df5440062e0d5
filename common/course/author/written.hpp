// Lines of sources that follow from other files. The author writes each fact once, and `kit_author written`
// writes it where readers also look for it:
//
//   the purpose of an exercise   in the manifest      ->  first line of its solution, and so of its starter
//   the lines of a task          in the solution      ->  "About 4 lines." in its TODO comment
//   what a test demands          in the test          ->  "What is counted" and "What the host may compute"
//                                                         in the contract
#pragma once

#include "course.hpp"

namespace course {

/// Returns the text of a contract with the lists that follow from the tests of its topic. Lines that the
/// contract lacks are not added; the rule `counted` complains about these.
std::string contract_from_tests(const Course& course, const std::string& topic);

/// Returns the text of a solution whose first line has the purpose from the manifest, and whose TODO comments
/// have the number of lines of their regions.
std::string solution_with_facts(const Course& course, const Exercise& exercise);

/// A source whose text differs from the one that follows from other files.
struct Outdated {
    fs::path file;
    std::string text;  ///< the text that it should have
};
std::vector<Outdated> outdated_sources(const Course& course);

/// Writes all outdated sources, and returns their paths.
std::vector<fs::path> write_sources(const Course& course);

}  // namespace course
