// The page of pairs that are alike: what it says first is what such a list can and cannot show.
#include "alike.hpp"
#include "page.hpp"
#include "quoting.hpp"

namespace classroom {

namespace {

constexpr char style[] = R"(
.list { width: 100%; }
.list th, .list td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--rule); text-align: left; font-weight: 400; vertical-align: top; }
.list .number { text-align: right; font-variant-numeric: tabular-nums; }
.pair { padding-top: 0.6rem; border-top: 2px solid var(--rule); }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 0.8rem; }
.sides h3 { margin-top: 0.6rem; }
.sides pre { margin: 0.3rem 0; }
.number { color: var(--soft); }
@media (max-width: 40rem) { .sides { grid-template-columns: minmax(0, 1fr); } .scroll { overflow-x: auto; } }
)";

std::string lines_of_file(const Lines& lines, int first, int last) {
    std::string text;
    for (int line = first; line <= last && line <= static_cast<int>(lines.size()); ++line) {
        const std::string number = std::to_string(line);
        text += "<span class=\"number\">" + std::string(number.size() < 4 ? 4 - number.size() : 0, ' ') +
                number + "  </span>" + as_html(lines[static_cast<std::size_t>(line) - 1]) + "\n";
    }
    return "<pre tabindex=\"0\">" + text + "</pre>";
}

Lines lines_of_student(const Student& student, const Exercise& exercise) {
    return course::lines_of(course::read_text_if_there(student.entries.at(exercise.id()).file));
}

std::string names_of(const std::vector<const Student*>& students) {
    std::string html;
    for (const Student* student : students)
        html += (html.empty() ? "" : ", ") + ("<bdi>" + as_html(student->name) + "</bdi>");
    return html;
}

std::string percent(double share) {
    return std::to_string(static_cast<int>(100 * share)) + "%";
}

}  // namespace

std::string alike_html(const Class& graded, const std::vector<Alike>& pairs, std::size_t most) {
    std::string html = "<h1>Submissions that are alike</h1>\n";
    if (pairs.empty())
        return page_of("Submissions that are alike",
                       html + "<p>No two of " + counted(graded.students.size(), "student") +
                           " share more than the starter, the course's solutions and the rest of the class "
                           "explain.</p>\n",
                       style);
    html += "<p>" + counted(pairs.size(), "finding") +
            ". These students share more than the starter, the course's solutions and the rest of the class "
            "explain, "
            "names, comments and layout aside. This is where to look, and no proof: they may have worked "
            "together, or have "
            "learned from the same page. Ask each to explain the code.</p>\n";
    std::string list, details;
    for (std::size_t i = 0; i < std::min(pairs.size(), most); ++i) {
        const Alike& pair = pairs[i];
        const bool one_text = pair.is_identical();
        const std::string a = names_of(pair.a), b = names_of(pair.b),
                          anchor = "pair-" + std::to_string(i + 1),
                          id = "<code>" + as_html(pair.exercise->id()) + "</code>",
                          what = one_text ? "identical" : percent(pair.share);
        list += "<tr><th scope=\"row\"><a href=\"#" + anchor + "\">" + id + "</a></th><td>" + a +
                "</td><td>" + b + "</td><td class=\"number\">" + what + "</td><td class=\"number\">" +
                std::to_string(pair.words) + "</td></tr>\n";
        const Lines lines_a = lines_of_student(*pair.a[0], *pair.exercise),
                    lines_b = one_text ? Lines() : lines_of_student(*pair.b[0], *pair.exercise);
        details += "<section class=\"pair\" id=\"" + anchor + "\">\n<h2>" + id + "</h2>\n<p>" + what + ", " +
                   std::to_string(pair.words) + " words</p>\n<div class=\"" + (one_text ? "side" : "sides") +
                   "\">\n<h3>" + a + "</h3>\n" + (one_text ? "" : "<h3>" + b + "</h3>\n");
        for (const Passage& one : pair.passages) {
            details += lines_of_file(lines_a, one.first_a, one.last_a);
            if (!one_text) details += lines_of_file(lines_b, one.first_b, one.last_b) + "\n";
        }
        details += "</div>\n</section>\n";
    }
    html +=
        "<div class=\"scroll\"><table class=\"list\">\n<thead><tr><th scope=\"col\">exercise</th><th "
        "scope=\"col\">one</th><th "
        "scope=\"col\">the other</th><th scope=\"col\" class=\"number\">of their own work</th><th "
        "scope=\"col\" "
        "class=\"number\">words</th></tr></thead>\n<tbody>\n" +
        list + "</tbody>\n</table></div>\n";
    if (pairs.size() > most)
        html += "<p>and " + counted(pairs.size() - most, "more finding") + ", which are not shown</p>\n";
    return page_of("Submissions that are alike", html + details, style);
}

}  // namespace classroom
