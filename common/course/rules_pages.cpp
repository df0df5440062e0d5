// Rules about pages: tasks with hints, links that lead somewhere, diagnoses, and the evidence for misconceptions.
#include <algorithm>

#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

void check_task(const std::string& where, const Task& task, Complaints& complaints) {
    static const char* const headings[] = {"Hint 1 (a question)", "Hint 2 (a pointer)", "Hint 3 (near-code)"};
    const std::string shown = where + ", Task " + std::to_string(task.number);
    if (task.hints.size() != 3) {
        complaints.push_back(shown + ": " + std::to_string(task.hints.size()) + " hints, 3 are needed");
        return;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (task.hints[i].heading != headings[i])
            complaints.push_back(shown + ": hint " + std::to_string(i + 1) + " is not headed \"" +
                                 headings[i] + "\"");
        if (task.hints[i].plain.empty())
            complaints.push_back(shown + ": hint " + std::to_string(i + 1) + " says nothing");
    }
    if (!contains(task.hints[0].plain, "?"))
        complaints.push_back(shown + ": the first hint asks no question");
}

bool leads_elsewhere(const std::string& target) {
    return target.empty() || target[0] == '#' ||
           target.find(':') < target.find_first_not_of("abcdefghijklmnopqrstuvwxyz:");
}

}  // namespace

Complaints check_hints(const Course& course) {
    Complaints complaints;
    for (const Exercise& exercise : course.exercises) {
        const std::string shown = exercise.tasks().string(), where = shown + ", " + exercise.name;
        const std::vector<Section> sections =
            sections_of(Markdown(read_text_if_there(course.root / exercise.tasks())));
        const auto found = std::find_if(sections.begin(), sections.end(),
                                        [&](const Section& one) { return one.name == exercise.name; });
        if (found == sections.end()) {
            complaints.push_back(shown + ": no section \"## " + exercise.name + "\"");
            continue;
        }
        const std::string solution = read_text_if_there(course.root / exercise.solution());
        const std::set<int> todos = Source(exercise.solution(), solution).todos();
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
    for (const fs::path& path : course.pages()) {
        const Markdown page(read_text(course.root / path));
        for (const Link& link : page.links()) {
            if (leads_elsewhere(link.target)) continue;
            const std::string target = link.target.substr(0, link.target.find('#'));
            if (!fs::exists((course.root / path).parent_path() / target))
                complaints.push_back(path.string() + ":" + std::to_string(page.line(link.at)) + ": link to " +
                                     target + ", which does not exist");
        }
    }
    for (const std::string& topic : course.topics()) {
        const std::string lecture = "lectures/" + topic + "/README.md", tasks = "../../exercises/" + topic;
        const Markdown page(read_text_if_there(course.root / lecture));
        if (std::none_of(page.links().begin(), page.links().end(),
                         [&](const Link& link) { return begins_with(link.target, tasks); }))
            complaints.push_back(lecture + ": no link to " + tasks + "/README.md");
    }
    return complaints;
}

// The place for the one list of kinds: until it is there, a kind is what has a page.
Complaints check_diagnoses(const Course& course) {
    std::set<std::string> kinds;
    for (const fs::path& page : course.diagnosis_pages()) kinds.insert(page.stem().string());
    return check_diagnoses(course, kinds);
}

Complaints check_diagnoses(const Course& course, const std::set<std::string>& kinds) {
    Complaints complaints;
    const fs::path folder = "lectures/diagnoses", index = folder / "README.md";
    const std::string links = read_text_if_there(course.root / index);
    std::string examples;  // the programs that compare a page's report with what the executor prints
    if (fs::is_directory(course.root / "tests/cpu/checks")) {
        for (const auto& entry : fs::directory_iterator(course.root / "tests/cpu/checks")) {
            if (begins_with(entry.path().filename().string(), "pages"))
                examples += "\n" + read_text(entry.path());
        }
    }
    if (kinds.empty()) complaints.push_back("There is no kind of finding, so nothing would be checked.");
    for (const std::string& kind : kinds) {
        const fs::path page = folder / (kind + ".md");
        if (!fs::is_regular_file(course.root / page))
            complaints.push_back(page.string() + ": missing (there are findings of this kind)");
    }
    for (const fs::path& path : course.diagnosis_pages()) {
        const std::string kind = path.stem().string(), shown = path.string();
        const Markdown page(read_text(course.root / path));
        if (!kinds.count(kind)) complaints.push_back(shown + ": there are no findings of this kind");
        if (std::none_of(page.comments().begin(), page.comments().end(), [&](const Comment& comment) {
                return comment.name == "report" && comment.value == kind;
            }))
            complaints.push_back(shown + ": no line <!-- report: " + kind + " --> above a report");
        if (!contains(examples, "\nPLANTED(\"" + kind + "\", \"" + kind + "\"") &&
            !contains(examples, "\nALONE(\"" + kind + "\")"))
            complaints.push_back(shown +
                                 ": no PLANTED or ALONE of this kind in tests/cpu/checks/pages*_test.cu");
        if (!contains(links, "](" + kind + ".md)"))
            complaints.push_back(index.string() + ": no link to " + kind + ".md");
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
        const fs::path file = (fs::path("lectures") / link.target).lexically_normal();
        const auto cell = std::find_if(cells.begin(), cells.end(), [&](const Block& block) {
            return block.range.begin <= link.at && link.at < block.range.end;
        });
        const fs::path folder = file.parent_path();
        if (folder.extension() != ".wrong" || cell == cells.end()) continue;
        const std::string where = shown + ":" + std::to_string(page.line(link.at)) + ": ";
        if (!fs::is_regular_file(course.root / file) || cell + 1 == cells.end()) {
            complaints.push_back(where + file.string() + " is not there");
            continue;
        }
        for (const std::string& topic : course.topics()) {
            if (contains(file.string(), "/" + topic + "/")) topics.insert(topic);
        }
        if (cell->plain != folder.stem().string() + "." + file.stem().string())
            complaints.push_back(where + cell->plain + " is not the name of " + file.string());
        std::string said = (cell + 1)->plain;
        const bool marked = begins_with(said, "CPU: ");
        if (marked) said.erase(0, 5);
        bool both = false, on_cpu = false, on_gpu = false, only_cpu = false;
        for (const std::string& line : source_of(course, file).header()) {
            both |= begins_with(line, "// diagnosis: " + said);
            on_cpu |= begins_with(line, "// diagnosis.cpu: " + said);
            on_gpu |= begins_with(line, "// diagnosis.gpu: " + said);
            only_cpu |= begins_with(line, "// backends: cpu");
        }
        if (!both && !on_cpu)
            complaints.push_back(where + file.string() + " has no diagnosis \"" + said + "\"");
        else if (marked != (only_cpu || (!both && !on_gpu)))
            complaints.push_back(where + "\"CPU: \" must stand before what only the CPU backend says of " +
                                 file.string() + ", and only there");
    }
    for (const std::string& topic : course.topics()) {
        if (!topics.count(topic)) complaints.push_back(shown + ": no row about " + topic);
    }
    return complaints;
}

}  // namespace course
