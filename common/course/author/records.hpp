// The measurements in the lectures: records in lectures/*/results. lectures/results.md describes their form
// to authors.
#pragma once

#include <map>

#include "text.hpp"

namespace course {

using Complaints = std::vector<std::string>;

/// A member of the schema: one row of the table in lectures/results.md, which is the only definition of the
/// schema.
struct SchemaField {
    std::string where;  ///< the object that has the member: record, run, roofs, table, row, or timed row (of
                        ///< a ladder or sweep)
    std::string name;
    std::string type;    ///< type of the value (is_of_type() in records.cpp)
    std::string needed;  ///< when the member must be there: always, gpu, or may (it is optional)
};
using Schema = std::vector<SchemaField>;
/// Reads the schema from the text of lectures/results.md. Throws Error if the table is missing.
Schema schema_of(const std::string& page);

/// Returns the complaints about a record; none if it is correct. `shown` is its path, and `topic` is the name
/// of its folder.
Complaints check_record(const Schema& schema, const std::string& shown, const std::string& text,
                        const std::string& topic);

/// Rules about lectures/*/results: every record is correct; the output of records that pages show by default
/// is next to them; and there are no other files.
Complaints check_records(const fs::path& root);

/// The fields of one record, by reference, as JSON writes them: "ladder:v1:us" is "200.25", and "run:device"
/// is "\"NVIDIA H200\"". The references "ladder" and "ladder:v1" also exist.
using Record = std::map<std::string, std::string>;
/// Reads a record. Throws Error, whose text begins with `shown` and the line.
Record read_record(const std::string& shown, const std::string& text);

/// Returns the position of a table, or of one of its rows, in the text of a record; npos if there is none.
std::size_t place_of(const std::string& text, const std::string& table, const std::string& row = "");

/// The result of a comparison of two runs on one GPU.
struct Comparison {
    int agree = 0, noisy = 0, invalid = 0;
    Lines lines;            ///< one line for each noisy row
    Complaints complaints;  ///< reasons why the two runs cannot be compared
    std::string marked;     ///< the text of the first record, with "noisy": true in the noisy rows
};
Comparison compare_records(const std::string& first, const std::string& second);

/// The device whose numbers a page quotes if the page does not name a device.
inline const char* const main_device = "h200";

/// Thrown if the record of this device has no such row or field, or if its run was not valid.
struct NotMeasured : Error {
    using Error::Error;
};

/// The records of one topic, for expressions. The file of a record is read when the record is first needed.
class Records {
  public:
    explicit Records(fs::path results) : folder_(std::move(results)) {}

    /// Returns the value of a reference: "ladder:v1:us" in the record of `device`; "cpu.ladder:v1:us" names
    /// another record.
    double value(const std::string& reference, const std::string& device = main_device);
    /// Returns the GPU for a column with DEVICE in its heading: the main device if it has a record, otherwise
    /// the first one by name; empty if there is none.
    std::string shown_gpu() const;
    /// Returns the name of a device for readers, such as "H200".
    std::string shown_name(const std::string& device);

  private:
    const Record& load(const std::string& device);

    fs::path folder_;
    std::map<std::string, Record> loaded_;
};

}  // namespace course
