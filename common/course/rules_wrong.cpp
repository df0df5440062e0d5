#include "rules_wrong.hpp"

#include <algorithm>
#include <iterator>

#include "patch.hpp"

namespace course {

namespace {

constexpr std::size_t least_patches = 3, most_changes = 40;

/// What the header of a patch may say: see README.md, "Adding an exercise".
constexpr std::string_view keys[] = {"wrong",    "diagnosis", "diagnosis.cpu", "diagnosis.gpu",
                                     "backends", "variant",   "sanitizer.all", "sanitizer.says"};

void check_patch(const Course& course, const Exercise& exercise, const fs::path& path,
                 std::vector<std::string>& complaints) try {
    const Patch patch(path, read_text(course.root / path));
    if (patch.lines("wrong").empty())
        complaints.push_back(path.string() + ": no line \"// wrong: what the student did\" at the top");
    if (patch.lines("diagnosis").empty() && patch.lines("diagnosis.cpu").empty() &&
        patch.lines("diagnosis.gpu").empty())
        complaints.push_back(path.string() + ": no line \"// diagnosis: text of the verdict\" at the top");
    for (const Patch::Hunk& hunk : patch.hunks()) {
        if (hunk.changes() > most_changes)
            complaints.push_back(path.string() + ":" + std::to_string(hunk.line) + ": the hunk changes " +
                                 std::to_string(hunk.changes()) +
                                 " lines, which is no mistake but another solution");
    }
    for (const std::string& line : patch.header()) {
        const std::string key = line.substr(std::min<std::size_t>(3, line.size()), line.find(':') - 3);
        const bool is_key = contains(line, ":") && !contains(key, " ");
        if (is_key && std::find(std::begin(keys), std::end(keys), key) == std::end(keys))
            complaints.push_back(path.string() + ": \"// " + key + ":\" at the top means nothing to anybody");
    }
    patch.applied_to(lines_of(read_text(course.root / exercise.solution())));
} catch (const Error& error) {
    complaints.push_back(error.what());
}

/// Whatever is in tests/TOPIC/*.wrong and is no patch of an exercise.
void check_strays(const Course& course, std::vector<std::string>& complaints) {
    for (const auto& topic : fs::directory_iterator(course.root / "tests")) {
        if (!topic.is_directory()) continue;
        for (const auto& folder : fs::directory_iterator(topic)) {
            if (folder.path().extension() != ".wrong") continue;
            const std::string topic_name = topic.path().filename(), shown = course.shown(folder.path());
            if (!course.find(topic_name, folder.path().stem())) {
                complaints.push_back(shown + ": there is no exercise " + topic_name + "/" +
                                     folder.path().stem().string() + ", so nothing builds it");
            } else {
                for (const auto& file : fs::directory_iterator(folder)) {
                    if (file.path().extension() != ".patch")
                        complaints.push_back(course.shown(file.path()) +
                                             ": is no patch, so nothing builds it");
                }
            }
        }
    }
}

}  // namespace

std::vector<std::string> check_wrong(const Course& course) {
    std::vector<std::string> complaints;
    for (const Exercise& exercise : course.exercises) {
        const std::vector<fs::path> patches = patches_of(course, exercise);
        if (patches.size() < least_patches) {
            complaints.push_back(exercise.wrong().string() + ": " + std::to_string(patches.size()) +
                                 " wrong submissions, at least " + std::to_string(least_patches) +
                                 " are needed");
        }
        for (const fs::path& path : patches) check_patch(course, exercise, path, complaints);
    }
    check_strays(course, complaints);
    return complaints;
}

}  // namespace course
