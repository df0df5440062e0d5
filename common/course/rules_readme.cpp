// The rule about README.md: its table has each topic with its links and exercises, and the commands of all pages name presets,
// demos and exercises that exist.
#include <algorithm>

#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

using Cell = std::vector<Block>::const_iterator;

/// The row of a topic: its links, and the names of its exercises two cells further.
void check_row(const Course& course, const Markdown& page, const std::string& topic, Cell cell,
               Complaints& complaints) {
    const std::string where = sentence("README.md:", page.line(cell->range.begin), ": ");
    if (course.exercises_of(topic).empty()) return complain(complaints, where, topic, " is not a topic");
    for (const std::string& target : {"lectures/" + topic + "/README.md", "exercises/" + topic + "/README.md",
                                      "slides/" + topic + ".md"}) {
        const auto leads_there = [&](const Link& link) {
            return link.target.substr(0, link.target.find('#')) == target && cell->range.begin <= link.at &&
                   link.at < cell->range.end;
        };
        if (std::none_of(page.links().begin(), page.links().end(), leads_there))
            complain(complaints, where, "no link to ", target);
    }
    std::vector<std::string> names;
    for (const Exercise* exercise : course.exercises_of(topic)) names.push_back(exercise->name);
    if ((cell + 2)->plain != joined(names, ", "))
        complain(complaints, where, "has the exercises \"", (cell + 2)->plain, "\", the topic has \"",
                 joined(names, ", "), "\"");
}

/// What stands behind --preset, -t and -R.
void check_commands(const Course& course, const fs::path& path, const std::set<std::string>& presets,
                    Complaints& complaints) {
    int number = 0;
    for (const std::string& line : lines_of(read_text(course.root / path))) {
        const std::string where = sentence(path, ":", ++number, ": ");
        const std::vector<std::string> words = words_of(line);
        for (std::size_t i = 1; i + 1 < words.size(); ++i) {
            std::string value = words[i + 1];
            value.resize(
                std::min(value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789."), value.size()));
            value.resize(value.find_last_not_of('.') + 1);
            const auto behind = [&](const char* word) { return ends_with(words[i - 1], word); };
            const std::string kind = behind("--workflow") ? "workflow"
                                     : behind("--build")  ? "build"
                                     : behind("ctest")    ? "test"
                                                          : "configure";
            if (words[i] == "--preset" && !presets.count(kind + " " + value))
                complain(complaints, where, "CMakePresets.json has no ", kind, " preset \"", value, "\"");
            if (words[i] == "-t" && begins_with(value, "demo.") &&
                course.exercises_of(value.substr(5)).empty())
                complain(complaints, where, "no topic has ", value);
            const auto is_meant = [&](const Exercise& exercise) {
                return contains(exercise.short_name(), value);
            };
            if (words[i] == "-R" && std::none_of(course.exercises.begin(), course.exercises.end(), is_meant))
                complain(complaints, where, "no exercise is called ", value);
        }
    }
}

}  // namespace

Complaints check_readme(const Course& course) {
    Complaints complaints;
    const Markdown page(read_text_if_there(course.root / "README.md"));
    const std::vector<std::string> topics = course.topics();
    std::vector<std::string> rows;
    for (Cell cell = page.blocks().begin(); page.blocks().end() - cell >= 3; ++cell) {
        if (cell->kind != Block::text || !contains(cell->plain, ": lecture, tasks, slides")) continue;
        rows.push_back(cell->plain.substr(0, cell->plain.find(": ")));
        check_row(course, page, rows.back(), cell, complaints);
    }
    for (const std::string& topic : topics) {
        if (std::find(rows.begin(), rows.end(), topic) == rows.end())
            complain(complaints, "README.md: no row \"| ", topic, ": [lecture](...) | ... | exercises |\"");
    }
    if (complaints.empty() && rows != topics)
        complain(complaints, "README.md: the topics' order is ", joined(rows, ", "));
    try {
        const std::set<std::string> presets = presets_of(course);
        for (const fs::path& path : course.pages()) check_commands(course, path, presets, complaints);
    } catch (const Error& error) {
        complain(complaints, error.what());
    }
    return complaints;
}

}  // namespace course
