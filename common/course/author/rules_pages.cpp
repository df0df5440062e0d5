// Rules about pages: tasks with hints, links that lead somewhere, diagnoses, the evidence for misconceptions, and README.md's
// table and commands.
#include <algorithm>

#include "diagnoses.hpp"
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
}

void check_links(const Course& course, Complainer& complain) {
    for (const fs::path& path : course.pages()) {
        const Markdown page(read_text(course.root / path));
        for (const Link& link : page.links()) {
            const std::string target = link.target.substr(0, link.target.find('#'));
            if (!leads_elsewhere(link.target) && !fs::exists((course.root / path).parent_path() / target))
                complain(path, ":", page.line(link.at), ": link to ", target, ", which does not exist");
        }
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
    std::string examples;  // the programs that compare a page's report with what the executor prints
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

// Every row of the page is | belief | [name](wrong submission) | `a diagnosis from its top` |, with "CPU: " before a diagnosis
// that only the CPU backend gives.
void check_evidence(const Course& course, Complainer& complain) {
    const std::string shown = "lectures/misconceptions.md";
    const Markdown page(read_text_if_there(course.root / shown));
    std::set<std::string> topics;
    const std::vector<Block>& cells = page.blocks();
    for (const Link& link : page.links()) {
        const fs::path file = fs::path("lectures/" + link.target).lexically_normal(),
                       folder = file.parent_path();
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Block& block) {
            return block.range.begin <= link.at && link.at < block.range.end;
        });
        if (folder.extension() != ".wrong" || cell == cells.end()) continue;
        const std::string where = sentence(shown, ":", page.line(link.at), ": ");
        if (!fs::is_regular_file(course.root / file) || cell + 1 == cells.end()) {
            complain(where, file, " is not there");
            continue;
        }
        topics.insert(folder.parent_path().filename());
        if (cell->plain != sentence(folder.stem(), ".", file.stem()))
            complain(where, cell->plain, " is not the name of ", file);
        std::string said = (cell + 1)->plain;
        const bool marked = begins_with(said, "CPU: ");
        if (marked) said.erase(0, 5);
        const std::string header = "\n" + text_of(source_of(course, file).header());
        const auto says = [&](const std::string& line) { return contains(header, "\n// " + line); };
        const bool both = says("diagnosis: " + said), on_cpu = says("diagnosis.cpu: " + said);
        if (!both && !on_cpu)
            complain(where, file, " has no diagnosis \"", said, "\"");
        else if (marked != (says("backends: cpu") || (!both && !says("diagnosis.gpu: " + said))))
            complain(where, "\"CPU: \" must stand before what only the CPU backend says of ", file,
                     ", and only there");
    }
    for (const std::string& topic : course.topics()) {
        if (!topics.count(topic)) complain(shown, ": no row about ", topic);
    }
}

namespace {

using Cell = std::vector<Block>::const_iterator;

/// The row of a topic: its links, and the names of its exercises two cells further.
void check_row(const Course& course, const Markdown& page, const std::string& topic, Cell cell,
               Complainer& complain) {
    const std::string where = sentence("README.md:", page.line(cell->range.begin), ": ");
    if (course.exercises_of(topic).empty()) return complain(where, topic, " is not a topic");
    for (const std::string& target : {"lectures/" + topic + "/README.md", "exercises/" + topic + "/README.md",
                                      "slides/" + topic + ".md"}) {
        const auto leads_there = [&](const Link& link) {
            return link.target.substr(0, link.target.find('#')) == target && cell->range.begin <= link.at &&
                   link.at < cell->range.end;
        };
        if (std::none_of(page.links().begin(), page.links().end(), leads_there))
            complain(where, "no link to ", target);
    }
    std::vector<std::string> names;
    for (const Exercise* exercise : course.exercises_of(topic)) names.push_back(exercise->name);
    if ((cell + 2)->plain != joined(names, ", "))
        complain(where, "has the exercises \"", (cell + 2)->plain, "\", the topic has \"",
                 joined(names, ", "), "\"");
}

/// What stands behind --preset, -t and -R.
void check_commands(const Course& course, const fs::path& path, const std::set<std::string>& presets,
                    Complainer& complain) {
    int number = 0;
    for (const std::string& line : lines_of(read_text(course.root / path))) {
        const std::string where = sentence(path, ":", ++number, ": ");
        const std::vector<std::string> words = words_of("> " + line);  // something stands before each option
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
                course.exercises_of(value.substr(5)).empty())
                complain(where, "no topic has ", value);
            const auto is_meant = [&](const Exercise& one) { return contains(one.short_name(), value); };
            if (words[i] == "-R" && std::none_of(course.exercises.begin(), course.exercises.end(), is_meant))
                complain(where, "no exercise is called ", value);
        }
    }
}

}  // namespace

void check_readme(const Course& course, Complainer& complain) {
    const Markdown page(read_text_if_there(course.root / "README.md"));
    const std::vector<std::string> topics = course.topics();
    std::vector<std::string> rows;
    for (Cell cell = page.blocks().begin(); page.blocks().end() - cell >= 3; ++cell) {
        if (cell->kind != Block::text || !contains(cell->plain, ": lecture, tasks, slides")) continue;
        rows.push_back(cell->plain.substr(0, cell->plain.find(": ")));
        check_row(course, page, rows.back(), cell, complain);
    }
    for (const std::string& topic : topics) {
        if (std::find(rows.begin(), rows.end(), topic) == rows.end())
            complain("README.md: no row \"| ", topic, ": [lecture](...) | ... | exercises |\"");
    }
    if (complain.complaints.empty() && rows != topics)
        complain("README.md: the topics' order is ", joined(rows, ", "));
    const std::set<std::string> presets = presets_of(course);
    for (const fs::path& path : course.pages()) check_commands(course, path, presets, complain);
}

}  // namespace course
