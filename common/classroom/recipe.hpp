// The commands with which the build folder builds the solution of an exercise, so that they can be repeated
// with other files.
#pragma once

#include "classroom.hpp"

namespace classroom {

/// The words of each command, split as by a shell. Folders are absolute paths.
struct Recipe {
    Lines translate;                  ///< translation, without the two files at the end
    Lines compile;                    ///< compilation, without files and without -Werror
    Lines compile_test;               ///< compilation of the exercise's test
    Lines link;                       ///< compiler and options, up to the first file
    fs::path program;                 ///< program with the solution, which is the judge
    fs::path solution, test;          ///< object files of the solution and the test
    std::vector<fs::path> libraries;  ///< libraries with which a program is linked
    std::vector<fs::path> headers;    ///< headers of the kit that the solution includes, so that a submission
                                      ///< may include them
};

/// Returns the name of a target, such as "07_reduction.tree" or
/// "01_error_handling.debug_sync.KIT_DEBUG_SYNC".
std::string target_of(const Exercise& exercise, const std::string& variant);

/// Reads the commands from Ninja. The solution must have been built. Throws Error.
Recipe recipe_of(const Course& course, const Exercise& exercise, const std::string& variant);

/// Joins words to a command line, quoted for a shell.
std::string for_shell(const Lines& words);

}  // namespace classroom
