// The measurements of the lectures: the records in lectures/*/results. lectures/results.md describes their form to authors.
#pragma once

#include <map>

#include "text.hpp"

namespace course {

using Complaints = std::vector<std::string>;

/// A member of the schema: a row of the table in lectures/results.md, which is its only definition.
struct SchemaField {
    std::string where;  ///< record, run, roofs, table, row, or timed row: one of a ladder or sweep
    std::string name;
    std::string type;    ///< see is_of_type() in records.cpp
    std::string needed;  ///< always, gpu, or may: it may be missing
};
using Schema = std::vector<SchemaField>;
/// Reads the schema from the text of that page. Throws Error if the table is missing.
Schema schema_of(const std::string& page);

/// Returns the complaints about a record; none if it is correct. `shown` is its file, and the topic is the name of its folder.
Complaints check_record(const Schema& schema, const std::string& shown, const std::string& text,
                        const std::string& topic);

/// Rules about lectures/*/results: every record is correct, those that pages show by default have their output next to them, and
/// no other file is there.
Complaints check_records(const fs::path& root);

/// The fields of one record as JSON writes them, by reference: "ladder:v1:us" is "200.25", and "run:device" is "\"NVIDIA H200\"". The map
/// also contains "ladder" and "ladder:v1".
using Record = std::map<std::string, std::string>;
/// Reads a record. Throws Error, which begins with `shown` and the line.
Record read_record(const std::string& shown, const std::string& text);

/// Returns the position of a table's line, or of a row in it, in the text of a record; npos if there is none.
std::size_t place_of(const std::string& text, const std::string& table, const std::string& row = "");

/// The result of comparing two runs on one GPU.
struct Comparison {
    int agree = 0, noisy = 0, invalid = 0;
    Lines lines;            ///< one for each row that is noisy
    Complaints complaints;  ///< reasons why the two runs cannot be compared
    std::string marked;     ///< the text of the first record, with "noisy": true in the noisy rows
};
Comparison compare_records(const std::string& first, const std::string& second);

/// The device whose numbers a page quotes if it names no other device.
inline const char* const main_device = "h200";

/// The record of that device has no such row or field, or its run was not valid.
struct NotMeasured : Error {
    using Error::Error;
};

/// The records of one topic, as expressions see them. A file is read at its first reference.
class Records {
  public:
    explicit Records(fs::path results) : folder_(std::move(results)) {}

    /// Returns the value of "ladder:v1:us" in the record of the device, or of "cpu.ladder:v1:us", which names a different record.
    double value(const std::string& reference, const std::string& device = main_device);
    /// Returns the GPU that a column with DEVICE shows: the main device if it has a record, otherwise the first by name; empty if there
    /// is none.
    std::string shown_gpu() const;
    /// Returns the name for a reader, such as "H200".
    std::string shown_name(const std::string& device);

  private:
    const Record& load(const std::string& device);

    fs::path folder_;
    std::map<std::string, Record> loaded_;
};

}  // namespace course
