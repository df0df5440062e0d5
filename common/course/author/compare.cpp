// Compares two runs on one GPU, and marks a row of the first record as noisy if the difference is larger than
// the row's spread.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "author_commands.hpp"
#include "expression.hpp"
#include "records.hpp"

namespace course {

namespace {

constexpr double least_tolerance = 0.02;

/// Returns whether the row has a time and the spread of the time.
bool is_timed(const Record& record, const std::string& row) {
    return record.count(row + ":us") != 0 && record.count(row + ":spread") != 0;
}

/// Sets "noisy": true in the line of this row, and leaves the rest of the text unchanged.
void mark_noisy(std::string& text, const std::string& name) {
    const std::size_t colon = name.find(':'),
                      row = place_of(text, name.substr(0, colon), name.substr(colon + 1)),
                      end = std::min(text.find('}', row), text.size());
    const std::string mark = "\"noisy\": ";
    const std::size_t flag = text.find(mark + "false", row);
    if (flag < end)
        text.replace(flag + mark.size(), 5, "true");
    else
        text.insert(end, ", \"noisy\": true");
}

}  // namespace

Comparison compare_records(const std::string& first, const std::string& second) try {
    Comparison result;
    result.marked = first;
    Record a = read_record("the first", first), b = read_record("the second", second), marked = a;
    const auto complain = [&](const std::string& what) { result.complaints.push_back(what); };
    const auto is = [](const Record& record, const std::string& flag, const std::string& state) {
        return record.count(flag) != 0 && record.at(flag) == state;
    };
    for (const std::string field : {"topic", "run:backend", "run:device", "run:options"}) {
        if (a[field] != b[field])
            complain(field + " differs: " + replaced(a[field] + " and " + b[field], "\"", ""));
    }
    if (!is(a, "run:backend", "\"gpu\"")) complain("not a run on a GPU");
    std::set<std::string> names;
    for (const Record* record : {&a, &b}) {
        for (const auto& [name, value] : *record) names.insert(name);
    }
    for (const std::string& row : names) {
        const bool in_first = is_timed(a, row), in_second = is_timed(b, row);
        if (in_first != in_second) complain(row + " is only in the " + (in_first ? "first" : "second"));
        if (!in_first || !in_second) continue;
        const std::string n = a[row + ":n"], other_n = b[row + ":n"];
        if (n != other_n) complain(row + ": n differs: " + n + " and " + other_n);
        if (is(a, row + ":valid", "false") || is(b, row + ":valid", "false")) {
            ++result.invalid;
            continue;
        }
        const double us = std::stod(a[row + ":us"]), again = std::stod(b[row + ":us"]),
                     apart = std::fabs(us - again) / ((us + again) / 2),
                     spread = std::max(
                         {std::stod(a[row + ":spread"]), std::stod(b[row + ":spread"]), least_tolerance});
        const bool was_marked = is(a, row + ":noisy", "true");
        if (apart <= spread && !was_marked) {
            ++result.agree;
            continue;
        }
        ++result.noisy;
        result.lines.push_back(row + ": " + written(us, {3}) + " and " + written(again, {3}) + " us, " +
                               written(100 * apart, {1}) + "% apart, spread " + written(100 * spread, {1}) +
                               "%" + (was_marked ? ": marked before" : ""));
        if (!was_marked) mark_noisy(result.marked, row);
        marked[row + ":noisy"] = "true";
    }
    if (result.agree + result.noisy + result.invalid == 0) complain("no row has a time");
    if (read_record("the marked record", result.marked) != marked)
        complain("the marks could not be set: is there one row per line?");
    return result;
} catch (const std::exception& error) {
    Comparison result;
    result.complaints.push_back(error.what());
    return result;
}

int command_compare(const Course&, const Arguments& arguments) {
    const bool write = arguments.size() == 3 && arguments[2] == "--write";
    if (arguments.size() != (write ? 3u : 2u)) return 2;
    const std::string &first = arguments[0], &second = arguments[1], text = read_text(first);
    const Comparison result = compare_records(text, read_text(second));
    for (const std::string& line : result.lines) std::printf("noisy: %s\n", line.c_str());
    for (const std::string& complaint : result.complaints)
        std::printf("%s, %s: %s\n", first.c_str(), second.c_str(), complaint.c_str());
    if (!result.complaints.empty()) return 1;
    if (write) write_text(first, result.marked);
    if (result.invalid > 0) std::printf("not valid, so not compared: %d\n", result.invalid);
    std::printf("%d rows agree, %d noisy\n", result.agree, result.noisy);
    return result.marked != text && !write ? 1 : 0;
}

}  // namespace course
