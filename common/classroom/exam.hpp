// An exam: one test of an exercise, in the form that grades a class. The judge is that test with the solution, built once. A
// worker is the same test with a student's file, built in the sandbox for each different text.
#pragma once

#include "recipe.hpp"
#include "sandbox.hpp"

namespace classroom {

struct Exam {
    const Exercise* exercise = nullptr;
    std::string name;  ///< "07_reduction.tree", with ".cases" for the instructor's cases
    Recipe recipe;
    fs::path judge;     ///< the program
    fs::path test;      ///< the object file for workers, whose parts a submission cannot call by name
    fs::path contract;  ///< file with the names that a submission exports; all other names stay private to it
    fs::path
        reserved;  ///< file with the names that a submission must not define, because the kit defines them
};

/// Returns all exams of an exercise: its test, once for each variant, and the instructor's cases/TOPIC/NAME_test.cu if it exists. The
/// targets solution.* must have been built. Writes into `folder`. Throws Error.
std::vector<Exam> exams_of(const Course& course, const Exercise& exercise, const fs::path& folder,
                           const fs::path& cases);

/// The result of building a worker.
struct Built {
    bool good = false;
    std::string message;  ///< the compiler's message, with the paths that a student knows
};

/// Builds `program` from a student's file at .../exercises/TOPIC/NAME.cu, or from the kit's own solution, to check that it still
/// compiles.
Built build_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                   const fs::path& program);

/// Returns the command that runs it.
Lines command_of_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                        const fs::path& program);

}  // namespace classroom
