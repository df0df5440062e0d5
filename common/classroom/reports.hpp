// Writes all results of a graded class.
#pragma once

#include "points.hpp"

namespace classroom {

/// Writes class.csv, class.html, junit.xml, moodle.csv, feedback/ID.md, feedback/ID.html and
/// gradescope/ID/results.json into the folder `out`; ID is as_file_name of the student's id. Does not touch unchanged files.
void write_reports(const Class& graded, const Points& points, const fs::path& out);

}  // namespace classroom
