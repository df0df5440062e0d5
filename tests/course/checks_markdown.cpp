// Rules about the course's text: tasks with hints, and links that lead somewhere.
#include <regex>
#include <set>

#include "checks.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// One "### Task k: ..." of an exercise's section.
struct Task {
    int number = 0;
    std::vector<std::string> hints;  ///< the text of each, beginning with its summary
};

/// One "## name" of an exercises README.
struct Section {
    std::string name;
    std::vector<Task> tasks;
};

std::vector<Section> sections_of(const std::string& text) {
    static const std::regex section("^## +`?([a-z0-9_]+)`?.*"), task("^### +Task +([0-9]+).*");
    std::vector<Section> sections;
    std::smatch match;
    bool in_hint = false;
    for (const std::string& line : lines_of(text)) {
        if (line.rfind("## ", 0) == 0) {
            sections.push_back({std::regex_match(line, match, section) ? match[1].str() : "", {}});
        } else if (!sections.empty() && std::regex_match(line, match, task)) {
            sections.back().tasks.push_back({std::stoi(match[1]), {}});
        } else if (!sections.empty() && !sections.back().tasks.empty()) {
            std::vector<std::string>& hints = sections.back().tasks.back().hints;
            if (line.find("<summary>Hint") != std::string::npos) {
                hints.emplace_back();
                in_hint = true;
            }
            if (in_hint) hints.back() += line.substr(std::min(line.find("<summary>"), line.size())) + "\n";
            if (in_hint && line.find("<summary>") == std::string::npos) hints.back() += line + "\n";
            if (line.find("</details>") != std::string::npos) in_hint = false;
        }
    }
    return sections;
}

std::set<int> todos_of(const std::string& text) {
    static const std::regex todo("// TODO\\(([0-9]+)\\):");
    std::set<int> numbers;
    for (std::sregex_iterator match(text.begin(), text.end(), todo), end; match != end; ++match) {
        numbers.insert(std::stoi((*match)[1]));
    }
    return numbers;
}

void check_task(const std::string& where, const Task& task, Complaints& complaints) {
    const std::string shown = where + ", Task " + std::to_string(task.number);
    static const char* const kinds[] = {"Hint 1 (a question)", "Hint 2 (a pointer)", "Hint 3 (near-code)"};
    if (task.hints.size() != 3) {
        complaints.push_back(shown + ": " + std::to_string(task.hints.size()) + " hints, 3 are needed");
        return;
    }
    for (int i = 0; i < 3; ++i) {
        if (task.hints[i].rfind(std::string("<summary>") + kinds[i] + "</summary>", 0) != 0) {
            complaints.push_back(shown + ": hint " + std::to_string(i + 1) + " is not headed \"" + kinds[i] +
                                 "\"");
        }
    }
    if (task.hints[0].find('?') == std::string::npos)
        complaints.push_back(shown + ": the first hint asks no question");
}

/// The text without fenced blocks and without `code`.
std::string without_code(const std::string& text) {
    static const std::regex inline_code("`[^`]*`");
    std::string prose;
    bool fenced = false;
    for (const std::string& line : lines_of(text)) {
        const std::size_t start = line.find_first_not_of(' ');
        if (start != std::string::npos && line.compare(start, 3, "```") == 0) {
            fenced = !fenced;
        } else if (!fenced) {
            prose += std::regex_replace(line, inline_code, "") + "\n";
        }
    }
    return prose;
}

void check_page(const Course& course, const fs::path& page, Complaints& complaints) {
    static const std::regex link("\\]\\(([^)\\s]+)[^)]*\\)|(?:src|href)=\"([^\"]+)\"");
    const std::string shown = fs::relative(page, course.root).string(), prose = without_code(read_text(page));
    for (std::sregex_iterator match(prose.begin(), prose.end(), link), end; match != end; ++match) {
        std::string target = (*match)[1].matched ? (*match)[1].str() : (*match)[2].str();
        if (std::regex_search(target, std::regex("^([a-z]+:|#)"))) continue;
        target = target.substr(0, target.find('#'));
        if (!fs::exists(page.parent_path() / target))
            complaints.push_back(shown + ": link to " + target + ", which does not exist");
    }
}

}  // namespace

Complaints check_hints(const Course& course) {
    Complaints complaints;
    for (const auto& [topic, name] : course.exercises) {
        const std::string shown = "exercises/" + topic + "/README.md", where = shown + ", " + name;
        const Section* found = nullptr;
        const std::vector<Section> sections = sections_of(read_text(course.root / shown));
        for (const Section& section : sections) {
            if (section.name == name) found = &section;
        }
        if (!found) {
            complaints.push_back(shown + ": no section \"## " + name + "\"");
            continue;
        }
        const std::set<int> todos = todos_of(read_text(course.root / "solutions" / topic / (name + ".cu")));
        std::set<int> tasks;
        for (const Task& task : found->tasks) {
            tasks.insert(task.number);
            check_task(where, task, complaints);
            if (!todos.count(task.number))
                complaints.push_back(where + ": Task " + std::to_string(task.number) +
                                     " has no TODO in the source");
        }
        for (const int todo : todos) {
            if (!tasks.count(todo))
                complaints.push_back(where + ": TODO(" + std::to_string(todo) +
                                     ") has no heading \"### Task " + std::to_string(todo) + ": ...\"");
        }
    }
    return complaints;
}

Complaints check_links(const Course& course) {
    Complaints complaints;
    if (fs::exists(course.root / "README.md")) check_page(course, course.root / "README.md", complaints);
    for (const char* folder : {"lectures", "exercises", "tests", "common"}) {
        if (!fs::is_directory(course.root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(course.root / folder)) {
            if (entry.path().extension() == ".md") check_page(course, entry.path(), complaints);
        }
    }
    for (const std::string& topic : course.topics()) {
        const std::string lecture = "lectures/" + topic + "/README.md";
        if (read_text(course.root / lecture).find("](../../exercises/" + topic) == std::string::npos) {
            complaints.push_back(lecture + ": no link to ../../exercises/" + topic + "/README.md");
        }
    }
    return complaints;
}

}  // namespace course
