#include "starters.hpp"

#include <cstdio>

#include "author_commands.hpp"
#include "judge.hpp"
#include "rules.hpp"

namespace course {

namespace {

/// Returns the output of git; empty if git fails or is not installed.
std::string git(const Course& course, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-C", course.root});
    const Run done = run(arguments);
    return done.status == 0 ? done.output : "";
}

/// Returns whether some committed version of the solution generates this starter.
bool was_made_from_history(const Course& course, const Exercise& exercise, const std::string& text) {
    const std::string solution = exercise.solution();
    for (const std::string& commit : words_of(git(course, {"log", "-n100", "--format=%H", "--", solution}))) {
        try {
            if (Source(solution, git(course, {"show", commit + ":./" + solution})).starter() == text)
                return true;
        } catch (const Error&) {  // a version whose marks are wrong, or in which the file was removed
        }
    }
    return false;
}

fs::path witness(const Course& course, const Exercise& exercise) {
    return course.build / "written_starters" / (exercise.id() + ".cu");
}

void write_starter(const Course& course, const Exercise& exercise, const std::string& starter) {
    write_text(course.root / exercise.starter(), starter);
    write_text(witness(course, exercise), starter);
}

}  // namespace

Put put_starter(const Course& course, const Exercise& exercise) {
    const std::string starter = source_of(course, exercise.solution()).starter();
    const fs::path file = course.root / exercise.starter();
    const bool there = fs::exists(file);
    const std::string found = read_text_if_there(file);
    if (there && found != starter && found != read_text_if_there(witness(course, exercise)) &&
        !was_made_from_history(course, exercise, found))
        return Put::kept;
    write_starter(course, exercise, starter);
    return !there ? Put::made : found == starter ? Put::unchanged : Put::renewed;
}

fs::path force_starter(const Course& course, const Exercise& exercise) {
    const std::string starter = source_of(course, exercise.solution()).starter();
    const fs::path file = exercise.starter(), copy = file.string() + ".mine";
    if (fs::exists(course.root / copy))
        throw Error(copy, ": is there already; move it away, so that nothing is lost");
    if (fs::exists(course.root / file)) fs::rename(course.root / file, course.root / copy);
    write_starter(course, exercise, starter);
    return copy;
}

std::string advice_on_kept(const Course& course, const Exercise& exercise) {
    return sentence(
        exercise.starter(),
        ": kept, because it contains work: it differs from every starter that was generated before. To ",
        "replace it and keep a copy as ", exercise.name,
        ".cu.mine: ", course.shown(course.build / "kit_author"), " starters --force ", exercise.id());
}

int command_starters(const Course& course, const Arguments& arguments) {
    if (arguments.size() == 2 && arguments[0] == "--force") {
        const Exercise& exercise = course.exercise(arguments[1]);
        const fs::path copy = force_starter(course, exercise);
        std::printf("%s: replaced; what was there is now in %s\n", exercise.starter().c_str(), copy.c_str());
        return 0;
    }
    if (!arguments.empty()) return 2;
    int failed = 0;
    for (const Exercise& exercise : course.exercises) {
        try {
            const Put put = put_starter(course, exercise);
            if (put == Put::made) std::printf("%s: made\n", exercise.starter().c_str());
            if (put == Put::renewed) std::printf("%s: renewed\n", exercise.starter().c_str());
            if (put == Put::kept) throw Error(advice_on_kept(course, exercise));
        } catch (const Error& error) {
            std::printf("%s\n", error.what());
            failed = 1;
        }
    }
    return failed;
}

}  // namespace course
