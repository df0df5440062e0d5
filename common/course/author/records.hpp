// What the lectures measured: the records in lectures/*/results. lectures/results.md tells their form to authors.
#pragma once

#include <map>

#include "text.hpp"

namespace course {

using Complaints = std::vector<std::string>;

/// A member of the schema: a row of the table in lectures/results.md, which is the only place that has it.
struct SchemaField {
    std::string where;  ///< record, run, roofs, table, row, or timed row: one of a ladder or sweep
    std::string name;
    std::string type;    ///< see is_of_type() in records.cpp
    std::string needed;  ///< always, gpu, or may: it may be missing
};
using Schema = std::vector<SchemaField>;
/// Reads the text of that page. Throws Error if the table is not there.
Schema schema_of(const std::string& page);

/// A record is right if there is nothing to complain about. `shown` is its file, the topic its folder's name.
Complaints check_record(const Schema& schema, const std::string& shown, const std::string& text,
                        const std::string& topic);

/// Rules about lectures/*/results: every record is correct, those that pages show by default have their output next to them, and
/// no other file is there.
Complaints check_records(const fs::path& root);

/// The fields of one record as JSON writes them, by reference: "ladder:v1:us" is "200.25", "run:device" is "\"NVIDIA H200\"".
/// "ladder" and "ladder:v1" are there, too.
using Record = std::map<std::string, std::string>;
/// Throws Error, which begins with `shown` and the line.
Record read_record(const std::string& shown, const std::string& text);

/// Where the line of a table, or of a row in it, begins in the text of a record; npos if it is not there.
std::size_t place_of(const std::string& text, const std::string& table, const std::string& row = "");

/// Two runs on one GPU.
struct Comparison {
    int agree = 0, noisy = 0, invalid = 0;
    Lines lines;            ///< one for each row that is noisy
    Complaints complaints;  ///< why the two cannot be compared
    std::string marked;     ///< the text of the first, with "noisy": true where it is
};
Comparison compare_records(const std::string& first, const std::string& second);

/// The device whose numbers a page quotes unless it names another.
inline const char* const main_device = "h200";

/// There is no such row or field in the record of that device, or its run was not valid.
struct NotMeasured : Error {
    using Error::Error;
};

/// The records of one topic, as expressions see them. A file is read when the first reference asks for it.
class Records {
  public:
    explicit Records(fs::path results) : folder_(std::move(results)) {}

    /// The value of "ladder:v1:us" in the record of the device, or of "cpu.ladder:v1:us", which names a different record.
    double value(const std::string& reference, const std::string& device = main_device);
    /// The GPU that a column with DEVICE shows: the main device if it has a record, otherwise the first by name; empty if there
    /// is none.
    std::string shown_gpu() const;
    /// "H200"
    std::string shown_name(const std::string& device);

  private:
    const Record& load(const std::string& device);

    fs::path folder_;
    std::map<std::string, Record> loaded_;
};

}  // namespace course
