// The class as a table: CSV for a spreadsheet, and an HTML page that also shows which exercises stop students.
#pragma once

#include "points.hpp"

namespace classroom {

/// Returns one line per student: id, name, points, then the outcome (Entry::outcome) and the points of each exercise, then the
/// remarks. RFC 4180, UTF-8.
std::string csv_of(const Class& graded, const Points& points);

/// Returns one page that needs no other file.
std::string html_of(const Class& graded, const Points& points);

}  // namespace classroom
