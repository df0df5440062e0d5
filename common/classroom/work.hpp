// The work: every different text of every exercise is compiled and run once, in parallel, and its verdict kept. A run that was
// stopped, or that another machine has done a part of, goes on where the verdicts end.
#pragma once

#include <cstdint>

#include "exam.hpp"

namespace classroom {

/// One of `count` equal parts of the work.
struct Shard {
    int index = 1;  ///< from 1
    int count = 1;
};

/// "3/8". Throws Error.
Shard shard_of(const std::string& words);

/// Returns whether the shard contains the text. `content` is its name, as name_of_content returns it.
bool belongs_to_shard(const std::string& content, const Shard& shard);

struct Settings {
    fs::path out;    ///< everything that is made here
    fs::path cases;  ///< the instructor's further cases; may be empty
    std::uint64_t seed = 1;
    int jobs = 1;  ///< texts at work at a time
    Shard shard;   ///< the part of the texts that this run does
    Sandbox sandbox;
    RunLimits limits;  ///< of one graded run
};

/// OUT/verdicts/TOPIC/NAME/CONTENT.json
fs::path verdict_path(const fs::path& out, const Exercise& exercise, const std::string& content);

/// Judges, references and the executor, once for everybody. Where the solutions have been removed they must be built already.
/// Throws Error.
void build_judges(const Course& course, const std::vector<const Exercise*>& exercises);

/// Grades what has no verdict yet. Texts that are the starter, or are not there, are left out. Throws Error where the kit itself
/// cannot be built.
void grade(const Class& all, const Settings& settings);

/// Puts the verdicts into the class. How many entries have none.
std::size_t collect(Class& all, const fs::path& out);

}  // namespace classroom
