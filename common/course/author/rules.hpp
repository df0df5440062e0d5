// The rules of the course, which hold for every topic and exercise. Each rule is a function that returns a
// list of complaints. CTest runs each rule as the test course.NAME, and `kit_author check` runs all rules.
#pragma once

#include "course.hpp"
#include "source.hpp"

namespace course {

/// Sentences that begin with a file; none if the rule holds.
using Complaints = std::vector<std::string>;

/// Collects complaints: complain(path, ":", 3, ": what is wrong") adds one.
struct Complainer {
    Complaints complaints;
    template <class... Parts>
    void operator()(const Parts&... parts) {
        complaints.push_back(sentence(parts...));
    }
};

using Check = void(const Course& course, Complainer& complain);
Check check_files, check_stray, check_starters, check_headers, check_needs, check_counted, check_written,
    check_submissions, check_hunts, check_hints, check_links, check_lists, check_titles, check_plan,
    check_decks, check_code, check_numbers, check_records, check_visible, check_copied, check_diagnoses,
    check_evidence, check_glossary, check_reading, check_locals, check_commands;

struct Rule {
    const char* name;
    Check* check;
};
/// All rules. CMake reads their names from these lines (one rule per line), and declares the test course.NAME
/// for each.
inline constexpr Rule rules[] = {
    {"files", check_files},  // starter, solution, test, contract, lecture, demo, deck and results exist and
                             // are complete
    {"stray", check_stray},  // every .cu file belongs to some target
    {"starters", check_starters},  // each starter is generated from its solution
    {"headers", check_headers},    // headers have a title, a build line, a run line, and an index with
                                   // exactly the versions of the file
    {"needs", check_needs},        // build lines have the options that the manifest requires
    {"counted", check_counted},    // contracts list the demands of the tests
    {"written", check_written},    // lines that follow from other files are up to date (written.hpp)
    {"submissions",
     check_submissions},       // at least three wrong submissions; each states its verdict, and each screen
                               // has an entry
    {"hunts", check_hunts},    // each hunt has its own number, a level, a kind, a line that occurs once,
                               // and three hints
    {"hints", check_hints},    // each exercise has a section, each TODO has a task, and each task has three
                               // hints
    {"links", check_links},    // links lead to a file and a heading, and lectures link to their exercises
    {"lists", check_lists},    // tables of topics and exercises correspond to the manifest
    {"titles", check_titles},  // pages, decks and links have the titles of the manifest
    {"plan", check_plan},    // the guide has a row for each topic, with its exercises and the minutes of its
                             // deck
    {"decks", check_decks},  // everything that decks quote exists, and each deck has the required slides
    {"code", check_code},    // code in lectures and diagnoses is a region (quotes.hpp)
    {"numbers", check_numbers},  // numbers and tables in pages are those of the records
    {"records", check_records},  // records of measurements are complete
    {"visible", check_visible},  // lectures, tasks and slides do not show solutions
    {"copied", check_copied},    // no file of the copy for students contains a solution
    {"diagnoses",
     check_diagnoses},  // each kind in common/diagnoses.hpp has a page and is in the index, and each page has
                        // a kind
    {"evidence", check_evidence},   // each misconception has a wrong submission, and quotes its screen
    {"locals", check_locals},       // local values have const in kernels of demos, and not in solutions
    {"glossary", check_glossary},   // each term is introduced once, in bold, and is in the glossary
    {"reading", check_reading},     // lectures state what they need, and the guide's order provides it
    {"commands", check_commands}};  // commands in pages name existing presets, targets and tests

/// Returns the complaints of one rule about the course.
Complaints complaints_of(const Rule& rule, const Course& course);

/// Returns a file of the checkout. Complaints name the file by its path for readers. Throws Error if the file
/// cannot be read.
Source source_of(const Course& course, const fs::path& path);

/// Returns the demands in the source of an exercise's test: what it counts in addition to correct values.
std::set<std::string> counted_in_source(const Course& course, const Exercise& exercise);

/// Returns the presets of CMakePresets.json, in the form "workflow exercises". Throws Error if the file
/// cannot be read.
std::set<std::string> presets_of(const Course& course);

}  // namespace course
