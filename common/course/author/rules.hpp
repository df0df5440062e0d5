// The rules that hold for every topic and exercise, as functions from the course to a list of complaints. CTest runs each as
// course.NAME; `kit_author check` runs them all.
#pragma once

#include "course.hpp"
#include "source.hpp"

namespace course {

/// Sentences that begin with the file; none if the rule holds.
using Complaints = std::vector<std::string>;

/// Collects complaints: complain(path, ":", 3, ": what is wrong") adds a sentence.
struct Complainer {
    Complaints complaints;
    template <class... Parts>
    void operator()(const Parts&... parts) {
        complaints.push_back(sentence(parts...));
    }
};

using Check = void(const Course& course, Complainer& complain);
Check check_files, check_stray, check_starters, check_headers, check_needs, check_counted, check_submissions,
    check_hints, check_links, check_lists, check_titles, check_plan, check_decks, check_code, check_numbers,
    check_records, check_visible, check_diagnoses, check_evidence, check_glossary, check_reading,
    check_commands;

struct Rule {
    const char* name;
    Check* check;
};
/// All rules. CMake reads their names here, one per line, and makes the test course.NAME of each.
inline constexpr Rule rules[] = {
    {"files", check_files},  // starter, solution, test, contract, lecture, demo, deck, results: complete
    {"stray", check_stray},  // every .cu file is built by some target
    {"starters", check_starters},  // each starter is generated from its solution
    {"headers", check_headers},    // title, build line, run line, and an index of exactly the versions
    {"needs", check_needs},        // build lines have the options that the manifest requires
    {"counted", check_counted},    // contracts name what tests count
    {"submissions",
     check_submissions},       // at least three wrong ones; each states its verdict, each screen has an entry
    {"hints", check_hints},    // a section per exercise, a task per TODO, three hints per task
    {"links", check_links},    // links lead to a file and a heading, and lectures link to their exercises
    {"lists", check_lists},    // tables of topics and exercises are those of the manifest
    {"titles", check_titles},  // pages, decks and links have the titles of the manifest
    {"plan", check_plan},    // the guide has a row for each topic: its exercises, and the minutes of its deck
    {"decks", check_decks},  // everything that decks quote exists, and each deck has the required slides
    {"code", check_code},    // code in lectures and diagnoses is a region: see quotes.hpp
    {"numbers", check_numbers},  // numbers and tables in pages follow from records
    {"records", check_records},  // records of measurements are complete
    {"visible", check_visible},  // lectures and tasks do not show solutions
    {"diagnoses",
     check_diagnoses},  // each kind in common/diagnoses.hpp has a page, each page a kind, the index has all
    {"evidence", check_evidence},   // each misconception has its wrong submission, and quotes its screen
    {"glossary", check_glossary},   // each term is introduced once, in bold, and is in the glossary
    {"reading", check_reading},     // lectures state what they need, and the guide's order respects it
    {"commands", check_commands}};  // commands in pages name existing presets, targets and tests

/// Returns the complaints of this rule about the course.
Complaints complaints_of(const Rule& rule, const Course& course);

/// Returns a file of the checkout, which complaints name as a reader sees it. Throws Error if it cannot be read.
Source source_of(const Course& course, const fs::path& path);

/// Returns what the test of an exercise demands in addition to correct values, as its source shows.
std::set<std::string> counted_in_source(const Course& course, const Exercise& exercise);

/// Returns the presets of CMakePresets.json, as "workflow exercises". Throws Error if the file cannot be read.
std::set<std::string> presets_of(const Course& course);

}  // namespace course
