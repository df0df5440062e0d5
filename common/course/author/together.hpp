// Joins several CUDA sources, because a compiler spends most of its time on the headers that all of them include. They are the
// submissions of an exercise, or the sources of a topic for nvcc.
//
//     #include <algorithm>               each header outside the contract that one of them includes, once, with the #if around it
//     namespace wrong_missing_barrier {  each in its own namespace, with its own copy of the contract, whose functions it
//     ...                                defines there
//     }
//
// `kit_author choose` makes a program of submissions that runs the one by whose name it is started.
#pragma once

#include "course.hpp"

namespace course {

struct Submission {
    fs::path file;     ///< file of the submission's text, which diagnostics and #line name
    std::string name;  ///< name of the namespace
    std::string text;
    bool may_warn;  ///< whether it is a student's file and not a starter
};

struct Together {
    std::string source;
    std::vector<fs::path> read;  ///< the headers that are part of it
};

/// Joins the sources. A `shared` header is included at the top, even if it is next to a source. Throws Error if a header of the topic that
/// one of the sources includes cannot be read.
Together together(const Course& course, const std::vector<Submission>& submissions,
                  const std::set<fs::path>& shared = {});

}  // namespace course
