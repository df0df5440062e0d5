// kit_class: grades the folder of a class. The instructor's guide (lectures/instructors_guide.md), "Grading a
// class", explains the program.
#include <sys/random.h>

#include <algorithm>
#include <cstdio>

#include "intake.hpp"
#include "options.hpp"
#include "reports.hpp"

namespace {

using namespace classroom;
using course::Error;

bool is_exercise(const Course& course, const std::string& text) {
    const auto is_it = [&](const Exercise& exercise) { return exercise.id() == text; };
    return std::any_of(course.exercises.begin(), course.exercises.end(), is_it);
}

/// Returns the exercises that --only selects, in the order of the course. TOPIC/NAME is one exercise. Any
/// other text selects all exercises whose names contain it.
std::vector<const Exercise*> chosen(const Course& course, const std::string& only) {
    std::vector<const Exercise*> exercises;
    for (const Exercise& exercise : course.exercises) {
        bool fits = only.empty();
        for (const std::string& text : course::words_of(course::replaced(only, ",", " ")))
            fits = fits || exercise.id() == text ||
                   (!is_exercise(course, text) && course::contains(exercise.id(), text));
        if (fits && course.has_chosen(exercise.topic)) exercises.push_back(&exercise);
    }
    if (exercises.empty()) throw Error("--only ", only, ": no exercise has this name");
    return exercises;
}

/// Returns the hunts that --hunts names, by exercise.
std::map<const Exercise*, course::Hunt> hunts_named(const Course& course, const std::string& names) {
    const std::vector<course::Hunt> all = course::all_hunts(course);
    std::map<const Exercise*, course::Hunt> hunts;
    for (const std::string& name : course::words_of(course::replaced(names, ",", " "))) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const course::Hunt& hunt) { return hunt.name() == name; });
        if (found == all.end())
            throw Error("--hunts ", name,
                        ": there is no such hunt. A name looks like memory_access.coalesce.1");
        if (!hunts.emplace(found->exercise, *found).second)
            throw Error("--hunts: ", found->exercise->id(),
                        " has two of these hunts. Grade them one after the other");
    }
    return hunts;
}

/// Returns the seed for all runs with one folder of results. The seed stays the same, so that results before
/// and after an interruption can be compared.
std::uint64_t seed_of(const Options& options) {
    const fs::path file = options.out / "seed";
    if (options.seed) {
        course::write_text(file, std::to_string(*options.seed) + "\n");
    } else if (!fs::exists(file)) {
        std::uint64_t seed = 0;
        if (getrandom(&seed, sizeof seed, 0) != sizeof seed) throw Error("the system has no random numbers");
        course::write_text(file, std::to_string(seed >> 4) + "\n");
    }
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    return std::stoull(course::read_text(file));
}

int run(const Lines& command_line) {
    const Options options = options_of({command_line.begin() + 1, command_line.end()});
    if (options.help) {
        std::fputs(usage, stdout);
        return 0;
    }
    if (options.check) {
        const std::string trouble = Sandbox().trouble();
        std::puts(trouble.empty() ? "The sandbox works on this machine." : trouble.c_str());
        return trouble.empty() ? 0 : 1;
    }
    const Course course = Course::read(fs::read_symlink("/proc/self/exe").parent_path() / "course.txt");
    if (options.build) {
        build_judges(course, chosen(course, options.only));
        return 0;
    }
    Settings settings;
    settings.sandbox = Sandbox(options.no_sandbox);
    if (const std::string trouble = settings.sandbox.trouble(); !trouble.empty()) throw Error(trouble);
    settings.out = options.out;
    settings.cases = options.cases;
    settings.jobs = options.jobs;
    settings.limits = options.limits;
    settings.shard = options.shard.value_or(Shard());
    fs::create_directories(options.out);
    fs::permissions(options.out, fs::perms::owner_all);
    settings.seed = seed_of(options);

    IntakeOptions intake;
    intake.students = options.out / "students";
    intake.names = options.names;
    intake.deadline = options.deadline;
    std::vector<const Exercise*> exercises;
    if (options.hunts.empty()) {
        exercises = chosen(course, options.only);
    } else {
        if (!options.only.empty()) throw Error("--hunts and --only cannot be used together");
        intake.hunts = hunts_named(course, options.hunts);
        for (const Exercise& exercise : course.exercises)
            if (intake.hunts.count(&exercise)) exercises.push_back(&exercise);
    }
    const Points points = options.points.empty() ? Points() : Points::read(options.points, course);
    Class all = take_in(course, exercises, options.submissions, intake);
    if (all.students.empty())
        throw Error(options.submissions.string(),
                    " is empty: there must be a folder or an archive for each student");
    std::fprintf(stderr, "%zu students, %zu exercises\n", all.students.size(), all.exercises.size());
    if (!options.collect) grade(all, settings);
    if (options.shard) return 0;
    const std::size_t missing = collect(all, options.out);
    write_reports(all, points, options.out);
    std::fprintf(stderr, "The class: %s\n", (options.out / "class.html").c_str());
    if (missing > 0) std::fprintf(stderr, "%zu are not graded yet: run the same command again\n", missing);
    return missing > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) try { return run({argv, argv + argc}); } catch (const std::exception& error) {
    std::fprintf(stderr, "kit_class: %s\n", error.what());
    return 2;
}
