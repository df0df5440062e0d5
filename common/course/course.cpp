#include "course.hpp"

#include <algorithm>

namespace course {

namespace {

/// Files below a folder with this extension, sorted; the folder `without` is left out.
std::vector<fs::path> files_below(const fs::path& root, const fs::path& folder,
                                  const std::string& extension) {
    std::vector<fs::path> found;
    if (!fs::is_directory(root / folder)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.is_regular_file() && entry.path().extension() == extension)
            found.push_back(entry.path().lexically_relative(root));
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

std::string Exercise::short_name() const {
    return topic.substr(std::min(topic.find_first_not_of("0123456789_"), topic.size())) + "." + name;
}

Course Course::read(const fs::path& list) {
    if (!fs::is_regular_file(list)) {
        throw Error(list.string() +
                    ": not there; it is written when the kit is configured, for example with "
                    "cmake --preset exercises");
    }
    Course course;
    int number = 0;
    for (const std::string& line : lines_of(read_text(list))) {
        ++number;
        if (line.empty()) continue;
        const std::size_t space = line.find(' ');
        const std::string key = line.substr(0, space),
                          value = space == std::string::npos ? "" : line.substr(space + 1);
        std::vector<std::string> words = words_of(value);
        if (key == "root") {
            course.root = value;
        } else if (key == "build") {
            course.build = value;
        } else if (key == "submitted") {
            course.submitted = value;
        } else if (key == "backend") {
            course.backend = value;
        } else if (key == "chosen") {
            course.chosen = words_of(replaced(value, ";", " "));
        } else if (key == "exercise" && words.size() >= 2) {
            course.exercises.push_back({words[0], words[1], {words.begin() + 2, words.end()}});
        } else {
            throw Error(list.string() + ":" + std::to_string(number) + ": not understood: " + line);
        }
    }
    if (course.submitted.empty()) course.submitted = course.root / "exercises";
    return course;
}

std::vector<std::string> Course::topics() const {
    std::vector<std::string> names;
    for (const Exercise& exercise : exercises) {
        if (names.empty() || names.back() != exercise.topic) names.push_back(exercise.topic);
    }
    return names;
}

bool Course::has_chosen(const std::string& topic) const {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), topic) != chosen.end();
}

std::vector<const Exercise*> Course::exercises_of(const std::string& topic) const {
    std::vector<const Exercise*> found;
    for (const Exercise& exercise : exercises) {
        if (exercise.topic == topic) found.push_back(&exercise);
    }
    return found;
}

const Exercise* Course::find(const std::string& topic, const std::string& name) const {
    for (const Exercise& exercise : exercises) {
        if (exercise.topic == topic && exercise.name == name) return &exercise;
    }
    return nullptr;
}

std::vector<fs::path> Course::pages() const {
    std::vector<fs::path> pages;
    if (fs::exists(root / "README.md")) pages.push_back("README.md");
    for (const char* folder : {"lectures", "exercises", "tests", "common"}) {
        for (const fs::path& page : files_below(root, folder, ".md")) {
            if (page.filename() != "tables.md") pages.push_back(page);  // templates of tables, whose links are a page's
        }
    }
    return pages;
}

std::vector<fs::path> Course::diagnosis_pages() const {
    std::vector<fs::path> pages = files_below(root, "lectures/diagnoses", ".md");
    pages.erase(std::remove(pages.begin(), pages.end(), fs::path("lectures/diagnoses/README.md")),
                pages.end());
    return pages;
}

std::vector<fs::path> Course::sources() const {
    std::vector<fs::path> sources;
    for (const char* folder : {"common", "exercises", "lectures", "solutions", "tests"}) {
        for (const char* extension : {".cu", ".cuh", ".hpp", ".cpp", ".h", ".json", ".txt", ".sh", ".awk",
                                      ".cmake", ".patch", ".mjs"}) {
            for (const fs::path& file : files_below(root, folder, extension)) {
                if (file.filename() != "package-lock.json")
                    sources.push_back(file);  // written by npm, for npm
            }
        }
    }
    std::sort(sources.begin(), sources.end());
    return sources;
}

std::string Course::shown(const fs::path& path) const {
    const std::string text = path.string(), prefix = root.string() + "/";
    return begins_with(text, prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace course
