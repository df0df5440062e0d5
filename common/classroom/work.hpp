// Grades a class: compiles and runs each different text of each exercise once, in parallel, and stores its
// verdict. If a run was stopped, or if another machine has graded a part, the next run continues with texts
// that have no verdict.
#pragma once

#include <cstdint>

#include "exam.hpp"

namespace classroom {

/// One of `count` equal parts of the work.
struct Shard {
    int index = 1;  ///< number of the part, counted from 1
    int count = 1;
};

/// Reads a part in the form "3/8". Throws Error if the form is wrong.
Shard shard_of(const std::string& words);

/// Returns whether this part contains the text. `content` is the text's name, as name_of_content() returns
/// it.
bool belongs_to_shard(const std::string& content, const Shard& shard);

struct Settings {
    fs::path out;    ///< folder for all results
    fs::path cases;  ///< folder with additional cases of the instructor; can be empty
    std::uint64_t seed = 1;
    int jobs = 1;  ///< number of texts that are graded at the same time
    Shard shard;   ///< the part of the texts that this run grades
    Sandbox sandbox;
    RunLimits limits;  ///< limits for one graded run
};

/// Returns the path of a verdict: OUT/verdicts/TOPIC/NAME/CONTENT.json
fs::path verdict_path(const fs::path& out, const Exercise& exercise, const std::string& content);

/// Builds judges, references and the executor once for the whole class. If the solutions have been removed,
/// the judges must have been built before. Throws Error.
void build_judges(const Course& course, const std::vector<const Exercise*>& exercises);

/// Grades the texts without a verdict. Skips starters and missing files. Throws Error if the kit itself
/// cannot be built.
void grade(const Class& all, const Settings& settings);

/// Adds the verdicts to the class. Returns the number of entries that have none.
std::size_t collect(Class& all, const fs::path& out);

}  // namespace classroom
