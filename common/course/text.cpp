#include "text.hpp"

#include <regex.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <sstream>

namespace course {

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || fs::is_directory(path)) throw Error(path.string() + ": cannot be read");
    return text.str();
}

std::string read_text_if_there(const fs::path& path) {
    return fs::is_regular_file(path) ? read_text(path) : std::string();
}

bool write_text(const fs::path& path, const std::string& text) {
    if (fs::is_regular_file(path) && read_text(path) == text) return false;
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    // Another process may write the same file at the same time, so each temporary file needs its own name.
    // The name may have the maximum length.
    static std::atomic<unsigned> number = 0;
    const fs::path part = path.parent_path() / sentence(".", getpid(), "_", number++, ".part");
    std::ofstream file(part, std::ios::binary);
    if (!(file << text) || !file.flush()) throw Error(part.string() + ": cannot be written");
    file.close();
    fs::rename(part, path);
    return true;
}

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.emplace_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string text_of(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

int line_at(std::string_view text, std::size_t place) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + std::min(place, text.size()), '\n'));
}

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

bool begins_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool ends_with(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

Lines words_of(std::string_view text) {
    Lines words;
    std::istringstream in{std::string(text)};
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::string joined(const Lines& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text += (&part == &parts[0] ? "" : std::string(between)) + part;
    return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string on_one_line(std::string_view text) {
    return joined(words_of(text), " ");
}

Lines match(const std::string& text, const std::string& pattern) {
    static std::map<std::string, regex_t> compiled;
    const auto [entry, is_new] = compiled.try_emplace(pattern);
    if (is_new && regcomp(&entry->second, pattern.c_str(), REG_EXTENDED) != 0)
        throw Error("no regular expression: " + pattern);
    regmatch_t places[8];
    Lines found;
    if (regexec(&entry->second, text.c_str(), 8, places, 0) != 0) return found;
    for (std::size_t i = 0; i <= entry->second.re_nsub; ++i) {
        const regmatch_t& place = places[i];
        found.push_back(place.rm_so < 0 ? "" : text.substr(place.rm_so, place.rm_eo - place.rm_so));
    }
    return found;
}

int number_of(std::string_view text) {
    const std::string digits(text);
    return match(digits, "^[0-9]{1,9}$").empty() ? -1 : std::stoi(digits);
}

std::size_t first_difference(const Lines& one, const Lines& other) {
    std::size_t line = 0;
    while (line < one.size() && line < other.size() && one[line] == other[line]) ++line;
    return line;
}

std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t before = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

void dedent(Lines& lines) {
    const auto blank = [](const std::string& line) { return trimmed(line).empty(); };
    while (!lines.empty() && blank(lines.front())) lines.erase(lines.begin());
    while (!lines.empty() && blank(lines.back())) lines.pop_back();
    std::size_t shared = std::string::npos;
    for (const std::string& line : lines) {
        if (!blank(line)) shared = std::min(shared, line.find_first_not_of(" \t"));
    }
    for (std::string& line : lines) line.erase(0, std::min(shared, line.size()));
}

Lines difference(const Lines& a, const Lines& b) {
    // common[i][j] is the length of the longest common subsequence of a (starting at i) and b (starting at
    // j).
    std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            common[i][j] =
                a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    Lines lines;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            lines.push_back(' ' + a[i++]);
            ++j;
        } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
            lines.push_back('-' + a[i++]);
        } else {
            lines.push_back('+' + b[j++]);
        }
    }
    return lines;
}

Lines changed_lines(const Lines& a, const Lines& b) {
    Lines changes;
    for (const std::string& line : difference(a, b)) {
        if (line[0] != ' ') changes.push_back(line);
    }
    return changes;
}

}  // namespace course
