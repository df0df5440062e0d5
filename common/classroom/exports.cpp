#include "author/json_library.hpp"
#include "encoding.hpp"
#include "overview.hpp"
#include "quoting.hpp"
#include "reports.hpp"
#include "standing.hpp"
#include "verdict.hpp"

namespace classroom {

namespace {

bool is_ours(const std::string& column) {
    const std::string name = in_small_letters(course::trimmed(column));
    return name == "grade" || name == "feedback comments";
}

/// Returns a summary in one line: "5.5 of 7 points. 07_reduction/tree: wrong, 0.5 of 1 (1 of 2 cases), see
/// lectures/diagnoses/race.md."
std::string in_short(const Class& graded, const Student& student, const Points& points) {
    const Score total = points.of(graded, student);
    std::string text = as_number(total.points) + " of " + as_number(total.most) + " points" +
                       (total.why.empty() ? "" : " (" + total.why + ")") + ".";
    for (const Exercise* exercise : graded.exercises) {
        const Cell cell = cell_of(student, *exercise);
        if (cell == Cell::passed) continue;
        const Score score = points.of(graded, student, *exercise);
        const auto entry = student.entries.find(exercise->id());
        const std::string page =
            cell == Cell::wrong ? diagnosis_of(entry->second.verdict).page : std::string();
        text += " " + exercise->id() + ": " + in_words(cell) + ", " + as_number(score.points) + " of " +
                as_number(score.most) +
                (score.why.empty() || score.why == in_words(cell) ? "" : " (" + score.why + ")") +
                (page.empty() ? "" : ", see " + page) + ".";
    }
    return text;
}

}  // namespace

std::string junit_of(const Class& graded) {
    std::vector<Verdict> verdicts;
    for (const Student& student : graded.students) {
        for (const Exercise* exercise : graded.exercises) {
            const Cell cell = cell_of(student, *exercise);
            const auto entry = student.entries.find(exercise->id());
            Verdict verdict;
            if (entry != student.entries.end()) {
                verdict = entry->second.verdict;
                verdict.outcome = entry->second.outcome;
                verdict.sentence = told_to(graded, student, *exercise, entry->second.sentence);
                verdict.output = output_for(graded, student, *exercise);
            }
            if (cell == Cell::missing) verdict.outcome = "open";
            if (cell == Cell::ungraded) verdict.outcome = "skip";
            verdict.test = course::tests_of(*exercise)[0] + "." + as_utf8(student.id);
            verdicts.push_back(std::move(verdict));
        }
    }
    return course::junit_of(*graded.course, verdicts);
}

std::string gradescope_of(const Class& graded, const Student& student, const Points& points) {
    using Json = nlohmann::ordered_json;
    const Score total = points.of(graded, student);
    std::string output = as_number(total.points) + " of " + as_number(total.most) + " points" +
                         (total.why.empty() ? "" : " (" + total.why + ")") + "\n\nNext:\n";
    for (const Step& step : next_for(graded, student)) {
        output += "  " + course::replaced(step.words, "`", "") + "\n";
        if (!step.command.empty()) output += "\n" + step.command + "\n";
    }
    for (const std::string& remark : remarks_for(graded, student)) output += "\n" + remark + "\n";
    Json tests = Json::array();
    double seconds = 0;
    for (const Exercise* exercise : graded.exercises) {
        const Cell cell = cell_of(student, *exercise);
        const Score score = points.of(graded, student, *exercise);
        std::string told = std::string(in_words(cell)) +
                           (score.why.empty() || score.why == in_words(cell) ? "" : ": " + score.why) + "\n";
        const auto entry = student.entries.find(exercise->id());
        if (entry != student.entries.end()) {
            const std::string verdict = output_for(graded, student, *exercise);
            told += verdict.empty() ? told_to(graded, student, *exercise, entry->second.sentence) + "\n"
                                    : verdict;
            seconds += entry->second.verdict.seconds;
        }
        tests.push_back({{"name", exercise->id()},
                         {"score", score.points},
                         {"max_score", score.most},
                         {"status", cell == Cell::passed ? "passed" : "failed"},
                         {"output", told},
                         {"visibility", "visible"}});
    }
    const Json json = {{"score", total.points},   {"execution_time", seconds},     {"output", output},
                       {"visibility", "visible"}, {"stdout_visibility", "hidden"}, {"tests", tests}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string moodle_of(const Class& graded, const Points& points) {
    std::set<std::string> columns;
    for (const Student& student : graded.students) {
        for (const auto& [column, value] : student.columns) {
            if (!is_ours(column)) columns.insert(column);
        }
    }
    const bool has_names = !columns.empty();
    Lines head;
    for (const std::string& column : columns) head.push_back(as_csv(column));
    if (!has_names) head = {"ID number", "Full name"};
    head.push_back("Grade");
    head.push_back("Feedback comments");
    std::string csv = csv_line(head);
    for (const Student& student : graded.students) {
        if (has_names && student.columns.empty())
            continue;  // the list from Moodle does not contain this student; class.csv has the result
        Lines fields;
        for (const std::string& column : columns) {
            const auto value = student.columns.find(column);
            fields.push_back(as_csv(value == student.columns.end() ? "" : value->second));
        }
        if (!has_names) fields = {as_csv(student.id), as_csv(student.name)};
        fields.push_back(as_number(points.of(graded, student).points));
        fields.push_back(as_csv(as_html(in_short(graded, student, points))));
        csv += csv_line(fields);
    }
    return csv;
}

void write_reports(const Class& graded, const Points& points, const fs::path& out) {
    course::write_text(out / "class.csv", csv_of(graded, points));
    course::write_text(out / "class.html", html_of(graded, points));
    course::write_text(out / "junit.xml", junit_of(graded));
    course::write_text(out / "moodle.csv", moodle_of(graded, points));
    for (const Student& student : graded.students) {
        const std::string name = as_file_name(student.id);
        course::write_text(out / "feedback" / (name + ".md"), feedback_markdown(graded, student, points));
        course::write_text(out / "feedback" / (name + ".html"), feedback_html(graded, student, points));
        course::write_text(out / "gradescope" / name / "results.json",
                           gradescope_of(graded, student, points));
    }
}

}  // namespace classroom
