// Rules about pages: tasks with hints, links whose targets exist, diagnoses, the evidence for misconceptions, and commands.
#include <algorithm>
#include <map>

#include "diagnoses.hpp"
#include "expected.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

void check_task(const std::string& where, const Task& task, Complainer& complain) {
    const char* const headings[] = {"Hint 1 (a question)", "Hint 2 (a pointer)", "Hint 3 (near-code)"};
    const std::string shown = sentence(where, ", Task ", task.number);
    if (task.hints.size() != 3) return complain(shown, ": ", task.hints.size(), " hints, 3 are needed");
    for (std::size_t i = 0; i < 3; ++i) {
        if (task.hints[i].heading != headings[i])
            complain(shown, ": hint ", i + 1, " is not headed \"", headings[i], "\"");
        if (task.hints[i].lines.empty()) complain(shown, ": hint ", i + 1, " says nothing");
    }
    if (!contains(task.hints[0].plain(), "?")) complain(shown, ": the first hint asks no question");
}

}  // namespace

void check_hints(const Course& course, Complainer& complain) {
    for (const Exercise& exercise : course.exercises) {
        const fs::path page = exercise.tasks();
        const std::string where = sentence(page, ", ", exercise.name);
        const std::vector<Section> sections = sections_of(Markdown(read_text_if_there(course.root / page)));
        const auto is_it = [&](const Section& section) { return section.name == exercise.name; };
        const auto found = std::find_if(sections.begin(), sections.end(), is_it);
        if (found == sections.end()) {
            complain(page, ": no section \"## ", exercise.name, "\"");
            continue;
        }
        const std::string solution = read_text_if_there(course.root / exercise.solution());
        const std::set<int> todos = Source(exercise.solution(), solution).todos();
        std::set<int> tasks;
        for (const Task& task : found->tasks) {
            tasks.insert(task.number);
            check_task(where, task, complain);
            if (!todos.count(task.number))
                complain(where, ": Task ", task.number, " has no TODO in the source");
        }
        for (const int todo : todos) {
            if (!tasks.count(todo))
                complain(where, ": TODO(", todo, ") has no heading \"### Task ", todo, ": ...\"");
        }
    }
    for (const std::string& topic : course.topics()) {
        const fs::path page = fs::path("exercises") / topic / "README.md";
        Lines order, sections;
        for (const Exercise* exercise : course.exercises_of(topic)) order.push_back(exercise->name);
        for (const Section& section : sections_of(Markdown(read_text_if_there(course.root / page)))) {
            if (course.find(topic, section.name)) sections.push_back(section.name);
        }
        if (sections.size() == order.size() && sections != order)
            complain(page, ": the sections are in the order ", joined(sections, ", "), ", the manifest has ",
                     joined(order, ", "));
    }
}

namespace {

/// Returns the anchors of the headings in a page. The anchor of a second heading with the same words ends
/// with "-1".
std::set<std::string> anchors_of(const Markdown& page) {
    std::set<std::string> anchors;
    for (const Block& block : page.blocks()) {
        if (block.kind != Block::heading) continue;
        const std::string anchor = anchor_of(block.plain);
        std::string name = anchor;
        for (int count = 1; !anchors.insert(name).second; ++count) name = sentence(anchor, "-", count);
    }
    return anchors;
}

}  // namespace

void check_links(const Course& course, Complainer& complain) {
    std::map<fs::path, std::set<std::string>> anchors;
    const std::vector<fs::path> pages = course.pages();
    for (const fs::path& path : pages) anchors[path] = anchors_of(Markdown(read_text(course.root / path)));
    for (const fs::path& path : pages) {
        const Markdown page(read_text(course.root / path));
        for (const Link& link : page.links()) {
            const std::size_t hash = std::min(link.target.find('#'), link.target.size());
            const std::string target = link.target.substr(0, hash);
            if (leads_elsewhere(link.target) && hash != 0) continue;
            const fs::path file = hash == 0 ? path : (path.parent_path() / target).lexically_normal();
            const std::string where = sentence(path, ":", page.line(link.at), ": link to ");
            if (!fs::exists(course.root / file))
                complain(where, target, ", which does not exist");
            else if (hash < link.target.size() && anchors.count(file) &&
                     !anchors[file].count(link.target.substr(hash + 1)))
                complain(where, link.target, ", and ", file, " has no such heading");
        }
        const auto is_title = [](const Block& block) {
            return block.kind == Block::heading && block.level == 1;
        };
        const auto titles = std::count_if(page.blocks().begin(), page.blocks().end(), is_title);
        if (titles != 1) complain(path, ": has ", titles, " headings of the first level, and must have one");
        for (std::size_t at = 0; (at = page.text().find("![](", at)) != std::string::npos; ++at)
            complain(path, ":", page.line(at), ": a picture without alternative text");
    }
    for (const std::string& topic : course.topics()) {
        const std::string lecture = "lectures/" + topic + "/README.md", tasks = "../../exercises/" + topic;
        const Markdown page(read_text_if_there(course.root / lecture));
        const auto leads_there = [&](const Link& link) { return begins_with(link.target, tasks); };
        if (std::none_of(page.links().begin(), page.links().end(), leads_there))
            complain(lecture, ": no link to ", tasks, "/README.md");
    }
}

void check_diagnoses(const Course& course, Complainer& complain) {
    const fs::path index = "lectures/diagnoses/README.md";
    const std::string links = read_text_if_there(course.root / index);
    std::string examples;  // programs whose output is compared with the report on a page
    for (const fs::path& file : course.files("tests/cpu/checks", {".cu"})) {
        if (begins_with(file.filename().string(), "pages")) examples += "\n" + read_text(course.root / file);
    }
    for (const kit::FindingRow& row : kit::finding_rows) {
        if (!fs::is_regular_file(course.root / kit::page_of(row.kind)))
            complain(kit::page_of(row.kind), ": missing (there are findings of this kind)");
    }
    for (const fs::path& path : course.diagnosis_pages()) {
        const std::string kind = path.stem();
        const Markdown page(read_text(course.root / path));
        if (!kit::finding_row(kind.c_str())) complain(path, ": there are no findings of this kind");
        const auto has_report = [&](const Comment& one) { return one.name == "report" && one.value == kind; };
        if (std::none_of(page.comments().begin(), page.comments().end(), has_report))
            complain(path, ": no line <!-- report: ", kind, " --> above a report");
        if (!contains(examples, "\nPLANTED(\"" + kind + "\", \"" + kind + "\"") &&
            !contains(examples, "\nALONE(\"" + kind + "\")"))
            complain(path, ": no PLANTED or ALONE of this kind in tests/cpu/checks/pages*_test.cu");
        if (!contains(links, "](" + kind + ".md)")) complain(index, ": no link to ", kind, ".md");
    }
}

// Checks the rows of the page, which have the form | belief | [NAME.MISTAKE](file of submissions) | `words of
// the screen` |. "CPU: " or "GPU: " precedes the words if the entry is only for this backend.
void check_evidence(const Course& course, Complainer& complain) {
    const std::string shown = "lectures/misconceptions.md";
    const Markdown page(read_text_if_there(course.root / shown));
    std::set<std::string> topics;
    const std::vector<Block>& cells = page.blocks();
    for (const Link& link : page.links()) {
        const fs::path file = fs::path("lectures/" + link.target).lexically_normal();
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Block& block) {
            return block.range.begin <= link.at && link.at < block.range.end;
        });
        if (file.extension() != ".submissions" || cell == cells.end()) continue;
        const std::string where = sentence(shown, ":", page.line(link.at), ": "),
                          topic = file.parent_path().filename(), exercise = file.stem(),
                          name = cell->plain.substr(cell->plain.find('.') + 1);
        const Exercise* const found = course.find(topic, exercise);
        if (!found || cell + 1 == cells.end() || cell->plain != exercise + "." + name) {
            complain(where, cell->plain, " is not in ", file);
            continue;
        }
        const Submissions all(course, *found);
        const Entry* const entry = all.find("wrong." + name);
        if (!entry) {
            complain(where, file, " has no entry \"== wrong ", name, "\"");
            continue;
        }
        topics.insert(topic);
        std::string said = (cell + 1)->plain;
        const bool on_cpu = begins_with(said, "CPU: "), on_gpu = begins_with(said, "GPU: ");
        if (on_cpu || on_gpu) said.erase(0, 5);
        const std::string only = entry->value("backends").substr(0, 3);
        if ((only == "cpu" && !on_cpu) || (only == "gpu") != on_gpu)
            complain(where, "write \"CPU: \" or \"GPU: \" before words that only this backend prints for ",
                     name);
        const Lines screen = read_screens(course, topic).of(*found, *entry);
        if (!on_gpu && entry->value("screen").empty() && !contains(on_one_line(text_of(screen)), said))
            complain(where, found->screens(), " does not say \"", said, "\" of ", name);
    }
    for (const std::string& topic : course.topics()) {
        if (!topics.count(topic)) complain(shown, ": no row about ", topic);
    }
}

namespace {

/// Checks the words that follow --preset, -t and -R.
void check_commands_of(const Course& course, const fs::path& path, const std::set<std::string>& presets,
                       Complainer& complain) {
    int number = 0;
    for (const std::string& line : lines_of(read_text(course.root / path))) {
        const std::string where = sentence(path, ":", ++number, ": ");
        const std::vector<std::string> words =
            words_of("> " + line);  // the added word makes sure that each option has a word before it
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
                complain(where, "CMakePresets.json has no ", kind, " preset \"", value, "\"");
            if (words[i] == "-t" && begins_with(value, "demo.") &&
                course.exercises_of(value.substr(5, value.find('.', 5) - 5)).empty())
                complain(where, "no topic has ", value);
            const auto is_meant = [&](const Exercise& one) { return contains(one.short_name(), value); };
            if (words[i] == "-R" && std::none_of(course.exercises.begin(), course.exercises.end(), is_meant))
                complain(where, "no exercise is called ", value);
        }
    }
}

}  // namespace

void check_commands(const Course& course, Complainer& complain) {
    const std::set<std::string> presets = presets_of(course);
    for (const fs::path& path : course.pages()) check_commands_of(course, path, presets, complain);
    for (const std::string& topic : course.topics()) {
        if (fs::exists(course.root / deck_of(topic)))
            check_commands_of(course, deck_of(topic), presets, complain);
    }
}

}  // namespace course
