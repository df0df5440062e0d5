// Builds and runs the file of a bug hunt.
#include "build.hpp"
#include "hunts.hpp"
#include "judge.hpp"
#include "regions.hpp"

namespace course {

namespace {

/// Writes the list from which CMake builds the hunts that were given (kit_add_hunts).
void write_list_of_hunts(const Course& course, const std::vector<Hunt>& hunts) {
    Lines lines = {"# Written by kit_course hunt: the hunts that were given."};
    for (const Hunt& hunt : hunts) {
        const fs::path file = hunted_file(course, hunt.name());
        if (fs::exists(file))
            lines.push_back("kit_add_hunt(" + hunt.name() + " " + hunt.exercise->topic + " " +
                            hunt.exercise->name + " \"" + hunt.variant + "\" \"" + file.string() + "\")");
    }
    write_text(course.build / "hunts.cmake", text_of(lines));
}

}  // namespace

Verdict judge_hunt(const Course& course, const std::vector<Hunt>& all, const Hunt& hunt,
                   const std::string& again) {
    write_list_of_hunts(course, all);
    const fs::path file = hunted_file(course, hunt.name()), program = course.build / "hunt" / hunt.name();
    const std::string test = "hunt." + hunt.name(), token = random_token();
    Verdict verdict;
    const Built built = build_target(course, test);
    if (!built.good) {
        verdict.outcome = "broken";
        verdict.output = course.shown(file) + " does not compile. The compiler says:\n\n" + built.message;
        return verdict;
    }
    if (!fs::exists(program)) {  // kit_add_target builds no program if a library is missing
        verdict.outcome = "skip";
        verdict.sentence = "a library that it needs is not installed";
        return verdict;
    }
    const fs::path result = verdict_file(course, test);
    std::error_code ignored;
    fs::create_directories(result.parent_path());
    fs::remove(result, ignored);
    const Run done = run({program.string()}, {{"KIT_EXERCISE_STAGE", "exercise"},
                                              {"KIT_AGAIN", test},
                                              {"KIT_SUBMISSION", file.string()},
                                              {"KIT_TASKS", titles_of_tasks(course, *hunt.exercise)},
                                              {"KIT_REGIONS", places_of_tasks(course, *hunt.exercise, file)},
                                              {"KIT_VERDICT", result.string()},
                                              {"KIT_TOKEN", token},
                                              {"COLUMNS", "80"}});
    const std::optional<Verdict> written = read_verdict(result);
    const bool is_true = written && written->token == token && written->status == done.status;
    if (is_true) verdict = *written;
    if (!is_true) verdict.outcome = "wrong";
    verdict.output = replaced(without_forgeries(done.output, is_true),
                              "ctest --preset exercises -R '" + test + "'", again);
    return verdict;
}

}  // namespace course
