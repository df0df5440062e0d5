// Two runs on one GPU: rows that differ by more than their spread are marked as noisy in the first.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "commands.hpp"
#include "expression.hpp"
#include "records.hpp"

namespace course {

namespace {

constexpr double least_tolerance = 0.02;

/// The names of the rows that have a time and its spread.
std::set<std::string> timed_rows(const Record& record) {
    std::set<std::string> rows;
    for (const auto& [name, unused] : record.numbers) {
        const std::string row = name.substr(0, name.rfind(':'));
        if (ends_with(name, ":spread") && record.numbers.count(row + ":us") != 0) rows.insert(row);
    }
    return rows;
}

/// Sets "noisy": true in the line of that row, and leaves everything else as it is.
void mark_noisy(std::string& text, const std::string& name) {
    const std::size_t colon = name.find(':'),
                      row = place_of(text, name.substr(0, colon), name.substr(colon + 1));
    const std::size_t end = std::min(text.find('}', row), text.size());
    const std::string mark = "\"noisy\": ";
    const std::size_t flag = text.find(mark + "false", row);
    if (flag < end)
        text.replace(flag + mark.size(), 5, "true");
    else
        text.insert(end, ", \"noisy\": true");
}

std::string rounded(double number, int decimals) {
    return written(number, {decimals, false});
}

}  // namespace

Comparison compare_records(const std::string& first, const std::string& second) try {
    Comparison result;
    result.marked = first;
    Record a = Record::read("the first", first), b = Record::read("the second", second);
    const auto complain = [&](const std::string& what) { result.complaints.push_back(what); };
    for (const char* field : {"topic", "run:backend", "run:device", "run:options"}) {
        if (a.texts[field] != b.texts[field])
            complain(std::string(field) + " differs: " + a.texts[field] + " and " + b.texts[field]);
    }
    if (a.texts["run:backend"] != "gpu") complain("not a run on a GPU");
    const std::set<std::string> rows = timed_rows(a), others = timed_rows(b);
    for (const std::string& row : others) {
        if (rows.count(row) == 0) complain(row + " is only in the second");
    }
    for (const std::string& row : rows) {
        if (others.count(row) == 0) {
            complain(row + " is only in the first");
            continue;
        }
        const double us = a.numbers[row + ":us"], again = b.numbers[row + ":us"], n = a.numbers[row + ":n"],
                     other_n = b.numbers[row + ":n"];
        if (n != other_n) complain(row + ": n differs: " + rounded(n, 0) + " and " + rounded(other_n, 0));
        if (a.has_flag(row + ":valid", false) || b.has_flag(row + ":valid", false)) {
            ++result.invalid;
            continue;
        }
        const double apart = std::fabs(us - again) / ((us + again) / 2),
                     spread =
                         std::max({a.numbers[row + ":spread"], b.numbers[row + ":spread"], least_tolerance});
        const bool was_marked = a.has_flag(row + ":noisy", true);
        if (apart <= spread && !was_marked) {
            ++result.agree;
            continue;
        }
        ++result.noisy;
        result.lines.push_back(row + ": " + rounded(us, 3) + " and " + rounded(again, 3) + " us, " +
                               rounded(100 * apart, 1) + "% apart, spread " + rounded(100 * spread, 1) + "%" +
                               (was_marked ? ": marked before" : ""));
        a.flags[row + ":noisy"] = true;
        if (!was_marked) mark_noisy(result.marked, row);
    }
    if (result.agree + result.noisy + result.invalid == 0) complain("no row has a time");
    if (Record::read("the marked record", result.marked).flags != a.flags)
        complain("the marks could not be set: is there one row per line?");
    return result;
} catch (const Error& error) {
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
