// The file of names: who is in the class, as Moodle, Canvas or a text editor write it (CSV with a header).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "text.hpp"

namespace classroom {

/// The cells of a CSV file: separated by what its first line has most of (comma, semicolon, tab), "quoted" where need be. UTF-8
/// or Latin-1.
std::vector<course::Lines> cells_of(std::string_view csv);

/// One line of the file of names.
struct Row {
    std::string id;    ///< the first of its keys
    std::string name;  ///< in small and capital letters as written; the id where there is none
    std::optional<double> days_late;
    std::map<std::string, std::string> columns;  ///< by the words of the header
    course::Lines keys;  ///< what a folder of this student may be called, in small letters
};

/// Columns: id (also Identifier, Username, Email address, SIS Login ID), name (also Full name, Student, or First name and Last
/// name), days late. Throws Error, with the line, where the file cannot be understood.
std::vector<Row> read_names(const course::fs::path& file);

/// What a folder may be called after, in small letters, the best first: its own name, and what Moodle ("Ada
/// Lovelace_4711_assignsubmission_file_") and Canvas ("lovelaceada_4711_8815_week1") put together.
course::Lines keys_of_folder(const std::string& name);

/// "Ada Lovelace" of a folder that Moodle made; empty for every other.
std::string name_in_folder(const std::string& name);

}  // namespace classroom
