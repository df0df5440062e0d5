// The commands by which the build folder makes an exercise's solution, so that they can be repeated with other files.
#pragma once

#include "classroom.hpp"

namespace classroom {

/// The words of each command, split as by a shell; folders are absolute.
struct Recipe {
    Lines translate;                  ///< translation, without the two files at its end
    Lines compile;                    ///< compilation, without files and without -Werror
    Lines compile_test;               ///< compilation of the exercise's test
    Lines link;                       ///< compiler and options before the first file
    fs::path program;                 ///< the solution's program, which judges
    fs::path solution, test;          ///< object files of solution and test
    std::vector<fs::path> libraries;  ///< libraries that a program is linked with
    std::vector<fs::path> headers;    ///< kit headers that the solution, and so a submission, may include
};

/// Returns "07_reduction.tree", or "01_error_handling.debug_sync.KIT_DEBUG_SYNC".
std::string target_of(const Exercise& exercise, const std::string& variant);

/// Reads the commands from ninja. The solution must have been built. Throws Error.
Recipe recipe_of(const Course& course, const Exercise& exercise, const std::string& variant);

/// Splits a command into words, as a shell does.
std::string for_shell(const Lines& words);

}  // namespace classroom
