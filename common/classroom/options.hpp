// The command line of kit_class.
#pragma once

#include <optional>

#include "work.hpp"

namespace classroom {

struct Options {
    fs::path submissions;  ///< folder of the class
    fs::path out;          ///< by default, the folder of the class with the extension ".graded"
    fs::path names, points, cases;
    std::string deadline, only, hunts;
    std::optional<std::uint64_t> seed;
    int jobs = 0;  ///< 0: one per core
    std::optional<Shard> shard;
    bool collect = false, build = false, check = false, no_sandbox = false, help = false;
    RunLimits limits;
};

extern const char* const usage;

/// Reads the options. Throws Error, with one sentence, for an unknown option, an invalid value or a missing
/// file.
Options options_of(const Lines& arguments);

}  // namespace classroom
