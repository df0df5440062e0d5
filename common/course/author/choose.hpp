// Writes the C++ source of a program that contains several submissions of an exercise. The name with which
// the program is started selects the submission (common/grader/choose.hpp).
//
// `kit_author together` puts each submission into its own namespace, such as wrong_missing_barrier or
// starter_tree. A call by the test then runs the function with the same name and types in the namespace of
// the selected submission. The symbols of the object files show which functions the test calls and which
// functions the submissions define.
#pragma once

#include "text.hpp"

namespace course {

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
