#include "rules_wrong.hpp"

#include <algorithm>

#include "source.hpp"

namespace course {

namespace {

/// The exercise that a wrong submission belongs to: the longest name that its own begins with. Null without one.
const Exercise* owner_of(const Course& course, const std::string& topic, const std::string& submission) {
    const Exercise* owner = nullptr;
    for (const Exercise* exercise : course.exercises_of(topic)) {
        const bool belongs = begins_with(submission, exercise->name + "_");
        if (belongs && (!owner || exercise->name.size() > owner->name.size())) owner = exercise;
    }
    return owner;
}

/// The wrong submissions of a topic, in order.
std::vector<fs::path> submissions_of(const Course& course, const std::string& topic) {
    std::vector<fs::path> files;
    const fs::path folder = course.root / "tests/wrong" / topic;
    if (!fs::is_directory(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<std::string> check_wrong(const Course& course) {
    std::vector<std::string> complaints;
    for (const Exercise& exercise : course.exercises) {
        int count = 0;
        for (const fs::path& path : submissions_of(course, exercise.topic)) {
            if (owner_of(course, exercise.topic, path.stem().string()) != &exercise) continue;
            ++count;
            bool says_what = false, says_diagnosis = false;
            for (const std::string& line : Source(path).header()) {
                says_what |= begins_with(line, "// wrong: ");
                says_diagnosis |= begins_with(line, "// diagnosis");
            }
            const std::string shown = course.shown(path);
            if (!says_what)
                complaints.push_back(shown + ": no line \"// wrong: what the student did\" at the top");
            if (!says_diagnosis)
                complaints.push_back(shown + ": no line \"// diagnosis: text of the verdict\" at the top");
        }
        if (count < 3)
            complaints.push_back("tests/wrong/" + exercise.topic + ": " + std::to_string(count) +
                                 " wrong submissions for " + exercise.name + ", at least 3 are needed");
    }
    for (const std::string& topic : course.topics()) {
        for (const fs::path& path : submissions_of(course, topic)) {
            if (!owner_of(course, topic, path.stem().string()))
                complaints.push_back(course.shown(path) + ": belongs to no exercise, so nothing builds it");
        }
    }
    return complaints;
}

}  // namespace course
