// The marks in CUDA sources: what a starter leaves out, and what pages quote. The only reader of this grammar.
//
//     // [kernel]                        a region that pages quote begins
//     // TODO(1): Sum the tile with a tree. About 4 lines.
//     // BEGIN SOLUTION 1
//     for (...) ...
//     // STARTER KIT_TODO(1, tile);     optional: the lines that stand in for the solution; without any,
//     KIT_TODO(1);
//     // END SOLUTION 1
//     // [/kernel]                       the region ends
//
// A solution numbered 0 is removed without a gap. Every other number has a TODO comment, and the numbers are 1, 2, 3...
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text.hpp"

namespace course {

/// A source file with its marks, and its path for complaints.
class Source {
  public:
    /// Throws Error if the file cannot be read.
    explicit Source(const fs::path& path);
    Source(fs::path path, const std::string& text);

    const std::vector<std::string>& lines() const { return lines_; }

    /// The starter of a solution. Throws Error, with the line, where marks do not fit together.
    std::string starter() const;

    /// The lines of a region as pages show them: without TODO comments and marks, indented as little as possible. Throws
    /// Error if there is no such region.
    std::vector<std::string> region(const std::string& name) const;
    /// The same lines as the starter has them: with its gaps, and with TODO comments if asked for.
    std::vector<std::string> gap(const std::string& name, bool with_todos = true) const;
    /// The numbers, from 1, of the first and last line between the marks of a region; throws like region().
    std::pair<int, int> region_lines(const std::string& name) const;

    /// The numbers of the lines, from 1, that the starter lacks; marks are none of them.
    std::set<int> removed() const;

    /// Numbers of the TODO comments.
    std::set<int> todos() const;
    /// Numbers of the KIT_TODO gaps that are still there: what a student has not done yet.
    std::set<int> gaps() const;

    /// The comment that the file begins with, line by line.
    std::vector<std::string> header() const;

  private:
    struct Numbered {
        int number;  ///< of the line that it stands on, or, of KIT_TODO, of the mark that it stands for
        std::string text;
    };
    std::vector<Numbered> starter_lines() const;
    Lines shown(const std::string& name, const std::vector<Numbered>& lines, bool with_todos) const;

    fs::path path_;
    std::vector<std::string> lines_;
};

}  // namespace course
