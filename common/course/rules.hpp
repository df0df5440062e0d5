// The rules that hold for every topic and exercise, as functions from the course to a list of complaints. CTest runs each as
// course.NAME; `kit_course check` runs them all.
#pragma once

#include "course.hpp"
#include "source.hpp"

namespace course {

/// One sentence each, beginning with the file; empty when the rule holds.
using Complaints = std::vector<std::string>;
template <class... Parts>
void complain(Complaints& complaints, const Parts&... parts) {
    complaints.push_back(sentence(parts...));
}

// Starter, solution, test, contract, lecture, demo and results are there, and nothing is left to be written.
Complaints check_files(const Course& course);
// No .cu file that nothing builds.
Complaints check_stray(const Course& course);
// Each is what its solution makes.
Complaints check_starters(const Course& course);
// Title, build line, run line, and a true index of versions.
Complaints check_headers(const Course& course);
// At least three patches, each with its header, each fits its solution; nothing else lies in their folders.
Complaints check_wrong(const Course& course);
// A section per exercise, a task per TODO, three hints per task.
Complaints check_hints(const Course& course);
// Links lead somewhere; lectures lead to their exercises.
Complaints check_links(const Course& course);
// Code in lectures and diagnoses is a region: see quotes.hpp.
Complaints check_code(const Course& course);
// A page for each kind of finding (common/diagnoses.hpp), a kind for each page, all in the index.
Complaints check_diagnoses(const Course& course);
// Each misconception has its wrong submission, and its words.
Complaints check_evidence(const Course& course);
// The table of topics is true, and commands name what exists.
Complaints check_readme(const Course& course);

struct Rule {
    const char* name;
    Complaints (*check)(const Course&);
};
inline constexpr Rule rules[] = {
    {"files", check_files},       {"stray", check_stray},  {"starters", check_starters},
    {"headers", check_headers},   {"wrong", check_wrong},  {"hints", check_hints},
    {"links", check_links},       {"code", check_code},    {"diagnoses", check_diagnoses},
    {"evidence", check_evidence}, {"readme", check_readme}};

/// A file of the checkout, which complaints name as a reader sees it. Throws Error if it cannot be read.
Source source_of(const Course& course, const fs::path& path);

/// What CMakePresets.json has, as "workflow exercises". Throws Error if it cannot be read.
std::set<std::string> presets_of(const Course& course);

}  // namespace course
