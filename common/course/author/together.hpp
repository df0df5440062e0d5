// Joins several CUDA sources into one, because a compiler spends most of its time on the headers that all of
// them include. The sources are the submissions of an exercise, or the sources of a topic for nvcc. The
// result has this form:
//
//   #include <algorithm>               headers outside of the contract, each once, with the #if around the #include
//   namespace wrong_missing_barrier {  each source in its own namespace, with its own copy of the contract, whose
//   ...                                functions it defines there
//   }
//
// `kit_author choose` makes such a program of submissions, and its name selects the submission that runs.
#pragma once

#include "course.hpp"

namespace course {

struct Submission {
    fs::path file;     ///< file with the text of the submission, which compiler messages and #line name
    std::string name;  ///< name of the namespace
    std::string text;
    bool may_warn;  ///< whether warnings are allowed, because it is a student's file and not a starter
};

struct Together {
    std::string source;
    std::vector<fs::path> read;  ///< headers whose text is included in it
};

/// Joins the sources. A header in `shared` is included at the top, even if it is next to a source. Throws
/// Error if a source includes a header of the topic that cannot be read.
Together together(const Course& course, const std::vector<Submission>& submissions,
                  const std::set<fs::path>& shared = {});

}  // namespace course
