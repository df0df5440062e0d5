// Rules about facts of the manifest that are repeated in pages, decks, the guide and build lines.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

/// Returns the topic to which a link leads, such as lectures/07_reduction/README.md or
/// slides/07_reduction.md; null for other targets.
const Topic* topic_of_target(const Course& course, const std::string& target) {
    const Lines found = match(target, "([0-9][0-9]_[a-z0-9_]+)(/README)?[.]md(#.*)?$");
    for (const Topic& topic : course.described) {
        if (!found.empty() && topic.name == found[1]) return &topic;
    }
    return nullptr;
}

/// Requires that a link with a text such as "07 Reduction" leads to the topic with this title. Shorter texts,
/// such as "07", are not checked.
void check_links_to_topics(const Course& course, const fs::path& path, Complainer& complain) {
    const std::string text = read_text(course.root / path);
    for (std::size_t at = 0; (at = text.find("](", at + 1)) != std::string::npos;) {
        const std::size_t open = std::min(text.rfind('[', at), at), close = text.find(')', at);
        const std::string shown = on_one_line(text.substr(open + 1, at - open - 1));
        const Topic* const topic = topic_of_target(course, text.substr(at + 2, close - at - 2));
        if (topic && !match(shown, "^[0-9][0-9] [A-Z]").empty() && shown != topic->heading())
            complain(path, ":", line_at(text, open), ": the link is called \"", shown, "\", and the topic \"",
                     topic->heading(), "\"");
    }
}

/// Requires that a line that builds the exercise has exactly those options of nvcc that follow from the
/// manifest.
void check_options(const Course& course, const Exercise& exercise, const std::string& where,
                   const std::string& line, Complainer& complain) {
    const bool nvshmem = exercise.library == "nvshmem";
    const std::pair<const char*, bool> options[] = {
        {"-rdc=true", course.topic(exercise.topic).device_launch || nvshmem},
        {"-arch=", !exercise.architecture.empty()},
        {"-lnccl", exercise.library == "nccl"},
        {"-lnvshmem_host", nvshmem},
        {"-lnvshmem_device", nvshmem}};
    for (const auto& [option, needed] : options) {
        if (contains(line, option) != needed)
            complain(where, ": the line for nvcc has ", needed ? "no " : "", option, ", and by ", manifest,
                     needed ? " it needs one" : " it needs none");
    }
}

}  // namespace

void check_titles(const Course& course, Complainer& complain) {
    const auto require = [&](const fs::path& path, const std::string& line) {
        const Lines lines = lines_of(read_text_if_there(course.root / path));
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
            complain(path, ": no line \"", line, "\"");
    };
    std::vector<fs::path> pages = course.pages();
    for (const std::string& name : course.topics()) {
        const Topic& topic = course.topic(name);
        const fs::path deck = deck_of(name);
        require("lectures/" + name + "/README.md", "# " + topic.heading());
        require("exercises/" + name + "/README.md", "# " + topic.heading() + ": the exercises");
        require(deck, "title: " + topic.heading());
        require(deck, "# **" + name.substr(0, 2) + "** " + topic.title);
        if (fs::exists(course.root / deck)) pages.push_back(deck);
    }
    for (const fs::path& path : pages) check_links_to_topics(course, path, complain);
}

// Checks build lines. The header of a solution has "// Build: nvcc ...", which can take two lines; the tasks
// repeat it in one line.
void check_needs(const Course& course, Complainer& complain) {
    for (const Exercise& exercise : course.exercises) {
        const std::string solution = read_text_if_there(course.root / exercise.solution());
        const std::size_t build = solution.find("// Build: nvcc "), run = solution.find("// Run:", build);
        if (build != std::string::npos)  // the rule about headers reports a missing build line
            check_options(course, exercise, exercise.solution(), solution.substr(build, run - build),
                          complain);
        int number = 0;
        for (const std::string& line : lines_of(read_text_if_there(course.root / exercise.tasks()))) {
            ++number;
            if (begins_with(line, "nvcc ") && contains(line, exercise.starter().string()))
                check_options(course, exercise, sentence(exercise.tasks(), ":", number), line, complain);
        }
    }
}

namespace {

/// Returns the sum of the minutes in the notes of a deck, rounded to whole minutes.
long minutes_of_deck(const Course& course, const std::string& topic) {
    const std::string deck = read_text_if_there(course.root / deck_of(topic)), word = "Time: ";
    double minutes = 0;
    for (std::size_t at = 0; (at = deck.find(word, at)) != std::string::npos;)
        minutes += std::atof(deck.c_str() + (at += word.size()));
    return std::lround(minutes);
}

}  // namespace

void check_plan(const Course& course, Complainer& complain) {
    const fs::path guide = "lectures/instructors_guide.md";
    const std::string heading = "\n## 14 weeks\n", text = read_text_if_there(course.root / guide);
    const std::size_t begin = text.find(heading);
    if (begin == std::string::npos) return complain(guide, ": no section \"", trimmed(heading), "\"");
    const Lines plan = lines_of(text.substr(begin, text.find("\n## ", begin + heading.size()) - begin));
    for (const std::string& topic : course.topics()) {
        const auto row = std::find_if(plan.begin(), plan.end(), [&](const std::string& line) {
            return begins_with(line, "| ") && contains(line, "](" + topic + "/README.md)");
        });
        if (row == plan.end()) {
            complain(guide, ": \"## 14 weeks\" has no row for ", topic);
            continue;
        }
        for (const Exercise& exercise : course.exercises) {
            if (exercise.topic == topic && !contains(*row, "`" + exercise.name + "`"))
                complain(guide, ": the row of ", topic, " does not name `", exercise.name, "`");
        }
        const long minutes = minutes_of_deck(course, topic);
        if (!contains(*row, sentence("| ", minutes, " |")))
            complain(guide, ": the notes of ", deck_of(topic), " take ", minutes,
                     " minutes, and the row of the topic does not say so");
        if (minutes > 90)
            complain(guide, ": ", deck_of(topic), " takes ", minutes, " minutes, and a lecture has 90");
    }
}

}  // namespace course
