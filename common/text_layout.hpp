// Fits lines to the width of a screen, for all output of the kit: demos, the grader's report, the scoreboard.
#pragma once

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace kit {

/// Returns the number of columns of a text, which is its number of characters: the kit prints only characters
/// of one column.
inline int columns_of(const std::string& text) {
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Returns the text, filled with blanks up to `columns`.
inline std::string padded(const std::string& text, int columns) {
    return text + std::string(static_cast<std::size_t>(std::max(columns - columns_of(text), 0)), ' ');
}

constexpr int widest_screen = 100, narrowest_screen = 40;

/// Returns the width for output to this file: that of the terminal, otherwise $COLUMNS, otherwise
/// `without_terminal`; at most 100.
inline int width_of(int descriptor, int without_terminal = widest_screen) {
    winsize size = {};
    int width = 0;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    const char* said = std::getenv("COLUMNS");
    if (width == 0 && said != nullptr) width = std::atoi(said);
    return width <= 0 ? without_terminal : std::clamp(width, narrowest_screen, widest_screen);
}

/// Returns the line without control characters, which could move the cursor over a verdict, and shortened if
/// it is too long. Line ends in the text are shown as "\n", as in a source.
inline std::string printable(const std::string& line) {
    constexpr std::size_t longest = 1000;
    std::string shown;
    for (const char c : line) {
        if (shown.size() >= longest)
            return shown + " (and so on: " + std::to_string(line.size()) + " characters)";
        const bool harmless = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
        if (harmless || c == '\t') {
            shown += harmless ? c : ' ';
        } else {
            shown += c == '\n' ? "\\n" : "?";
        }
    }
    return shown;
}

/// Returns the column where the next lines of a text begin: below the words after the first gap of two blanks, as in "  v1   A tree", if
/// the gap is near the beginning.
inline int natural_hang(const std::string& text, int width) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return 0;
    const std::size_t gap = text.find("  ", first), after = text.find_first_not_of(' ', gap);
    if (gap == std::string::npos || after == std::string::npos) return static_cast<int>(first);
    const int hang = columns_of(text.substr(0, after));
    return 2 * hang <= width ? hang : static_cast<int>(first);
}

/// Returns lines of at most `width` columns, broken between words. A longer word stays whole, on its own line. `hang` is the column where
/// the next lines begin; by default, it is the column of the text after a name ("  v1   A tree"), or that of the first line.
inline std::vector<std::string> wrapped(const std::string& text, int width, int hang = -1) {
    if (columns_of(text) <= width) return {text};
    const std::string blanks(static_cast<std::size_t>(hang < 0 ? natural_hang(text, width) : hang), ' ');
    std::vector<std::string> lines;
    std::string line;       // complete words so far
    std::size_t begin = 0;  // start of the next word, including the blanks before it
    while (text.find_first_not_of(' ', begin) != std::string::npos) {
        const std::size_t word = text.find_first_not_of(' ', begin);
        const std::size_t end = std::min(text.find(' ', word), text.size());
        const std::string with_blanks = text.substr(begin, end - begin);
        const bool is_first = line.find_first_not_of(' ') == std::string::npos;
        if (is_first || columns_of(line + with_blanks) <= width) {
            line += with_blanks;
        } else {
            lines.push_back(line);
            line = blanks + text.substr(word, end - word);
        }
        begin = end;
    }
    lines.push_back(line);
    return lines;
}

/// Returns "RESULT fail: 3 of 12 cases failed     again: COMMAND", in two lines if it does not fit in one. `again`: the command, or empty.
inline std::vector<std::string> closing_lines(const std::string& result, const std::string& again,
                                              int width) {
    if (again.empty()) return {result};
    const std::string line = result + "     again: " + again;
    if (columns_of(line) <= width) return {line};
    return {result, "    again: " + again};
}

/// Returns whether to use colours: on terminals only. NO_COLOR and KIT_COLOR=never turn colours off,
/// KIT_COLOR=always turns colours on.
inline bool wants_colour(bool is_terminal) {
    const auto variable = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value ? value : "";
    };
    const std::string wish = variable("KIT_COLOR");
    return wish == "always" || (wish != "never" && variable("NO_COLOR").empty() && is_terminal);
}

/// Returns a line of a verdict in colours, for a terminal: failed, passed and open parts differ.
inline std::string painted(const std::string& line) {
    static constexpr struct {
        const char *start, *colour;
    } marks[] = {{"WRONG  ", "1;31"},   {"RESULT fail", "31"}, {"RESULT pass", "32"},
                 {"RESULT open", "33"}, {"RESULT skip", "33"}, {"OPEN   ", "1;33"},
                 {"BROKEN ", "1;31"},   {"OTHER  ", "1;36"},   {"RESULT other", "36"}};
    for (const auto& mark : marks) {
        const std::string start = mark.start;
        if (line.compare(0, start.size(), start) != 0) continue;
        const std::size_t end = std::min(line.find_first_of(": ", start.find_last_not_of(' ')), line.size());
        return "\033[" + std::string(mark.colour) + "m" + line.substr(0, end) + "\033[0m" + line.substr(end);
    }
    return line;
}

}  // namespace kit
