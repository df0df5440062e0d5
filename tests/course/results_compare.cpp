// Two runs on one GPU: rows that differ by more than their spread are marked as noisy in the first.
#include <algorithm>
#include <cmath>
#include <map>

#include "results.hpp"

namespace course {

namespace {

constexpr double least_tolerance = 0.02;

using RowKey = std::pair<std::string, std::string>;  // table, row

/// The rows that have a time and its spread, in order.
std::vector<std::pair<RowKey, const Json*>> timed_rows(const Json& record) {
    std::vector<std::pair<RowKey, const Json*>> rows;
    const Json* tables = record.find("tables");
    if (tables == nullptr) return rows;
    for (const auto& [unused, table] : tables->members) {
        const Json *name = table.find("table"), *list = table.find("rows");
        if (name == nullptr || list == nullptr) continue;
        for (const auto& [also_unused, row] : list->members) {
            const Json *own = row.find("row"), *us = row.find("us"), *spread = row.find("spread");
            if (own != nullptr && us != nullptr && spread != nullptr && us->is_number() &&
                spread->is_number())
                rows.push_back({{name->text, own->text}, &row});
        }
    }
    return rows;
}

bool is_flag(const Json& row, const std::string& name, const std::string& state) {
    const Json* flag = row.find(name);
    return flag != nullptr && flag->text == state;
}

std::string text_of(const Json& record, const std::string& name, const std::string& member) {
    const Json* object = record.find(name);
    const Json* value = object != nullptr ? object->find(member) : nullptr;
    return value != nullptr ? value->text : "";
}

/// Sets "noisy": true in the line of that row, and leaves everything else as it is. False if the line was not found.
bool mark_noisy(std::string& text, const RowKey& key) {
    const auto position = [&](const std::string& name, const std::string& value, std::size_t from) {
        for (const char* gap : {": ", ":"}) {
            const std::size_t at = text.find("\"" + name + "\"" + gap + "\"" + value + "\"", from);
            if (at != std::string::npos) return at;
        }
        return std::string::npos;
    };
    const std::size_t table = position("table", key.first, 0);
    if (table == std::string::npos) return false;
    const std::size_t row = position("row", key.second, table);
    if (row == std::string::npos) return false;
    const std::size_t end = text.find('}', row);
    for (const std::string no : {"\"noisy\": false", "\"noisy\":false"}) {
        const std::size_t flag = text.find(no, row);
        if (flag >= end) continue;
        text.replace(flag, no.size(), no.substr(0, no.size() - 5) + "true");
        return true;
    }
    text.insert(end, ", \"noisy\": true");
    return true;
}

std::string rounded(double number, int decimals) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, number);
    return buffer;
}

void require_same(const Json& a, const Json& b, Complaints& complaints) {
    const Json *topic_a = a.find("topic"), *topic_b = b.find("topic");
    if (!topic_a || !topic_b || topic_a->text != topic_b->text) complaints.push_back("the topics differ");
    for (const char* field : {"backend", "device", "options"}) {
        const std::string in_a = text_of(a, "run", field), in_b = text_of(b, "run", field);
        if (in_a != in_b) complaints.push_back(std::string(field) + " differs: " + in_a + " and " + in_b);
    }
    if (text_of(a, "run", "backend") != "gpu") complaints.push_back("not a run on a GPU");
}

/// Is every row marked that should be, and no other?
bool is_marked_right(const std::string& before, const std::string& after, const std::vector<RowKey>& noisy) {
    const Json old_record = parse_json(before), new_record = parse_json(after);
    const auto old_rows = timed_rows(old_record), new_rows = timed_rows(new_record);
    if (old_rows.size() != new_rows.size()) return false;
    for (std::size_t i = 0; i < old_rows.size(); ++i) {
        const bool now = is_flag(*new_rows[i].second, "noisy", "true");
        const bool wanted = is_flag(*old_rows[i].second, "noisy", "true") ||
                            std::count(noisy.begin(), noisy.end(), old_rows[i].first) > 0;
        if (now != wanted || old_rows[i].first != new_rows[i].first) return false;
    }
    return true;
}

}  // namespace

Comparison compare_records(const std::string& first, const std::string& second) {
    Comparison result;
    result.marked = first;
    try {
        const Json a = parse_json(first), b = parse_json(second);
        require_same(a, b, result.complaints);
        std::map<RowKey, const Json*> others;
        for (const auto& [key, row] : timed_rows(b)) others[key] = row;
        std::vector<RowKey> noisy;
        for (const auto& [key, row] : timed_rows(a)) {
            const std::string shown = key.first + ":" + key.second;
            const auto other = others.find(key);
            if (other == others.end()) {
                result.complaints.push_back(shown + " is only in the first");
                continue;
            }
            const Json& again = *other->second;
            const Json *n = row->find("n"), *other_n = again.find("n");
            if (n != nullptr && other_n != nullptr && n->text != other_n->text)
                result.complaints.push_back(shown + ": n differs: " + n->text + " and " + other_n->text);
            others.erase(other);
            if (is_flag(*row, "valid", "false") || is_flag(again, "valid", "false")) {
                ++result.invalid;
                continue;
            }
            const double us = row->find("us")->number(), other_us = again.find("us")->number();
            const double apart = std::fabs(us - other_us) / ((us + other_us) / 2);
            const double spread =
                std::max({row->find("spread")->number(), again.find("spread")->number(), least_tolerance});
            const bool differs = !(apart <= spread), was_marked = is_flag(*row, "noisy", "true");
            if (!differs && !was_marked) {
                ++result.agree;
                continue;
            }
            ++result.noisy;
            result.lines.push_back(shown + ": " + rounded(us, 3) + " and " + rounded(other_us, 3) + " us, " +
                                   rounded(100 * apart, 1) + "% apart, spread " + rounded(100 * spread, 1) +
                                   "%" + (was_marked ? ": marked before" : ""));
            if (!was_marked) noisy.push_back(key);
        }
        for (const auto& [key, row] : others)
            result.complaints.push_back(key.first + ":" + key.second + " is only in the second");
        if (result.agree + result.noisy + result.invalid == 0)
            result.complaints.push_back("no row has a time");
        for (const RowKey& key : noisy) {
            if (!mark_noisy(result.marked, key))
                result.complaints.push_back(key.first + ":" + key.second + ": its line was not found");
        }
        if (!is_marked_right(first, result.marked, noisy))
            result.complaints.push_back("the marks could not be set: is there one row per line?");
    } catch (const JsonError& error) {
        result.complaints.push_back(std::string("not JSON: ") + error.what());
    }
    return result;
}

}  // namespace course
