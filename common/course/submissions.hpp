// Reads tests/TOPIC/NAME.submissions: the submissions of an exercise, each with its differences from the
// solution and the verdict that it must get. tests/README.md describes the format, and no other code reads
// it. An example of an entry:
//
//   == wrong missing_barrier
//   what: No barrier between the steps of the tree.
//   kind: race
//   task: 1
//   at: if (t < stride) tile[t] += tile[t + stride];
//   -- region 1
//       for (int stride = kBlock / 2; stride > 0; stride /= 2) {
//           if (t < stride) tile[t] += tile[t + stride];
//       }
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "course.hpp"

namespace course {

/// One submission of an exercise.
struct Entry {
    std::string kind, name;  ///< "wrong", "other" or "right"; and the last word of the test's name
    int line = 0;            ///< line of the entry's heading in the file
    std::vector<std::pair<std::string, std::string>> keys;

    struct Change {
        enum class Place { region, top, text };
        Place place;
        int line;      ///< line of the change's heading in the file
        int region;    ///< number of the region that the change replaces
        Lines before;  ///< the text that the change replaces, if it does not replace a region
        Lines after;
    };
    std::vector<Change> changes;

    /// Returns all values of a key.
    Lines values(const std::string& key) const;
    /// Returns the first value of a key, or an empty text.
    std::string value(const std::string& key) const;
    /// Returns the value that the verdict must have on this backend ("cpu" or "gpu"). For example, "kind.gpu"
    /// overrides "kind".
    std::string expected(const std::string& key, const std::string& backend) const;
    /// Returns the name in tests and commands, such as "wrong.missing_barrier".
    std::string id() const { return kind + "." + name; }
};

class Submissions {
  public:
    /// Reads the entries of an exercise; none if the file is missing. Throws Error, with the line, if the
    /// file has a mistake.
    Submissions(const Course& course, const Exercise& exercise);
    Submissions(fs::path path, const std::string& text);

    const std::vector<Entry>& entries() const { return entries_; }
    /// find() returns the entry with an id such as "wrong.missing_barrier", or null; the other function
    /// throws Error instead of returning null.
    const Entry* find(const std::string& id) const;
    const Entry& entry(const std::string& id) const;

    /// Returns the program of an entry: the solution without marks, with the changes of the entry. Throws
    /// Error, with the file, the entry and the missing text, if the solution does not contain a text that the
    /// entry replaces.
    Lines program(const Entry& entry, const fs::path& solution, const Lines& text) const;
    Lines program(const Course& course, const Exercise& exercise, const Entry& entry) const;

  private:
    void read_heading(int number, const std::string& line);
    void read_change(int number, const std::string& line);
    void read_key(int number, const std::string& line);
    [[noreturn]] void complain(int line, const std::string& what) const;

    fs::path path_;
    std::vector<Entry> entries_;
};

/// A solution without its marks.
struct Unmarked {
    Lines lines;
    std::vector<int> within;   ///< for each line, an index into `regions`, or -1
    std::vector<int> regions;  ///< numbers of the regions, in the order of the file
};
Unmarked without_marks(const Lines& solution);

/// Returns the numbers of the regions that the entry changes; none if it changes only code that belongs to no
/// task.
std::set<int> changed_regions(const Entry& entry, const Unmarked& solution);

/// Returns the lines of an entry in the format of the file.
Lines lines_of(const Entry& entry);

/// Returns the first line of a file of submissions.
std::string heading_of(const Exercise& exercise);

/// Returns the path of the program of an entry, in the build folder.
fs::path program_of(const Course& course, const Exercise& exercise, const Entry& entry);

/// Returns the entry of a test such as "wrong.07_reduction.tree.missing_barrier". "sanitize." may precede
/// this name and a variant may follow it. Returns nothing if the test does not belong to an entry.
std::optional<Entry> entry_of(const Course& course, const std::string& test);

}  // namespace course
