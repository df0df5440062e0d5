// Text as the site's tools need it: files, lines, replacement, HTML's escapes, the names of anchors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace site {

/// The whole text of a file; empty if it cannot be read.
std::string read_text(const std::filesystem::path& path);

/// Writes a file, and the folders above it. Throws std::runtime_error with the path when that fails.
void write_text(const std::filesystem::path& path, const std::string& text);

std::vector<std::string> lines_of(const std::string& text);
std::string trimmed(const std::string& text);
bool begins(const std::string& text, const std::string& prefix);
bool ends(const std::string& text, const std::string& suffix);
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// The text between the first `open` from `start` on and the next `close`; empty if there is none.
std::string between(const std::string& text, const std::string& open, const std::string& close,
                    std::size_t start = 0);

/// & < > and quotes as HTML writes them, and back.
std::string escaped(const std::string& text);
std::string unescaped(const std::string& html);

/// What a reader sees of a piece of HTML: without tags and comments, white space as single spaces.
std::string visible_text(const std::string& html);

/// The name that GitHub gives to a heading: "2. v1: `tree`" is "2-v1-tree".
std::string slug(const std::string& heading);

/// A file's path relative to a folder, with '/' and without "..".
std::string relative_to(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace site
