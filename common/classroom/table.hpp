// The class as a table: CSV for a spreadsheet, and a page of HTML to look at, which also says where they are stuck.
#pragma once

#include "points.hpp"

namespace classroom {

/// One line per student: id, name, points, then of each exercise the outcome (Entry::outcome) and
/// the points, then the remarks. RFC 4180, UTF-8.
std::string csv_of(const Class& graded, const Points& points);

/// One page that needs no other file.
std::string html_of(const Class& graded, const Points& points);

}  // namespace classroom
