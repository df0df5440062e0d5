// Reads the marks in CUDA sources, which say what a starter omits and what pages quote. No other code reads
// these marks:
//
//   // [kernel]                        begins a region that pages quote
//       // TODO(1): Sum the tile with a tree. About 4 lines.
//       // BEGIN SOLUTION 1
//       for (...) ...
//       // STARTER KIT_TODO(1, tile);     optional: the lines that replace the solution; without them,
//                                         KIT_TODO(1);
//       // END SOLUTION 1
//   // [/kernel]                       ends the region
//
// A solution with number 0 is removed without a gap. Each other number has a TODO comment, and the numbers
// are 1, 2, 3...
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "text.hpp"

namespace course {

/// A source file with marks, and its path, which error messages name.
class Source {
  public:
    /// Reads the file. Throws Error if that is not possible.
    explicit Source(const fs::path& path);
    Source(fs::path path, const std::string& text);

    const std::vector<std::string>& lines() const { return lines_; }

    /// Returns the starter of a solution. Throws Error, with the line, if marks do not match.
    std::string starter() const;

    /// Returns the lines of a region as pages show them: without TODO comments and marks, and with as little
    /// indentation as possible. Throws Error if there is no such region.
    std::vector<std::string> region(const std::string& name) const;
    /// Returns the lines of a region in the starter: with gaps, and with TODO comments if
    /// `with_todos`.
    std::vector<std::string> gap(const std::string& name, bool with_todos = true) const;
    /// Returns the numbers of the first and the last line between the marks of a region, counted from 1.
    /// Throws Error like region().
    std::pair<int, int> region_lines(const std::string& name) const;

    /// Returns the numbers, counted from 1, of the lines that the starter omits. Marks do not count.
    std::set<int> removed() const;
    /// Returns the numbers of the lines that are marks.
    std::set<int> marks() const;

    /// Returns how many lines a student must write for each task: those that the starter omits, without empty
    /// lines. Task 0 has the lines that are removed without a gap.
    std::map<int, std::size_t> lines_of_tasks() const;

    /// Returns the numbers of the TODO comments.
    std::set<int> todos() const;
    /// Returns the numbers of the KIT_TODO gaps in the file, which are the tasks that the student has not
    /// done.
    std::set<int> gaps() const;

    /// Returns the lines of the comment at the start of the file.
    std::vector<std::string> header() const;

  private:
    struct Numbered {
        int number;  ///< number of the line; for a KIT_TODO, the number of the task
        std::string text;
    };
    std::vector<Numbered> starter_lines() const;
    Lines shown(const std::string& name, const std::vector<Numbered>& lines, bool with_todos) const;

    fs::path path_;
    std::vector<std::string> lines_;
};

}  // namespace course
