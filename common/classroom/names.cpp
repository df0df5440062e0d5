#include "names.hpp"

#include <algorithm>
#include <cstdlib>

#include "encoding.hpp"

namespace classroom {

using namespace course;

namespace {

const char* const moodle = "^(.+)_([0-9]+)_assignsubmission_(file|onlinetext)";
const char* const canvas = "^[^_]+(_late)?_([0-9]+)_[0-9]+_";

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

void add_key(Lines& keys, const std::string& words) {
    const std::string key = in_small_letters(trimmed(words));
    if (!key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
}

}  // namespace

std::vector<Lines> cells_of(std::string_view csv) {
    if (begins_with(csv, "\xef\xbb\xbf")) csv.remove_prefix(3);
    const std::string text = to_utf8(csv), first = text.substr(0, text.find('\n'));
    const auto times = [&](char c) { return std::count(first.begin(), first.end(), c); };
    char between = ',';
    for (const char other : {';', '\t'}) {
        if (times(other) > times(between)) between = other;
    }
    std::vector<Lines> rows;
    Lines row;
    std::string cell;
    bool quoted = false;
    const auto end_row = [&] {
        row.push_back(cell);
        cell.clear();
        if (row.size() > 1 || !trimmed(row[0]).empty()) rows.push_back(row);
        row.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
        } else if (c == '"' && cell.empty()) {
            quoted = true;
        } else if (c == between) {
            row.push_back(cell);
            cell.clear();
        } else if (c == '\n') {
            end_row();
        } else if (c != '\r') {
            cell += c;
        }
    }
    if (!cell.empty() || !row.empty()) end_row();
    return rows;
}

std::vector<Row> read_names(const fs::path& file) {
    const std::vector<Lines> table = cells_of(read_text(file));
    if (table.empty()) throw Error(file, ": is empty; its first line names the columns, such as id,name");
    std::vector<Row> rows;
    bool has_id = false;
    for (const std::string& title : table[0])
        has_id = has_id || is_one_of(in_small_letters(trimmed(title)),
                                     {"id", "identifier", "username", "email address", "sis login id"});
    if (!has_id)
        throw Error(file, ":1: no column identifies the students: name one id (or Identifier, Username, ",
                    "Email address, SIS Login ID)");
    for (std::size_t i = 1; i < table.size(); ++i) {
        Row row;
        std::string first_name, last_name;
        for (std::size_t column = 0; column < table[0].size(); ++column) {
            const std::string title = trimmed(table[0][column]), words = in_small_letters(title);
            const std::string cell = column < table[i].size() ? trimmed(table[i][column]) : "";
            row.columns[title] = cell;
            if (cell.empty()) continue;
            if (is_one_of(words, {"id", "username", "sis login id", "sis user id", "identifier"})) {
                add_key(row.keys, cell);
                const Lines participant = match(cell, "^Participant ([0-9]+)$");
                if (!participant.empty()) add_key(row.keys, participant[1]);
                if (row.id.empty()) row.id = cell;
            } else if (is_one_of(words, {"email address", "email"})) {
                add_key(row.keys, cell);
                add_key(row.keys, cell.substr(0, cell.find('@')));
                if (row.id.empty()) row.id = cell.substr(0, cell.find('@'));
            } else if (is_one_of(words, {"name", "full name", "student"})) {
                row.name = cell;
            } else if (words == "first name") {
                first_name = cell;
            } else if (is_one_of(words, {"last name", "surname"})) {
                last_name = cell;
            } else if (is_one_of(words, {"days late", "days_late"})) {
                char* end = nullptr;
                row.days_late = std::strtod(cell.c_str(), &end);
                if (*end || !(*row.days_late >= 0 && *row.days_late < 10000))
                    throw Error(file, ": the days late of ", row.id, " are \"", cell, "\", not a number");
            }
        }
        if (row.name.empty()) row.name = trimmed(first_name + " " + last_name);
        add_key(row.keys, row.name);
        if (row.id.empty() || begins_with(row.name, "Points Possible")) continue;  // Canvas adds this line
        if (row.name.empty()) row.name = row.id;
        rows.push_back(row);
    }
    return rows;
}

Lines keys_of_folder(const std::string& name) {
    const std::string small = in_small_letters(name);
    Lines keys = {small};
    for (const char* pattern : {moodle, canvas}) {
        const Lines found = match(small, pattern);
        if (!found.empty()) keys.push_back(found[2]);
    }
    const std::string person = name_in_folder(name);
    if (!person.empty()) add_key(keys, person);
    return keys;
}

std::string name_in_folder(const std::string& name) {
    const Lines found = match(name, moodle);
    return found.empty() ? "" : found[1];
}

}  // namespace classroom
