// The rules that hold for every topic and exercise, as functions from the course to a list of complaints. CTest runs each as
// course.NAME; `kit_author check` runs them all.
#pragma once

#include "course.hpp"
#include "source.hpp"

namespace course {

/// One sentence each, beginning with the file; empty when the rule holds.
using Complaints = std::vector<std::string>;

/// complain(path, ":", 3, ": what is wrong") adds a sentence.
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
    {"files",
     check_files},  // starter, solution, test, contract, lecture, demo, deck, results: there, and written
    {"stray", check_stray},        // no .cu file that nothing builds
    {"starters", check_starters},  // each is what its solution makes
    {"headers", check_headers},    // title, build line, run line, and a true index of versions
    {"needs", check_needs},        // build lines have the options that the manifest asks for
    {"counted", check_counted},    // what a test counts, its contract names
    {"submissions",
     check_submissions},  // three wrong ones at least; each fits and states its verdict, each screen has its entry
    {"hints", check_hints},    // a section per exercise, a task per TODO, three hints per task
    {"links", check_links},    // they lead to a file and to a heading; lectures lead to their exercises
    {"lists", check_lists},    // tables of topics and exercises are those of the manifest
    {"titles", check_titles},  // pages, decks and links have the titles of the manifest
    {"plan", check_plan},    // the guide has a row for each topic: its exercises, and the minutes of its deck
    {"decks", check_decks},  // what decks quote exists, and each has the slides that it must have
    {"code", check_code},    // in lectures and diagnoses it is a region: see quotes.hpp
    {"numbers", check_numbers},  // numbers and tables in pages follow from records
    {"records", check_records},  // records of measurements are complete
    {"visible", check_visible},  // lectures and tasks do not hand out solutions
    {"diagnoses",
     check_diagnoses},  // a page for each kind in common/diagnoses.hpp, a kind for each page, an index
    {"evidence", check_evidence},   // each misconception has its wrong submission, and its words
    {"glossary", check_glossary},   // the field's words: each introduced once, in bold, and in the glossary
    {"reading", check_reading},     // lectures say what they need, and the guide's order respects it
    {"commands", check_commands}};  // commands in pages name what exists

/// The complaints of this rule about the course.
Complaints complaints_of(const Rule& rule, const Course& course);

/// A file of the checkout, which complaints name as a reader sees it. Throws Error if it cannot be read.
Source source_of(const Course& course, const fs::path& path);

/// What the test of an exercise demands in addition to correct values, as its source shows.
std::set<std::string> counted_in_source(const Course& course, const Exercise& exercise);

/// What CMakePresets.json has, as "workflow exercises". Throws Error if it cannot be read.
std::set<std::string> presets_of(const Course& course);

}  // namespace course
