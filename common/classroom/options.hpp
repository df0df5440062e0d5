// The command line of kit_class.
#pragma once

#include <optional>

#include "work.hpp"

namespace classroom {

struct Options {
    fs::path submissions;  ///< the folder of the class
    fs::path out;          ///< the default is the folder's name and ".graded"
    fs::path names, points, cases;
    std::string deadline, only;
    std::optional<std::uint64_t> seed;
    int jobs = 0;  ///< 0: one per core
    std::optional<Shard> shard;
    bool collect = false, build = false, check = false, no_sandbox = false, help = false;
    RunLimits limits;
};

extern const char* const usage;

/// Throws Error with one sentence for an unknown option, a wrong value or a missing file.
Options options_of(const Lines& arguments);

}  // namespace classroom
