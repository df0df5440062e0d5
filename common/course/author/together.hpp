// Several CUDA sources as one, since a compiler spends most of its time on what all of them include: the submissions of an exercise,
// or what nvcc is to read of a topic.
//
//     #include <algorithm>               what any of them includes and is not of the contract, once, with the #if around it
//     namespace wrong_missing_barrier {  each in a namespace of its own, with its own copy of the contract, whose functions it
//     ...                                defines there
//     }
//
// `kit_author choose` makes a program of submissions that runs the one by whose name it is started.
#pragma once

#include "course.hpp"

namespace course {

struct Submission {
    fs::path file;     ///< where its text lies for who reads a diagnosis; #line names it
    std::string name;  ///< of the namespace
    std::string text;
    bool may_warn;  ///< it is a student's, not a starter
};

struct Together {
    std::string source;
    std::vector<fs::path> read;  ///< the headers that are part of it
};

/// A `shared` header is included at the top, even if it lies beside a source. Throws Error if a header of the topic that one of the
/// sources includes cannot be read.
Together together(const Course& course, const std::vector<Submission>& submissions,
                  const std::set<fs::path>& shared = {});

}  // namespace course
