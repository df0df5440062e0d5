// Writes the C++ source of a program that holds several submissions of an exercise. The name by which the program is started selects the
// submission (common/grader/choose.hpp).
//
// `kit_author together` puts each submission into a namespace, such as wrong_missing_barrier or starter_tree. A call of the test is
// answered by the function with the same name and types in the selected submission's namespace. The symbols of the objects show which
// functions the test calls and which functions the submissions define.
#pragma once

#include "text.hpp"

namespace course {

/// A line of nm's table of symbols.
struct Symbol {
    char
        type;  ///< U: used here and defined elsewhere; T, W: a function; t: a static function; other letters: data
    std::string name;     ///< as the linker knows it: "_ZN10wrong_tail4sumsEi"
    std::string meaning;  ///< as C++ writes it: "wrong_tail::sums(int)"
};

/// Returns the symbols in what `nm -p` prints for one or several objects.
std::vector<Symbol> symbols_in(const std::string& table);

/// Returns the source. In `names`, such as "tree.%", % stands for the name of a mistake or way; the starter is called "tree". Throws Error
/// with a line for each call that cannot be chosen.
std::string choosing_source(const std::string& names, const std::vector<Symbol>& submissions,
                            const std::vector<Symbol>& test);

}  // namespace course
