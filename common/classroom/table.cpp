#include <algorithm>

#include "overview.hpp"
#include "quoting.hpp"
#include "reports.hpp"
#include "table_page.hpp"

namespace classroom {

namespace {

/// Returns the HTML of a box with a number, and words for what it counts.
std::string tile(const std::string& number, const std::string& words) {
    return "<div class=\"tile\"><b>" + number + "</b><span>" + words + "</span></div>\n";
}

std::string median_of(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    const std::size_t middle = numbers.size() / 2;
    return as_number(numbers.size() % 2 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2);
}

class Page {
  public:
    Page(const Class& graded, const Points& points)
        : graded_(graded), points_(points), overview_(overview_of(graded)) {}

    std::string text() const {
        return page_of("The class", head() + stuck() + diagnoses() + matrix() + remarks(), table_style,
                       table_script);
    }

  private:
    std::string head() const {
        std::string html = "<header>\n<h1>The class</h1>\n<p class=\"soft\">" +
                           counted(graded_.students.size(), "student") + ", " +
                           counted(graded_.exercises.size(), "exercise") + "</p>\n";
        if (graded_.students.empty()) return html + "<p>No student has handed in anything.</p>\n</header>\n";
        if (graded_.exercises.empty()) return html + "<p>No exercise was graded.</p>\n</header>\n";
        std::size_t passed = 0, everything = 0, nothing = 0;
        std::vector<double> totals;
        for (const Student& student : graded_.students) {
            std::size_t mine = 0, missing = 0;
            for (const Exercise* exercise : graded_.exercises) {
                const Cell cell = cell_of(student, *exercise);
                mine += cell == Cell::passed;
                missing += cell == Cell::missing || cell == Cell::untouched;
            }
            passed += mine;
            everything += mine == graded_.exercises.size();
            nothing += missing == graded_.exercises.size();
            totals.push_back(points_.of(graded_, student).points);
        }
        const double all = static_cast<double>(graded_.students.size() * graded_.exercises.size());
        return html + "<div class=\"tiles\">\n" +
               tile(std::to_string(static_cast<int>(100 * static_cast<double>(passed) / all)) + "%",
                    "of all exercises are right") +
               tile(median_of(totals), "median of the points, of " + as_number(points_.most(graded_))) +
               tile(std::to_string(everything),
                    everything == 1 ? "student has everything right" : "students have everything right") +
               tile(std::to_string(nothing),
                    nothing == 1 ? "student has not started" : "students have not started") +
               "</div>\n</header>\n";
    }

    /// Returns the HTML of an exercise's bar, with words such as "4 wrong, 1 open" below it.
    std::string bar(const Standing& standing) const {
        std::string parts, words;
        for (std::size_t i = 0; i < cells; ++i) {
            const Cell cell = static_cast<Cell>(i);
            if (standing.count[i] == 0) continue;
            parts += "<span class=\"" + style_of(cell) +
                     "\" style=\"flex-grow:" + std::to_string(standing.count[i]) + "\"></span>";
            words += (words.empty() ? "" : ", ") + std::to_string(standing.count[i]) + " " +
                     (cell == Cell::broken && standing.count[i] != 1 ? "do not compile" : in_words(cell));
        }
        return "<div class=\"bar\" aria-hidden=\"true\">" + parts + "</div>" + words;
    }

    std::string names_of(const std::vector<const Student*>& students) const {
        std::string html;
        for (const Student* student : students)
            html += (html.empty() ? "" : ", ") + ("<bdi>" + as_html(student->name) + "</bdi>");
        return "<details class=\"names\"><summary>who</summary>" + html + "</details>";
    }

    /// Returns the most frequent diagnosis of an exercise.
    const Diagnosis* first_of(const Exercise& exercise) const {
        std::map<std::string, std::size_t> count;
        for (const Student& student : graded_.students) {
            if (cell_of(student, exercise) == Cell::wrong)
                ++count[diagnosis_of(student.entries.at(exercise.id()).verdict).words];
        }
        const Diagnosis* first = nullptr;
        std::size_t most = 0;
        for (const Frequent& one : overview_.diagnoses) {
            if (count[one.diagnosis.words] > most) first = &one.diagnosis, most = count[one.diagnosis.words];
        }
        return first;
    }

    /// Returns the name of a diagnosis as a link to its page: on the site if it was built, otherwise in the
    /// checkout. A diagnosis without a page leads to the page about debugging.
    std::string link_of(const Diagnosis& diagnosis) const {
        const Course& course = *graded_.course;
        const fs::path page =
            diagnosis.page.empty() ? "lectures/01_error_handling/debugging.md" : diagnosis.page;
        const fs::path on_site = (course.build / "site" / page).replace_extension(".html");
        return "<a href=\"" + as_address(fs::exists(on_site) ? on_site : course.root / page) + "\">" +
               as_html(diagnosis.words) + "</a>";
    }

    std::string stuck() const {
        const std::vector<const Standing*> hardest = overview_.hardest();
        if (hardest.empty()) return "";
        std::string html =
            "<section>\n<h2>Where they are stuck</h2>\n<table class=\"list\">\n<thead><tr><th "
            "scope=\"col\">exercise</th><th scope=\"col\">stuck</th><th scope=\"col\">the class</th><th "
            "scope=\"col\">mostly</th></tr></thead>\n<tbody>\n";
        const std::size_t shown = std::min<std::size_t>(hardest.size(), 6);
        for (std::size_t i = 0; i < shown; ++i) {
            const Standing& one = *hardest[i];
            const Diagnosis* diagnosis = first_of(*one.exercise);
            html += "<tr><th scope=\"row\"><code>" + as_html(one.exercise->id()) +
                    "</code></th><td class=\"big\" data-of=\"stuck\">" + std::to_string(one.stuck.size()) +
                    "</td><td class=\"wide\">" + bar(one) + names_of(one.stuck) + "</td><td>" +
                    (diagnosis ? link_of(*diagnosis) : "") + "</td></tr>\n";
        }
        html += "</tbody>\n</table>\n";
        if (shown < hardest.size())
            html += "<p class=\"soft\">and " + counted(hardest.size() - shown, "more exercise") +
                    ", with fewer: see the table below</p>\n";
        return html + "</section>\n";
    }

    std::string diagnoses() const {
        if (overview_.diagnoses.empty()) return "";
        std::string html =
            "<section>\n<h2>What is wrong most often</h2>\n<table class=\"list\">\n<thead><tr><th "
            "scope=\"col\">diagnosis</th><th scope=\"col\">submissions</th><th scope=\"col\">students</th>"
            "<th scope=\"col\">in</th></tr></thead>\n<tbody>\n";
        std::size_t shown = 0;
        for (const Frequent& one : overview_.diagnoses) {
            if (++shown > 10) break;
            std::string exercises;
            const std::size_t named = std::min<std::size_t>(one.exercises.size(), 4);
            for (std::size_t i = 0; i < named; ++i)
                exercises += (i == 0 ? "<code>" : ", <code>") + as_html(one.exercises[i]->id()) + "</code>";
            if (named < one.exercises.size())
                exercises += " and " + std::to_string(one.exercises.size() - named) + " more";
            html += "<tr><th scope=\"row\">" + link_of(one.diagnosis) +
                    "</th><td class=\"big\" data-of=\"submissions\">" + std::to_string(one.submissions) +
                    "</td><td data-of=\"students\">" + std::to_string(one.students.size()) +
                    "</td><td class=\"wide\">" + exercises + "</td></tr>\n";
        }
        return html + "</tbody>\n</table>\n</section>\n";
    }

    std::string cell(const Student& student, const Exercise& exercise) const {
        const Cell cell = cell_of(student, exercise);
        const Score score = points_.of(graded_, student, exercise);
        const auto entry = student.entries.find(exercise.id());
        std::string told = as_number(score.points) + " of " + as_number(score.most);
        if (!score.why.empty()) told += " (" + score.why + ")";
        if (entry != student.entries.end() && (is_stuck(cell) || cell == Cell::other) &&
            !entry->second.sentence.empty())
            told += ": " + course::on_one_line(entry->second.sentence);
        const bool is_partial = score.points > 0 && cell != Cell::passed;
        return "<td class=\"" + style_of(cell) + (is_partial ? " part" : "") + "\" title=\"" + as_html(told) +
               "\">" + in_words(cell) + "</td>";
    }

    /// Returns the head of the table. Its names are vertical, so that each fits into its column in full; the first
    /// column of a topic also has the name of the topic.
    std::string heads() const {
        std::string names, topic;
        for (const Exercise* exercise : graded_.exercises) {
            const bool is_first = exercise->topic != topic;
            topic = exercise->topic;
            names += std::string("<th scope=\"col\"") + (is_first ? " class=\"first\"" : "") + " title=\"" +
                     as_html(exercise->id()) + "\"><span>" +
                     (is_first ? "<b>" + as_html(topic) + "</b><br>" : "") + as_html(exercise->name) +
                     "</span></th>";
        }
        return "<thead>\n<tr><th scope=\"col\" class=\"name\">student</th><th scope=\"col\">points</th>" +
               names + "</tr>\n</thead>\n";
    }

    std::string foot() const {
        std::string html = "<tfoot><tr><th scope=\"row\" class=\"name\">right</th><td></td>";
        for (const Standing& one : overview_.exercises)
            html += "<td>" + std::to_string(one.of(Cell::passed)) + "</td>";
        return html + "</tr></tfoot>\n";
    }

    std::string legend() const {
        std::string html = "<p class=\"legend\">";
        for (std::size_t i = 0; i < cells; ++i) {
            const Cell cell = static_cast<Cell>(i);
            html += "<span class=\"key\"><span class=\"mark " + style_of(cell) + "\"></span> " +
                    in_words(cell) + "</span> ";
        }
        return html +
               "<span class=\"key\"><span class=\"mark part wrong\"></span> with points for a "
               "part</span></p>\n";
    }

    std::string matrix() const {
        if (graded_.students.empty() || graded_.exercises.empty()) return "";
        std::string rows;
        for (const Student& student : graded_.students) {
            const Score total = points_.of(graded_, student);
            rows += "<tr data-points=\"" + as_number(total.points) +
                    "\"><th scope=\"row\" class=\"name\" title=\"" + as_html(student.id) + "\"><bdi>" +
                    as_html(student.name) + "</bdi></th><td class=\"total\"" +
                    (total.why.empty() ? "" : " title=\"" + as_html(total.why) + "\"") + ">" +
                    as_number(total.points) + (total.why.empty() ? "" : "<small> late</small>") + "</td>";
            for (const Exercise* exercise : graded_.exercises) rows += cell(student, *exercise);
            rows += "</tr>\n";
        }
        return "<section>\n<h2>Students and exercises</h2>\n" + legend() + table_controls +
               "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Students and "
               "exercises\">\n<table "
               "id=\"matrix\">\n" +
               heads() + "<tbody>\n" + rows + "</tbody>\n" + foot() + "</table>\n</div>\n" +
               "<output id=\"detail\" class=\"screen\" hidden></output>\n</section>\n";
    }

    std::string remarks() const {
        std::string rows;
        for (const Student& student : graded_.students) {
            if (student.remarks.empty()) continue;
            rows += "<tr><th scope=\"row\"><bdi>" + as_html(student.name) + "</bdi></th><td><ul>";
            for (const std::string& remark : student.remarks)
                rows += "<li>" + as_html(course::on_one_line(remark)) + "</li>";
            rows += "</ul></td></tr>\n";
        }
        for (const std::string& remark : graded_.remarks)
            rows += "<tr><th scope=\"row\"></th><td>" + as_html(course::on_one_line(remark)) + "</td></tr>\n";
        if (rows.empty()) return "";
        return "<section class=\"remarks\">\n<h2>Remarks</h2>\n<table class=\"list\">\n<tbody>\n" + rows +
               "</tbody>\n</table>\n</section>\n";
    }

    const Class& graded_;
    const Points& points_;
    Overview overview_;
};

}  // namespace

std::string csv_of(const Class& graded, const Points& points) {
    Lines head = {"id", "name", "points"};
    for (const Exercise* exercise : graded.exercises) {
        head.push_back(as_csv(exercise->id()));
        head.push_back(as_csv(exercise->id() + " points"));
    }
    head.push_back("remarks");
    std::string csv = csv_line(head);
    for (const Student& student : graded.students) {
        Lines fields = {as_csv(student.id), as_csv(student.name),
                        as_number(points.of(graded, student).points)};
        for (const Exercise* exercise : graded.exercises) {
            const auto entry = student.entries.find(exercise->id());
            fields.push_back(as_csv(entry == student.entries.end() ? "" : entry->second.outcome));
            fields.push_back(as_number(points.of(graded, student, *exercise).points));
        }
        fields.push_back(as_csv(course::joined(student.remarks, "\n")));
        csv += csv_line(fields);
    }
    return csv;
}

std::string html_of(const Class& graded, const Points& points) {
    return Page(graded, points).text();
}

}  // namespace classroom
