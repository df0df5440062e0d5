// What the lectures measured: the records in lectures/*/results, their schema (lectures/results.md), and two runs compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checks.hpp"
#include "results_json.hpp"

namespace course {

/// A member of the schema: where it stands, its name, and what it must be. The table of lectures/results.md has the same.
struct SchemaField {
    std::string where;  ///< record, run, roofs, table, row, or timed row: one of a ladder or sweep
    std::string name;
    std::string type;    ///< see type_complaint() in results_check.cpp
    std::string needed;  ///< always, gpu, or may: it may be missing
};
const std::vector<SchemaField>& schema();

/// A record is right if there is nothing to complain about. `shown` is its file, the topic its folder's name.
Complaints check_record(const std::string& shown, const std::string& text, const std::string& topic);

/// The name of the record that belongs to a run: h200.json for "NVIDIA H200", or cpu_executor.json.
std::string record_name(const std::string& backend, const std::string& device);

/// Rules about lectures/*/results: every record is right, has its output beside it, and nothing else lies there.
Complaints check_results(const std::filesystem::path& root);

/// Two runs on one GPU.
struct Comparison {
    int agree = 0, noisy = 0, invalid = 0;
    std::vector<std::string> lines;  ///< one for each row that is noisy
    Complaints complaints;           ///< why the two cannot be compared
    std::string marked;              ///< the text of the first, with "noisy": true where it is
};
Comparison compare_records(const std::string& first, const std::string& second);

}  // namespace course
