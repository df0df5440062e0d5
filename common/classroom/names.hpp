// The file of names: the list of a class from Moodle, Canvas or a text editor (CSV with a header).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "text.hpp"

namespace classroom {

/// Returns the cells of a CSV file in UTF-8 or Latin-1. The separator is the most frequent of comma, semicolon and tab in the first line.
/// Cells can be "quoted".
std::vector<course::Lines> cells_of(std::string_view csv);

/// One line of the file of names.
struct Row {
    std::string id;    ///< first of its keys
    std::string name;  ///< name as written; the id if there is none
    std::optional<double> days_late;
    std::map<std::string, std::string> columns;  ///< cells by the words of the header
    course::Lines keys;  ///< possible names of this student's folder, in small letters
};

/// Reads the columns id (also Identifier, Username, Email address, SIS Login ID), name (also Full name, Student, or First name and Last
/// name) and days late. Throws Error, with the line, if the file has a mistake.
std::vector<Row> read_names(const course::fs::path& file);

/// Returns the keys that a folder's name may contain, in small letters, best first: the name itself, and the parts of a name from Moodle
/// ("Ada Lovelace_4711_assignsubmission_file_") or Canvas ("lovelaceada_4711_8815_week1").
course::Lines keys_of_folder(const std::string& name);

/// Returns "Ada Lovelace" for a folder that Moodle made; empty for every other folder.
std::string name_in_folder(const std::string& name);

}  // namespace classroom
