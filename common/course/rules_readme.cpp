// The rule about README.md: its table has each topic with its links and exercises, and the commands of all pages name presets,
// demos and exercises that exist.
#include <algorithm>

#include "json.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

void check_topic(const Course& course, const Markdown& page, const std::string& topic,
                 Complaints& complaints) {
    const std::vector<Block>& cells = page.blocks();
    const auto first = std::find_if(cells.begin(), cells.end(), [&](const Block& block) {
        return block.kind == Block::text && begins_with(block.plain, topic + ": ");
    });
    if (cells.end() - first < 3) {
        complaints.push_back("README.md: no row \"| " + topic + ": [lecture](...) | ... | exercises |\"");
        return;
    }
    const std::string where = "README.md:" + std::to_string(page.line(first->range.begin)) + ": ";
    for (const fs::path& target :
         {fs::path("lectures") / topic / "README.md", fs::path("exercises") / topic / "README.md",
          fs::path("slides") / (topic + ".md")}) {
        if (std::none_of(page.links().begin(), page.links().end(), [&](const Link& link) {
                return link.target.substr(0, link.target.find('#')) == target &&
                       first->range.begin <= link.at && link.at < first->range.end;
            }))
            complaints.push_back(where + "no link to " + target.string());
    }
    std::vector<std::string> names;
    for (const Exercise* exercise : course.exercises_of(topic)) names.push_back(exercise->name);
    if ((first + 2)->plain != joined(names, ", "))
        complaints.push_back(where + "has the exercises \"" + (first + 2)->plain + "\", the topic has \"" +
                             joined(names, ", ") + "\"");
}

/// The words behind each `option` of the page, with the word before it: {"--workflow", "exercises"}.
struct Use {
    std::string command, value;
    int line;
};

std::vector<Use> uses_of(const std::string& text, const std::string& option) {
    std::vector<Use> uses;
    int number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        for (std::size_t at = 0; (at = line.find(" " + option + " ", at)) != std::string::npos; ++at) {
            const std::size_t before = line.find_last_of(" `(", at - 1) + 1;  // npos + 1 is the line's begin
            const std::size_t from = at + option.size() + 2;
            const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789.", from);
            uses.push_back({line.substr(before, at - before), line.substr(from, end - from), number});
        }
    }
    return uses;
}

void check_commands(const Course& course, const fs::path& path, const std::vector<Preset>& presets,
                    Complaints& complaints) {
    const std::string text = read_text(course.root / path);
    for (const Use& use : uses_of(text, "--preset")) {
        const std::string kind = use.command == "--workflow" ? "workflow"
                                 : use.command == "--build"  ? "build"
                                 : use.command == "ctest"    ? "test"
                                                             : "configure";
        if (std::none_of(presets.begin(), presets.end(), [&](const Preset& preset) {
                return preset.kind == kind && preset.name == use.value;
            }))
            complaints.push_back(path.string() + ":" + std::to_string(use.line) +
                                 ": CMakePresets.json has no " + kind + " preset \"" + use.value + "\"");
    }
    const std::vector<std::string> topics = course.topics();
    for (const Use& use : uses_of(text, "-t")) {
        if (begins_with(use.value, "demo.") &&
            std::find(topics.begin(), topics.end(), use.value.substr(5)) == topics.end())
            complaints.push_back(path.string() + ":" + std::to_string(use.line) + ": no topic has " +
                                 use.value);
    }
    for (const Use& use : uses_of(text, "-R")) {
        const std::string name = use.value.substr(0, use.value.find_last_not_of('.') + 1);
        if (std::none_of(course.exercises.begin(), course.exercises.end(),
                         [&](const Exercise& exercise) { return contains(exercise.short_name(), name); }))
            complaints.push_back(path.string() + ":" + std::to_string(use.line) + ": no exercise is called " +
                                 name);
    }
}

}  // namespace

Complaints check_readme(const Course& course) {
    Complaints complaints;
    const Markdown page(read_text_if_there(course.root / "README.md"));
    std::vector<std::string> rows;
    const std::vector<std::string> topics = course.topics();
    for (const Block& block : page.blocks()) {
        const std::string name = block.plain.substr(0, block.plain.find(": "));
        if (block.kind != Block::text || !contains(block.plain, ": lecture, tasks, slides")) continue;
        rows.push_back(name);
        if (std::find(topics.begin(), topics.end(), name) == topics.end())
            complaints.push_back("README.md:" + std::to_string(page.line(block.range.begin)) + ": " + name +
                                 " is not a topic");
    }
    for (const std::string& topic : topics) check_topic(course, page, topic, complaints);
    if (complaints.empty() && rows != topics)
        complaints.push_back("README.md: the topics' order is " + joined(rows, ", "));
    try {
        const std::vector<Preset> presets = presets_of(course);
        for (const fs::path& path : course.pages()) check_commands(course, path, presets, complaints);
    } catch (const Error& error) {
        complaints.push_back(error.what());
    }
    return complaints;
}

}  // namespace course
