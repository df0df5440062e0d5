// The rule about wrong submissions.
#include <algorithm>

#include "patch.hpp"
#include "rules.hpp"

namespace course {

namespace {

constexpr std::size_t least_patches = 3;
constexpr int most_changes = 40;

/// What the header of a patch may say: see README.md, "Adding an exercise".
const std::set<std::string> keys = {"wrong",    "diagnosis", "diagnosis.cpu", "diagnosis.gpu",
                                    "backends", "variant",   "sanitizer.all", "sanitizer.says"};

void check_patch(const Course& course, const Exercise& exercise, const fs::path& path,
                 Complaints& complaints) try {
    const Patch patch(course, path);
    if (patch.lines("wrong").empty())
        complain(complaints, path, ": no line \"// wrong: what the student did\" at the top");
    if (patch.lines("diagnosis").empty() && patch.lines("diagnosis.cpu").empty() &&
        patch.lines("diagnosis.gpu").empty())
        complain(complaints, path, ": no line \"// diagnosis: text of the verdict\" at the top");
    for (const Patch::Hunk& hunk : patch.hunks()) {
        if (hunk.changes() > most_changes)
            complain(complaints, path, ":", hunk.line, ": the hunk changes ", hunk.changes(),
                     " lines, which is no mistake but another solution");
    }
    for (const std::string& line : patch.header()) {
        const std::string key = line.substr(std::min<std::size_t>(3, line.size()), line.find(':') - 3);
        if (contains(line, ":") && !contains(key, " ") && !keys.count(key))
            complain(complaints, path, ": \"// ", key, ":\" at the top means nothing to anybody");
    }
    patch.applied_to(lines_of(read_text(course.root / exercise.solution())));
} catch (const Error& error) {
    complain(complaints, error.what());
}

}  // namespace

Complaints check_wrong(const Course& course) {
    Complaints complaints;
    for (const Exercise& exercise : course.exercises) {
        const std::vector<fs::path> patches = course.files(exercise.wrong(), {".patch"});
        if (patches.size() < least_patches)
            complain(complaints, exercise.wrong(), ": ", patches.size(), " wrong submissions, at least ",
                     least_patches, " are needed");
        for (const fs::path& path : patches) check_patch(course, exercise, path, complaints);
    }
    for (const fs::path& file : course.files("tests")) {
        const fs::path folder = file.parent_path();
        const std::string topic = folder.parent_path().filename(), name = folder.stem();
        if (folder.extension() != ".wrong") continue;
        if (!course.find(topic, name))
            complain(complaints, folder, ": there is no exercise ", topic, "/", name,
                     ", so nothing builds it");
        else if (file.extension() != ".patch")
            complain(complaints, file, ": is no patch, so nothing builds it");
    }
    return complaints;
}

}  // namespace course
