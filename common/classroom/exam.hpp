// An exam: one test of an exercise in the form that grades a class. The judge is that test with the solution,
// and is built once. A worker is the same test with a student's file. The worker is built in the sandbox,
// once for each different text.
#pragma once

#include "recipe.hpp"
#include "sandbox.hpp"

namespace classroom {

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
