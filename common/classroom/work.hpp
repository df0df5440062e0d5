// Grades a class: compiles and runs each different text of each exercise once, in parallel, and keeps its verdict. A run that was
// stopped, or that a different machine has done in part, continues with the texts that have no verdict.
#pragma once

#include <cstdint>

#include "exam.hpp"

namespace classroom {

/// One of `count` equal parts of the work.
struct Shard {
    int index = 1;  ///< starts at 1
    int count = 1;
};

/// Reads "3/8". Throws Error.
Shard shard_of(const std::string& words);

/// Returns whether the shard contains the text. `content` is its name, as name_of_content returns it.
bool belongs_to_shard(const std::string& content, const Shard& shard);

struct Settings {
    fs::path out;    ///< folder for all results
    fs::path cases;  ///< folder of the instructor's additional cases; may be empty
    std::uint64_t seed = 1;
    int jobs = 1;  ///< number of texts that are graded at the same time
    Shard shard;   ///< part of the texts that this run grades
    Sandbox sandbox;
    RunLimits limits;  ///< limits of one graded run
};

/// OUT/verdicts/TOPIC/NAME/CONTENT.json
fs::path verdict_path(const fs::path& out, const Exercise& exercise, const std::string& content);

/// Builds judges, references and the executor once for the whole class. If the solutions have been removed, they must have been built
/// before. Throws Error.
void build_judges(const Course& course, const std::vector<const Exercise*>& exercises);

/// Grades the texts without a verdict. Skips starters and missing files. Throws Error if the kit itself cannot be built.
void grade(const Class& all, const Settings& settings);

/// Adds the verdicts to the class. Returns the number of entries without one.
std::size_t collect(Class& all, const fs::path& out);

}  // namespace classroom
