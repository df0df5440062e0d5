#include <algorithm>
#include <cctype>
#include <words/progress.hpp>

#include "overview.hpp"
#include "quoting.hpp"
#include "reports.hpp"
#include "source.hpp"

namespace classroom {

namespace {

namespace words = kit::words;

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// Returns the position of a whole word in the text; npos if it does not occur, or only as part of longer
/// words.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t from = 0) {
    for (std::size_t at = from; !word.empty() && (at = text.find(word, at)) != std::string::npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return at;
    }
    return std::string::npos;
}

/// Removes each "seed 4711", and replaces the number by "..." wherever else it is a whole word.
std::string without_seed(std::string text, std::string seed) {
    const Lines header = course::match(text.substr(0, text.find('\n')), "   seed ([0-9]+)$");
    if (seed.empty() && !header.empty()) seed = header[1];
    if (seed.empty()) return text;
    for (std::size_t at; (at = find_word(text, "seed " + seed)) != std::string::npos;) {
        std::size_t begin = at;
        while (begin > 0 && text[begin - 1] == ' ') --begin;
        text.erase(begin, at + 5 + seed.size() - begin);
    }
    if (seed.size() < 4) return text;  // a short number may have a different meaning
    for (std::size_t at; (at = find_word(text, seed)) != std::string::npos;)
        text.replace(at, seed.size(), "...");
    return text;
}

/// Shortens absolute paths: the student's file to its name, files of the kit to the path below the root,
/// other files to their names.
std::string without_folders(const Course& course, const Exercise& exercise, const std::string& text) {
    const auto belongs_to_path = [](char c) {
        return is_word(c) || c == '/' || c == '.' || c == '-' || c == '+' || c == '~' || c == '@' || c == '%';
    };
    const std::string root = course.root.string() + "/", file = exercise.name + ".cu";
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const bool begins =
            text[at] == '/' && at + 1 < text.size() && (is_word(text[at + 1]) || text[at + 1] == '.') &&
            (at == 0 ||
             (!is_word(text[at - 1]) && text[at - 1] != '/' && text[at - 1] != '.' && text[at - 1] != '*'));
        std::size_t end = at;
        while (begins && end < text.size() && belongs_to_path(text[end])) ++end;
        // The root of the course may contain blanks, which would otherwise end the path.
        if (begins && text.compare(at, root.size(), root) == 0) {
            end = at + root.size();
            while (end < text.size() && belongs_to_path(text[end])) ++end;
        }
        std::string path = text.substr(at, end - at);
        if (!begins || path.find('/', 1) == std::string::npos) {
            shown += text[at++];
            continue;
        }
        const std::string name = path.substr(path.rfind('/') + 1);
        if (name == file || name.rfind(file + ".", 0) == 0)
            shown += exercise.starter().string();
        else if (path.compare(0, root.size(), root) == 0)
            shown += path.substr(root.size());
        else
            shown += name;
        at = end;
    }
    return shown;
}

/// Replaces the path of the student's file in the intake by exercises/TOPIC/NAME.cu.
std::string without_file(const Exercise& exercise, const Entry* entry, const std::string& text) {
    return entry && !entry->file.empty()
               ? course::replaced(text, entry->file.string(), exercise.starter().string())
               : text;
}

const Entry* entry_of(const Student& student, const Exercise& exercise) {
    const auto found = student.entries.find(exercise.id());
    return found == student.entries.end() ? nullptr : &found->second;
}

int task_of(const Entry& entry) {
    if (cell_of(entry) == Cell::open) {
        const std::set<int> gaps = course::Source("", course::read_text_if_there(entry.file)).gaps();
        return gaps.empty() ? entry.verdict.gap : *gaps.begin();
    }
    for (const bool only_told : {true, false}) {
        for (const course::CaseVerdict& one : entry.verdict.cases) {
            const bool is_it = course::is_told(one) && (!only_told || one.name == entry.verdict.told);
            if (is_it && !one.tasks.empty()) return one.tasks[0];
        }
    }
    return 0;
}

std::string page_of_verdict(const Entry& entry) {
    return cell_of(entry) == Cell::wrong ? diagnosis_of(entry.verdict).page : "";
}

std::string next_step(Cell cell, const words::NextStep& step) {
    switch (cell) {
        case Cell::broken:
            return words::repair_the_build(step);
        case Cell::open:
            return words::fill_the_gap(step);
        case Cell::wrong:
            return words::correct_the_mistake(step);
        case Cell::other:
            return words::use_the_method(step);
        case Cell::untouched:
            return words::begin_with(step);
        default:
            return words::hand_in(step);
    }
}

std::string points_in_words(const Score& score) {
    return as_number(score.points) + " of " + as_number(score.most) +
           (score.most == 1 ? " point" : " points") + (score.why.empty() ? "" : " (" + score.why + ")");
}

}  // namespace

std::string told_to(const Class& graded, const Student& student, const Exercise& exercise,
                    const std::string& text) {
    const Entry* entry = entry_of(student, exercise);
    const std::string own = without_file(exercise, entry, as_utf8(text));
    const std::string placed = without_folders(*graded.course, exercise, own);
    return entry ? without_seed(placed, entry->verdict.seed) : placed;
}

std::string output_for(const Class& graded, const Student& student, const Exercise& exercise) {
    const Entry* entry = entry_of(student, exercise);
    return entry ? told_to(graded, student, exercise, entry->verdict.output) : "";
}

Lines remarks_for(const Class& graded, const Student& student) {
    Lines mine;
    for (const std::string& remark : student.remarks) {
        const bool names_another =
            std::any_of(graded.students.begin(), graded.students.end(), [&](const Student& other) {
                if (&other == &student) return false;
                const auto is_named = [&](const std::string& name) {
                    return name != student.name && name != student.id &&
                           find_word(remark, name) != std::string::npos;
                };
                return is_named(other.name) || is_named(other.id);
            });
        static const Exercise none;
        if (!names_another)
            mine.push_back(course::on_one_line(without_folders(*graded.course, none, as_utf8(remark))));
    }
    return mine;
}

std::vector<Step> next_for(const Class& graded, const Student& student) {
    const Exercise* next = nullptr;
    Cell cell = Cell::passed;
    for (const Exercise* exercise :
         graded.exercises) {  // edited exercises first; right results by a different method last
        const Cell mine = cell_of(student, *exercise);
        if (mine == Cell::passed || mine == Cell::ungraded) continue;
        if (!next || (is_stuck(mine) && !is_stuck(cell)) || (cell == Cell::other && mine != Cell::other))
            next = exercise, cell = mine;
    }
    if (!next) {
        for (const Exercise* exercise : graded.exercises) {
            if (cell_of(student, *exercise) == Cell::ungraded) return {{words::wait_for_grading(), ""}};
        }
        return {{graded.exercises.empty() ? words::nothing_was_graded() : words::all_are_right(), ""}};
    }
    const Entry& entry = student.entries.at(next->id());
    if (!entry.hunt.empty())
        return {{words::repair_the_hunt(entry.hunt), ""},
                {words::show_the_hunt(), "build/course/kit_course hunt " + entry.hunt}};
    std::vector<Step> steps = {
        {next_step(cell, {next->starter().string(), next->tasks().string(), task_of(entry)}), ""}};
    const std::string page = page_of_verdict(entry);
    if (!page.empty()) steps.push_back({words::read_page(page), ""});
    steps.push_back({words::grade_it_yourself(), "ctest --preset exercises -R '" + next->pattern() + "'"});
    return steps;
}

std::string feedback_markdown(const Class& graded, const Student& student, const Points& points) {
    const Score total = points.of(graded, student);
    std::string text = "# " + as_markdown(student.name) + "\n\n**" + points_in_words(total) + "**\n\n";
    text += "| exercise | verdict | points |\n|---|---|---|\n";
    for (const Exercise* exercise : graded.exercises) {
        text += "| `" + exercise->id() + "` | " + in_words(cell_of(student, *exercise)) + " | " +
                as_markdown(points_in_words(points.of(graded, student, *exercise))) + " |\n";
    }
    text += "\n## Next\n\n";
    for (const Step& step : next_for(graded, student)) {
        text += "- " + step.words + "\n";
        // A command has its own line, without any quoting, so a student can copy it from the file.
        if (!step.command.empty()) text += "\n```sh\n" + step.command + "\n```\n";
    }
    const Lines remarks = remarks_for(graded, student);
    if (!remarks.empty()) text += "\n## What you handed in\n\n";
    for (const std::string& remark : remarks) text += "- " + as_markdown(remark) + "\n";
    for (const Exercise* exercise : graded.exercises) {
        const Entry* entry = entry_of(student, *exercise);
        const Cell cell = cell_of(student, *exercise);
        if (!entry || cell == Cell::missing || cell == Cell::untouched || cell == Cell::ungraded) continue;
        text += "\n## " + exercise->id() + ": " + in_words(cell) + "\n\n";
        const std::string output = output_for(graded, student, *exercise);
        if (!output.empty())
            text += as_code_block(output);
        else
            text += as_markdown(told_to(graded, student, *exercise, entry->sentence)) + "\n";
        const std::string page = page_of_verdict(*entry);
        if (!page.empty()) text += "\nRead: `" + page + "`\n";
    }
    return text;
}

std::string feedback_html(const Class& graded, const Student& student, const Points& points) {
    static constexpr char style[] = R"(
body { max-width: 62rem; }
.total { font-size: 1.25rem; font-weight: 650; }
.verdicts { width: 100%; }
.verdicts th, .verdicts td { padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--rule); text-align: left; font-weight: 400; vertical-align: top; }
.next { padding: 0.8rem 1rem; border-left: 6px solid var(--passed); background: var(--panel); border-radius: 6px; }
.next ol { margin: 0; padding-left: 1.3rem; }
.next li { overflow-wrap: anywhere; }
)";
    const auto mark = [](Cell cell) {
        return std::string("<span class=\"mark ") + style_of(cell) + "\">" + in_words(cell) + "</span>";
    };
    std::string html = "<h1><bdi>" + as_html(student.name) + "</bdi></h1>\n<p class=\"total\">" +
                       as_html(points_in_words(points.of(graded, student))) + "</p>\n";
    html += "<section class=\"next\">\n<h2>Next</h2>\n<ol>";
    for (const Step& step : next_for(graded, student)) {
        html += "<li>" + html_with_code(step.words) +
                (step.command.empty() ? "" : "<pre tabindex=\"0\">" + as_html(step.command) + "</pre>") +
                "</li>";
    }
    html +=
        "</ol>\n</section>\n<section>\n<table class=\"verdicts\">\n<thead><tr><th "
        "scope=\"col\">exercise</th><th "
        "scope=\"col\">verdict</th><th scope=\"col\">points</th></tr></thead>\n<tbody>\n";
    std::string verdicts;
    for (const Exercise* exercise : graded.exercises) {
        const Entry* entry = entry_of(student, *exercise);
        const Cell cell = cell_of(student, *exercise);
        const std::string id = as_html(exercise->id());
        const bool has_run =
            entry && cell != Cell::missing && cell != Cell::untouched && cell != Cell::ungraded;
        html +=
            "<tr><th scope=\"row\">" +
            (has_run ? "<a href=\"#" + id + "\"><code>" + id + "</code></a>" : "<code>" + id + "</code>") +
            "</th><td>" + mark(cell) + "</td><td>" +
            as_html(points_in_words(points.of(graded, student, *exercise))) + "</td></tr>\n";
        if (!has_run) continue;
        const std::string output = output_for(graded, student, *exercise), page = page_of_verdict(*entry);
        verdicts +=
            "<section id=\"" + id + "\">\n<h2><code>" + id + "</code> " + mark(cell) + "</h2>\n" +
            (output.empty() ? "<p>" + as_html(told_to(graded, student, *exercise, entry->sentence)) + "</p>\n"
                            : "<pre tabindex=\"0\">" + as_html(output) + "</pre>\n") +
            (page.empty() ? "" : "<p>Read: <code>" + as_html(page) + "</code></p>\n") + "</section>\n";
    }
    html += "</tbody>\n</table>\n</section>\n";
    const Lines remarks = remarks_for(graded, student);
    if (!remarks.empty()) {
        html += "<section>\n<h2>What you handed in</h2>\n<ul>";
        for (const std::string& remark : remarks) html += "<li>" + as_html(remark) + "</li>";
        html += "</ul>\n</section>\n";
    }
    return page_of("Feedback for " + student.name, html + verdicts, style);
}

}  // namespace classroom
