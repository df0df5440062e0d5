// Files and lines: the few operations on text that every reader of the course needs.
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

/// Words, paths and numbers in a row: sentence(path, ":", 3, ": what is wrong").
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

/// What went wrong, as one sentence for the author or student who must mend it. Begins with "FILE:LINE: " where there is one.
struct Error : std::runtime_error {
    template <class... Parts>
    explicit Error(const Parts&... parts) : runtime_error(sentence(parts...)) {}
};

/// The whole file. Throws Error if it cannot be read.
std::string read_text(const fs::path& path);
/// The whole file, or an empty text where there is none.
std::string read_text_if_there(const fs::path& path);
/// Replaces the file in one step, so that nobody ever sees half of it; makes its folder. False: it had this text already.
bool write_text(const fs::path& path, const std::string& text);

/// The lines of a text, without line ends (neither "\n" nor "\r\n").
Lines lines_of(std::string_view text);
/// Every line, with "\n" behind it.
std::string text_of(const Lines& lines);
/// The number, from 1, of the line that holds this place of the text.
int line_at(std::string_view text, std::size_t place);

std::string trimmed(std::string_view text);
bool begins_with(std::string_view text, std::string_view prefix);
bool ends_with(std::string_view text, std::string_view suffix);
bool contains(std::string_view text, std::string_view part);
Lines words_of(std::string_view text);
std::string joined(const Lines& parts, std::string_view between);
std::string replaced(std::string text, std::string_view from, std::string_view to);
/// Runs of white space, line ends among them, become one blank.
std::string on_one_line(std::string_view text);

/// The first match of a regular expression of POSIX, and what its groups (at most 7) matched; empty if nothing matches.
Lines match(const std::string& text, const std::string& pattern);

/// The whole number that the text is, and nothing else; -1 if it is none (or has more than nine digits).
int number_of(std::string_view text);

/// The first line, counted from 0, in which the two differ; the shorter one's size if that is where it ends.
std::size_t first_difference(const Lines& one, const Lines& other);

/// How many letters must be put in, left out or replaced to make one word of the other.
std::size_t distance(const std::string& a, const std::string& b);

/// Removes the indentation that all lines share, and empty lines at both ends.
void dedent(Lines& lines);

}  // namespace course
