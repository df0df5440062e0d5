// Rules about pages: tasks with hints, links that lead somewhere, diagnoses, and the evidence for misconceptions.
#include <algorithm>

#include "diagnoses.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

void check_task(const std::string& where, const Task& task, Complaints& complaints) {
    static const char* const headings[] = {"Hint 1 (a question)", "Hint 2 (a pointer)", "Hint 3 (near-code)"};
    const std::string shown = sentence(where, ", Task ", task.number);
    if (task.hints.size() != 3)
        return complain(complaints, shown, ": ", task.hints.size(), " hints, 3 are needed");
    for (std::size_t i = 0; i < 3; ++i) {
        if (task.hints[i].heading != headings[i])
            complain(complaints, shown, ": hint ", i + 1, " is not headed \"", headings[i], "\"");
        if (task.hints[i].plain.empty()) complain(complaints, shown, ": hint ", i + 1, " says nothing");
    }
    if (!contains(task.hints[0].plain, "?")) complain(complaints, shown, ": the first hint asks no question");
}

bool leads_elsewhere(const std::string& target) {
    return target.empty() || target[0] == '#' ||
           target.find(':') < target.find_first_not_of("abcdefghijklmnopqrstuvwxyz:");
}

}  // namespace

Complaints check_hints(const Course& course) {
    Complaints complaints;
    for (const Exercise& exercise : course.exercises) {
        const fs::path page = exercise.tasks();
        const std::string where = sentence(page, ", ", exercise.name);
        const std::vector<Section> sections = sections_of(Markdown(read_text_if_there(course.root / page)));
        const auto found = std::find_if(sections.begin(), sections.end(),
                                        [&](const Section& one) { return one.name == exercise.name; });
        if (found == sections.end()) {
            complain(complaints, page, ": no section \"## ", exercise.name, "\"");
            continue;
        }
        const std::string solution = read_text_if_there(course.root / exercise.solution());
        const std::set<int> todos = Source(exercise.solution(), solution).todos();
        std::set<int> tasks;
        for (const Task& task : found->tasks) {
            tasks.insert(task.number);
            check_task(where, task, complaints);
            if (!todos.count(task.number))
                complain(complaints, where, ": Task ", task.number, " has no TODO in the source");
        }
        for (const int todo : todos) {
            if (!tasks.count(todo))
                complain(complaints, where, ": TODO(", todo, ") has no heading \"### Task ", todo, ": ...\"");
        }
    }
    return complaints;
}

Complaints check_links(const Course& course) {
    Complaints complaints;
    for (const fs::path& path : course.pages()) {
        const Markdown page(read_text(course.root / path));
        for (const Link& link : page.links()) {
            const std::string target = link.target.substr(0, link.target.find('#'));
            if (!leads_elsewhere(link.target) && !fs::exists((course.root / path).parent_path() / target))
                complain(complaints, path, ":", page.line(link.at), ": link to ", target,
                         ", which does not exist");
        }
    }
    for (const std::string& topic : course.topics()) {
        const std::string lecture = "lectures/" + topic + "/README.md", tasks = "../../exercises/" + topic;
        const Markdown page(read_text_if_there(course.root / lecture));
        if (std::none_of(page.links().begin(), page.links().end(),
                         [&](const Link& link) { return begins_with(link.target, tasks); }))
            complain(complaints, lecture, ": no link to ", tasks, "/README.md");
    }
    return complaints;
}

Complaints check_diagnoses(const Course& course) {
    Complaints complaints;
    const fs::path index = "lectures/diagnoses/README.md";
    const std::string links = read_text_if_there(course.root / index);
    std::string examples;  // the programs that compare a page's report with what the executor prints
    for (const fs::path& file : course.files("tests/cpu/checks", {".cu"})) {
        if (begins_with(file.filename().string(), "pages")) examples += "\n" + read_text(course.root / file);
    }
    for (const kit::FindingRow& row : kit::finding_rows) {
        if (!fs::is_regular_file(course.root / kit::page_of(row.kind)))
            complain(complaints, kit::page_of(row.kind), ": missing (there are findings of this kind)");
    }
    for (const fs::path& path : course.diagnosis_pages()) {
        const std::string kind = path.stem();
        const Markdown page(read_text(course.root / path));
        if (!kit::finding_row(kind.c_str()))
            complain(complaints, path, ": there are no findings of this kind");
        const auto has_report = [&](const Comment& one) { return one.name == "report" && one.value == kind; };
        if (std::none_of(page.comments().begin(), page.comments().end(), has_report))
            complain(complaints, path, ": no line <!-- report: ", kind, " --> above a report");
        if (!contains(examples, "\nPLANTED(\"" + kind + "\", \"" + kind + "\"") &&
            !contains(examples, "\nALONE(\"" + kind + "\")"))
            complain(complaints, path,
                     ": no PLANTED or ALONE of this kind in tests/cpu/checks/pages*_test.cu");
        if (!contains(links, "](" + kind + ".md)")) complain(complaints, index, ": no link to ", kind, ".md");
    }
    return complaints;
}

// Every row of the page is | belief | [name](wrong submission) | `a diagnosis from its top` |, with "CPU: " before a diagnosis
// that only the CPU backend gives.
Complaints check_evidence(const Course& course) {
    const std::string shown = "lectures/misconceptions.md";
    const Markdown page(read_text_if_there(course.root / shown));
    Complaints complaints;
    std::set<std::string> topics;
    const std::vector<Block>& cells = page.blocks();
    for (const Link& link : page.links()) {
        const fs::path file = (fs::path("lectures") / link.target).lexically_normal(),
                       folder = file.parent_path();
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Block& block) {
            return block.range.begin <= link.at && link.at < block.range.end;
        });
        if (folder.extension() != ".wrong" || cell == cells.end()) continue;
        const std::string where = sentence(shown, ":", page.line(link.at), ": ");
        if (!fs::is_regular_file(course.root / file) || cell + 1 == cells.end()) {
            complain(complaints, where, file, " is not there");
            continue;
        }
        topics.insert(folder.parent_path().filename());
        if (cell->plain != sentence(folder.stem(), ".", file.stem()))
            complain(complaints, where, cell->plain, " is not the name of ", file);
        std::string said = (cell + 1)->plain;
        const bool marked = begins_with(said, "CPU: ");
        if (marked) said.erase(0, 5);
        const std::string header = "\n" + text_of(source_of(course, file).header());
        const auto says = [&](const std::string& line) { return contains(header, "\n// " + line); };
        const bool both = says("diagnosis: " + said), on_cpu = says("diagnosis.cpu: " + said);
        if (!both && !on_cpu)
            complain(complaints, where, file, " has no diagnosis \"", said, "\"");
        else if (marked != (says("backends: cpu") || (!both && !says("diagnosis.gpu: " + said))))
            complain(complaints, where, "\"CPU: \" must stand before what only the CPU backend says of ",
                     file, ", and only there");
    }
    for (const std::string& topic : course.topics()) {
        if (!topics.count(topic)) complain(complaints, shown, ": no row about ", topic);
    }
    return complaints;
}

}  // namespace course
