// How the build folder makes the program of an exercise: the commands of its solution, with other files put in.
#pragma once

#include "classroom.hpp"

namespace classroom {

/// Words of commands, as a shell would split them; folders are absolute.
struct Recipe {
    Lines translate;                  ///< without the two files that come last
    Lines compile;                    ///< without files, and without -Werror
    Lines compile_test;               ///< the same for the exercise's test
    Lines link;                       ///< compiler and options before any file
    fs::path program;                 ///< of the solution: it judges
    fs::path solution, test;          ///< their objects
    std::vector<fs::path> libraries;  ///< that a program is linked with
    std::vector<fs::path> headers;    ///< of the kit that the solution includes: a submission may, too
};

/// "07_reduction.tree", or "01_error_handling.debug_sync.KIT_DEBUG_SYNC".
std::string target_of(const Exercise& exercise, const std::string& variant);

/// Asks ninja, which must know the build folder; the solution has been built. Throws Error.
Recipe recipe_of(const Course& course, const Exercise& exercise, const std::string& variant);

/// The words as a shell reads them.
std::string for_shell(const Lines& words);

}  // namespace classroom
