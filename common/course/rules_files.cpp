// Rules about which files there are: none is missing, and none is left over.
#include <algorithm>
#include <cctype>

#include "rules.hpp"

namespace course {

namespace {

/// What new_exercise leaves for the author to write says "WRITE: what".
void check_written(const Course& course, const fs::path& path, Complaints& complaints) {
    const std::string mark = "WRITE: ", text = read_text_if_there(course.root / path);
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += mark.size()) {
        complaints.push_back(path.string() + ":" + std::to_string(line_at(text, at)) +
                             ": still to be written: " +
                             text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
    }
}

}  // namespace

Complaints check_files(const Course& course) {
    Complaints complaints;
    const auto require = [&](const fs::path& path, const char* what) {
        if (!fs::is_regular_file(course.root / path))
            complaints.push_back(path.string() + ": missing (" + what + ")");
    };
    for (const Exercise& exercise : course.exercises) {
        require(exercise.starter(), "the starter; cmake --build --preset solutions -t starters makes it");
        require(exercise.solution(), "the solution");
        require(exercise.test(), "the test");
        check_written(course, exercise.solution(), complaints);
        check_written(course, exercise.test(), complaints);
    }
    for (const std::string& topic : course.topics()) {
        const fs::path lecture = fs::path("lectures") / topic, results = lecture / "results";
        require(fs::path("tests") / topic / (topic + ".hpp"), "the contract");
        require(fs::path("exercises") / topic / "README.md", "tasks and hints");
        check_written(course, fs::path("tests") / topic / (topic + ".hpp"), complaints);
        check_written(course, fs::path("exercises") / topic / "README.md", complaints);
        require(lecture / "README.md", "the lecture");
        require(lecture / "demo.cu", "the demo");
        if (!fs::is_directory(course.root / results) || fs::is_empty(course.root / results))
            complaints.push_back(results.string() + ": missing or empty (what the lecture measured)");
    }
    return complaints;
}

namespace {

/// Does something build TOPIC/STEM.cu of this folder?
bool belongs(const Course& course, const std::string& folder, const std::string& topic, std::string stem) {
    if (folder == "lectures") return stem == "demo";
    const std::string suffix = folder == "tests" ? "_test" : "";
    if (!ends_with(stem, suffix)) return false;
    return course.find(topic, stem.substr(0, stem.size() - suffix.size())) != nullptr;
}

}  // namespace

Complaints check_stray(const Course& course) {
    Complaints complaints;
    const std::vector<std::string> topics = course.topics();
    for (const std::string folder : {"exercises", "solutions", "tests", "lectures"}) {
        if (!fs::is_directory(course.root / folder)) continue;
        for (const auto& entry : fs::directory_iterator(course.root / folder)) {
            const std::string topic = entry.path().filename().string();
            if (!entry.is_directory() || !std::isdigit(static_cast<unsigned char>(topic[0]))) continue;
            if (std::find(topics.begin(), topics.end(), topic) == topics.end()) {
                complaints.push_back(folder + "/" + topic + ": not a topic; no kit_add_topic(" + topic +
                                     ") was called");
                continue;
            }
            for (const auto& file : fs::recursive_directory_iterator(entry.path())) {
                if (file.path().extension() != ".cu" ||
                    belongs(course, folder, topic, file.path().stem().string()))
                    continue;
                complaints.push_back(course.shown(file.path()) +
                                     ": belongs to no exercise, so nothing builds it");
            }
        }
    }
    std::sort(complaints.begin(), complaints.end());
    return complaints;
}

}  // namespace course
