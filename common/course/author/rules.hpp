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
Check check_files, check_stray, check_starters, check_headers, check_wrong, check_hints, check_links,
    check_code, check_visible, check_diagnoses, check_evidence, check_glossary, check_reading, check_readme;

struct Rule {
    const char* name;
    Check* check;
};
inline constexpr Rule rules[] = {
    {"files", check_files},  // starter, solution, test, contract, lecture, demo, results: there, and written
    {"stray", check_stray},  // no .cu file that nothing builds
    {"starters", check_starters},  // each is what its solution makes
    {"headers", check_headers},    // title, build line, run line, and a true index of versions
    {"wrong", check_wrong},        // at least three patches, each with its header, each fits; nothing else
    {"hints", check_hints},        // a section per exercise, a task per TODO, three hints per task
    {"links", check_links},        // they lead somewhere; lectures lead to their exercises
    {"code", check_code},          // in lectures and diagnoses it is a region: see quotes.hpp
    {"visible", check_visible},    // lectures do not hand out solutions
    {"diagnoses",
     check_diagnoses},  // a page for each kind in common/diagnoses.hpp, a kind for each page, an index
    {"evidence", check_evidence},  // each misconception has its wrong submission, and its words
    {"glossary", check_glossary},  // the field's words: each introduced once, in bold, and in the glossary
    {"reading", check_reading},    // lectures say what they need, and the guide's order respects it
    {"readme", check_readme}};     // the table of topics is true, and commands name what exists

/// What the rule says of the course.
Complaints complaints_of(const Rule& rule, const Course& course);

/// A file of the checkout, which complaints name as a reader sees it. Throws Error if it cannot be read.
Source source_of(const Course& course, const fs::path& path);

/// What CMakePresets.json has, as "workflow exercises". Throws Error if it cannot be read.
std::set<std::string> presets_of(const Course& course);

}  // namespace course
