// Operations on files, lines and texts that all parts of the model use.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace course {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// Joins words, paths and numbers to one text, as in sentence(path, ":", 3, ": what is wrong").
template <class... Parts>
std::string sentence(const Parts&... parts) {
    std::string text;
    const auto add = [&](const auto& part) {
        if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>)
            text += std::to_string(part);
        else
            text += part;
    };
    (add(parts), ...);
    return text;
}

/// An error, as one sentence for the author or student who must resolve it. If there is a line, the text
/// begins with "FILE:LINE: ".
struct Error : std::runtime_error {
    template <class... Parts>
    explicit Error(const Parts&... parts) : runtime_error(sentence(parts...)) {}
};

/// Returns the contents of the file. Throws Error if the file cannot be read.
std::string read_text(const fs::path& path);
/// Returns the contents of the file; empty if the file is missing.
std::string read_text_if_there(const fs::path& path);
/// Replaces the file atomically, so a reader never sees an incomplete file. Creates its folder. Returns false
/// if the file already had this text.
bool write_text(const fs::path& path, const std::string& text);

/// Returns the lines of a text without their line ends ("\n" or "\r\n").
Lines lines_of(std::string_view text);
/// Returns the lines, each followed by "\n".
std::string text_of(const Lines& lines);
/// Returns the number, counted from 1, of the line that contains this position of the text.
int line_at(std::string_view text, std::size_t place);

std::string trimmed(std::string_view text);
bool begins_with(std::string_view text, std::string_view prefix);
bool ends_with(std::string_view text, std::string_view suffix);
bool contains(std::string_view text, std::string_view part);
Lines words_of(std::string_view text);
std::string joined(const Lines& parts, std::string_view between);
std::string replaced(std::string text, std::string_view from, std::string_view to);
/// Replaces each sequence of white space, including line ends, by one blank.
std::string on_one_line(std::string_view text);

/// Returns the first match of a POSIX regular expression, and the texts of its groups (at most 7); empty if
/// there is no match.
Lines match(const std::string& text, const std::string& pattern);

/// Returns the whole number in the text; -1 if the text contains anything else, or more than nine digits.
int number_of(std::string_view text);

/// Returns the index of the first line in which the two differ. If one is the start of the other, returns the
/// size of the shorter one.
std::size_t first_difference(const Lines& one, const Lines& other);

/// Returns how many letters must be inserted, deleted or replaced to turn one word into the other.
std::size_t distance(const std::string& a, const std::string& b);

/// Removes the indentation that all lines have in common, and empty lines at both ends.
void dedent(Lines& lines);

/// Returns both texts as one list of lines that begin with ' ' (common), '-' or '+', with as few changes as
/// possible.
Lines difference(const Lines& a, const Lines& b);
/// Returns only the lines of difference() that begin with '-' or '+'.
Lines changed_lines(const Lines& a, const Lines& b);

}  // namespace course
