#include "reports.hpp"

#include "quoting.hpp"

namespace classroom {

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
