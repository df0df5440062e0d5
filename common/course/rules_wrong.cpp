#include "rules_wrong.hpp"

#include "patch.hpp"

namespace course {

namespace {

constexpr std::size_t least_patches = 3, most_changes = 40;

void check_patch(const Course& course, const Exercise& exercise, const fs::path& path,
                 std::vector<std::string>& complaints) {
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
    patch.applied_to(lines_of(read_text(course.root / exercise.solution())));
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
        for (const fs::path& path : patches) try {
                check_patch(course, exercise, path, complaints);
            } catch (const Error& error) {
                complaints.push_back(error.what());
            }
    }
    check_strays(course, complaints);
    return complaints;
}

}  // namespace course
