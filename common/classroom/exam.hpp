// An exam: one test of an exercise in the form that grades a class. The judge is that test with the solution,
// and is built once. A worker is the same test with a student's file. The worker is built in the sandbox,
// once for each different text.
#pragma once

#include "classroom.hpp"
#include "sandbox.hpp"

namespace classroom {

// The commands with which the build folder builds the solution of an exercise, so that they can be repeated
// with other files.

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

struct Exam {
    const Exercise* exercise = nullptr;
    std::string name;  ///< for example "07_reduction.tree", with ".cases" for the instructor's cases
    Recipe recipe;
    fs::path judge;     ///< program of the judge
    fs::path test;      ///< object file of the test for workers, whose functions a submission cannot call by
                        ///< name
    fs::path contract;  ///< file with the names that a submission exports; its other names are private
    fs::path reserved;  ///< file with names that a submission must not define, because the kit defines them
};

/// Returns all exams of an exercise: its test, the test of each variant, and the instructor's
/// cases/TOPIC/NAME_test.cu if it exists. The targets solution.* must have been built. Writes files to
/// `folder`. Throws Error.
std::vector<Exam> exams_of(const Course& course, const Exercise& exercise, const fs::path& folder,
                           const fs::path& cases);

/// The result of building a worker: the program, or a message.
struct Built {
    bool good = false;
    std::string message;  ///< message of the compiler, with paths that the student knows
};

/// Builds `program` from a student's file .../exercises/TOPIC/NAME.cu. The file can also be the kit's own
/// solution, to check that it still compiles.
Built build_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                   const fs::path& program);

/// Returns the command that runs the worker in the sandbox.
Lines command_of_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                        const fs::path& program);

}  // namespace classroom
