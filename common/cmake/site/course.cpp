// See course.hpp.
#include "course.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "text.hpp"

namespace fs = std::filesystem;

namespace site {

namespace {

std::vector<std::string> names_in(const fs::path& folder, const std::string& suffix) {
    std::vector<std::string> names;
    if (!fs::is_directory(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (ends(name, suffix)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string heading_of(const fs::path& file) {
    for (const std::string& line : lines_of(read_text(file))) {
        if (begins(line, "# ")) return trimmed(line.substr(2));
    }
    return "";
}

/// The second cell of the row of a topic in the README's table of topics.
std::string learn_of(const std::string& readme, const std::string& topic) {
    for (const std::string& line : lines_of(readme)) {
        if (!begins(line, "| " + topic)) continue;
        const std::size_t first = line.find(" | ");
        if (first == std::string::npos) continue;
        return trimmed(line.substr(first + 3, line.find(" | ", first + 3) - first - 3));
    }
    return "";
}

Topic read_topic(const fs::path& root, const std::string& readme, const std::string& name) {
    Topic topic;
    topic.name = name;
    const std::string lecture = read_text(root / "lectures" / name / "README.md");
    topic.title = heading_of(root / "lectures" / name / "README.md");
    topic.learn = learn_of(readme, name);
    const std::size_t image = lecture.find("![");
    if (image != std::string::npos) {
        topic.figure_text = replaced(between(lecture, "![", "]", image), "\n", " ");
        topic.figure = fs::path(between(lecture, "](", ")", image)).filename().string();
    }
    topic.space = trimmed(between(read_text(root / "tests" / name / (name + ".hpp")), "\nnamespace ", "{"));
    for (const std::string& line : lines_of(read_text(root / "exercises" / name / "README.md"))) {
        const std::string exercise = begins(line, "## ") ? replaced(trimmed(line.substr(3)), "`", "") : "";
        const std::string word = exercise.substr(0, exercise.find(' '));
        if (!word.empty() && fs::exists(root / "exercises" / name / (word + ".cu")))
            topic.exercises.push_back(word);
    }
    for (const std::string& folder : names_in(root / "tests" / name, ".wrong"))
        topic.wrong += static_cast<int>(names_in(root / "tests" / name / folder, ".patch").size());
    topic.slides = fs::exists(root / "slides" / (name + ".md"));
    return topic;
}

/// The pages that a page of Markdown links to, in its order, out of those that lie beside it.
void add_linked(const std::string& index, std::vector<std::string>& names) {
    std::vector<std::string> linked;
    for (std::size_t at = index.find("]("); at != std::string::npos; at = index.find("](", at + 2)) {
        const std::string target = between(index, "](", ")", at);
        const bool new_one = std::find(linked.begin(), linked.end(), target) == linked.end();
        if (new_one && std::find(names.begin(), names.end(), target) != names.end()) linked.push_back(target);
    }
    for (const std::string& name : names) {
        if (std::find(linked.begin(), linked.end(), name) == linked.end()) linked.push_back(name);
    }
    names = linked;
}

}  // namespace

std::string page_id(const std::string& file) {
    static const std::pair<const char*, const char*> fixed[] = {
        {"README.md", "commands"},
        {"common/cpu/README.md", "executor"},
        {"tests/kit/README.md", "tests_of_the_grader"},
        {"lectures/diagnoses/README.md", "diagnoses"}};
    for (const auto& [name, id] : fixed) {
        if (file == name) return id;
    }
    std::string id = replaced(replaced(file, "/README.md", ""), ".md", "");
    if (begins(id, "lectures/diagnoses/")) return "diagnosis_" + id.substr(19);
    if (begins(id, "lectures/") && id.size() > 9) id = (std::isdigit(id[9]) ? "lecture_" : "") + id.substr(9);
    return replaced(id, "/", "_");
}

std::string source_url(const std::string& file) {
    return "source/" + file + ".html";
}

Lines find_region(const fs::path& file, const std::string& region) {
    Lines found;
    int number = 0;
    for (const std::string& line : lines_of(read_text(file))) {
        ++number;
        const std::string text = trimmed(line);
        if (text == "// [" + region + "]") found.first = number + 1;
        if (text == "// [/" + region + "]" && found.first) {
            found.last = number - 1;
            return found;
        }
    }
    return {};
}

std::vector<Page> Course::diagnoses() const {
    std::vector<Page> found;
    for (const Page& page : pages) {
        if (begins(page.id, "diagnosis_")) found.push_back(page);
    }
    return found;
}

const Page* Course::page(const std::string& file) const {
    for (const Page& page : pages) {
        if (page.file == file) return &page;
    }
    return nullptr;
}

bool Course::slides() const {
    return std::any_of(topics.begin(), topics.end(), [](const Topic& topic) { return topic.slides; });
}

Course read_course(const fs::path& root) {
    Course course;
    course.root = root;
    const std::string readme = read_text(root / "README.md");
    std::vector<std::string> files = {"README.md"};
    for (const std::string& name : names_in(root / "lectures", "")) {
        if (!std::isdigit(static_cast<unsigned char>(name[0]))) continue;
        course.topics.push_back(read_topic(root, readme, name));
        files.push_back("lectures/" + name + "/README.md");
        files.push_back("exercises/" + name + "/README.md");
    }
    if (course.topics.empty()) throw std::runtime_error("no topic in " + (root / "lectures").string());
    files.push_back("lectures/diagnoses/README.md");
    std::vector<std::string> diagnoses = names_in(root / "lectures/diagnoses", ".md");
    diagnoses.erase(std::remove(diagnoses.begin(), diagnoses.end(), "README.md"), diagnoses.end());
    add_linked(read_text(root / "lectures/diagnoses/README.md"), diagnoses);
    for (const std::string& name : diagnoses) files.push_back("lectures/diagnoses/" + name);
    for (const char* file : {"common/cpu/README.md", "tests/kit/README.md"}) files.push_back(file);
    for (const std::string& name : names_in(root / "lectures", ".md")) files.push_back("lectures/" + name);
    files.push_back("slides/README.md");
    for (const std::string& file : files) {
        if (fs::exists(root / file)) course.pages.push_back({file, page_id(file), heading_of(root / file)});
    }
    return course;
}

}  // namespace site
