// Joins several CUDA sources into one, because a compiler spends most of its time on the headers that all of
// them include. The sources are the submissions of an exercise, or the sources of a topic for nvcc. The
// result has this form:
//
//   #include <algorithm>               headers outside of the contract, each once, with the #if around the #include
//   namespace wrong_missing_barrier {  each source in its own namespace, with its own copy of the contract, whose
//   ...                                functions it defines there
//   }
//
// `kit_join choose` makes such a program of submissions, and its name selects the submission that runs.
#pragma once

#include "course.hpp"
#include "text.hpp"

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

// Writes the C++ source of a program that contains several submissions of an exercise. The name with which
// the program is started selects the submission (common/grader/choose.hpp).
//
// `kit_join together` puts each submission into its own namespace, such as wrong_missing_barrier or
// starter_tree. A call by the test then runs the function with the same name and types in the namespace of
// the selected submission. The symbols of the object files show which functions the test calls and which
// functions the submissions define.

/// One line of the symbol table that nm prints.
struct Symbol {
    char type;            ///< U: undefined here; T, W: a function; t: a static function; other letters: data
    std::string name;     ///< mangled name, such as "_ZN10wrong_tail4sumsEi"
    std::string meaning;  ///< demangled name, such as "wrong_tail::sums(int)"
};

/// Returns the symbols in the output of `nm -p` for one or several object files.
std::vector<Symbol> symbols_in(const std::string& table);

/// Returns the source of the program. In `names`, such as "tree.%", % stands for the name of a mistake or
/// way; the starter is called "tree". Throws Error, with a line for each called function that a submission
/// lacks.
std::string choosing_source(const std::string& names, const std::vector<Symbol>& submissions,
                            const std::vector<Symbol>& test);

}  // namespace course
