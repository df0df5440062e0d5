// An exam: one test of an exercise, as a class is graded with it. The judge is that test with the solution, built once; a
// worker is the same test with a student's file, built in the sandbox for each different text.
#pragma once

#include "recipe.hpp"
#include "sandbox.hpp"

namespace classroom {

struct Exam {
    const Exercise* exercise = nullptr;
    std::string name;  ///< "07_reduction.tree", with ".cases" for those of the instructor
    Recipe recipe;
    fs::path judge;  ///< the program
    fs::path test;   ///< the object for workers: what the test is made of cannot be called by its name
    fs::path
        contract;  ///< a list of the names that a submission gives to others; all other names stay in its file
    fs::path reserved;  ///< a list of those that a submission may not define, as they are the kit's
};

/// All exams of an exercise: its test, once for each variant, and cases/TOPIC/NAME_test.cu of the instructor if it exists. What
/// they are built from has been built: targets solution.*. `folder` gets what is made here. Throws Error.
std::vector<Exam> exams_of(const Course& course, const Exercise& exercise, const fs::path& folder,
                           const fs::path& cases);

/// What came of building a worker.
struct Built {
    bool good = false;
    std::string message;  ///< of the compiler, with the paths that a student knows
};

/// Builds `program` from a student's file, which lies at .../exercises/TOPIC/NAME.cu, or from the kit's own solution, to see
/// whether that still compiles.
Built build_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                   const fs::path& program);

/// The command that runs it.
Lines command_of_worker(const Course& course, const Exam& exam, const Sandbox& sandbox, const fs::path& file,
                        const fs::path& program);

}  // namespace classroom
