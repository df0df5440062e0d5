// Reads the file of names: the list of a class from Moodle, Canvas or a text editor (CSV with a header).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "text.hpp"

namespace classroom {

/// Returns the cells of a CSV file in UTF-8 or Latin-1. The separator is the most frequent one of comma,
/// semicolon and tab in the first line. Cells can be "quoted".
std::vector<course::Lines> cells_of(std::string_view csv);

/// One row of the file of names.
struct Row {
    std::string id;    ///< first of the keys
    std::string name;  ///< name as it is written; if there is none, the id
    std::optional<double> days_late;
    std::map<std::string, std::string> columns;  ///< cells by the heading of their column
    course::Lines keys;  ///< possible names of this student's folder, in small letters
};

/// Reads the columns id (or Identifier, Username, Email address, SIS Login ID), name (or Full name, Student,
/// or First name and Last name) and days late. Throws Error, with the line, if the file has a mistake.
std::vector<Row> read_names(const course::fs::path& file);

/// Returns the keys that the name of a folder may contain, in small letters, best first: the name itself, and
/// the parts of a name from Moodle ("Ada Lovelace_4711_assignsubmission_file_") or Canvas
/// ("lovelaceada_4711_8815_week1").
course::Lines keys_of_folder(const std::string& name);

/// Returns the student's name, such as "Ada Lovelace", in the name of a folder that Moodle has created; empty
/// for other folders.
std::string name_in_folder(const std::string& name);

}  // namespace classroom
