// Reads tests/TOPIC/NAME.submissions: the submissions of an exercise, each as its differences from the solution, with the verdict
// that it must get. This is the only reader of the format, which tests/README.md describes.
//
//     == wrong missing_barrier
//     what: No barrier between the steps of the tree.
//     kind: race
//     task: 1
//     at: if (t < stride) tile[t] += tile[t + stride];
//     -- region 1
//         for (int stride = kBlock / 2; stride > 0; stride /= 2) {
//             if (t < stride) tile[t] += tile[t + stride];
//         }
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "course.hpp"

namespace course {

/// One submission.
struct Entry {
    std::string kind, name;  ///< "wrong", "other" or "right", and the last word of its test's name
    int line = 0;            ///< line of the heading
    std::vector<std::pair<std::string, std::string>> keys;

    struct Change {
        enum class Place { region, top, text };
        Place place;
        int line;      ///< line of the heading
        int region;    ///< number of the region that is replaced
        Lines before;  ///< the text that is replaced, unless it is a region
        Lines after;
    };
    std::vector<Change> changes;

    /// Returns all values of a key.
    Lines values(const std::string& key) const;
    /// Returns the first value of a key, or an empty text.
    std::string value(const std::string& key) const;
    /// Returns the value that the verdict must have on this backend ("cpu" or "gpu"): "kind.gpu" overrides "kind".
    std::string expected(const std::string& key, const std::string& backend) const;
    /// Returns "wrong.missing_barrier", the name in tests and commands.
    std::string id() const { return kind + "." + name; }
};

class Submissions {
  public:
    /// Reads the entries; none if the exercise has no such file. Throws Error, with the line, if the file has a mistake.
    Submissions(const Course& course, const Exercise& exercise);
    Submissions(fs::path path, const std::string& text);

    const std::vector<Entry>& entries() const { return entries_; }
    /// Returns the entry "wrong.missing_barrier". If there is none, returns null or throws Error.
    const Entry* find(const std::string& id) const;
    const Entry& entry(const std::string& id) const;

    /// Returns the program of an entry: the solution without marks, like a student's file, with the entry's changes. Throws Error, which
    /// names the file, the entry and the missing text, if the solution does not contain the text that the entry replaces.
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

/// A solution without its marks, like a student's file.
struct Unmarked {
    Lines lines;
    std::vector<int> within;   ///< for each line an index into `regions`, or -1
    std::vector<int> regions;  ///< their numbers, in the order of the file
};
Unmarked without_marks(const Lines& solution);

/// Returns the numbers of the regions in which the entry changes the solution; none if it changes only code of no task.
std::set<int> changed_regions(const Entry& entry, const Unmarked& solution);

/// Returns the entry in the format of the file.
Lines lines_of(const Entry& entry);

/// Returns the first line of the file.
std::string heading_of(const Exercise& exercise);

/// Returns the path of the program of an entry in the build folder.
fs::path program_of(const Course& course, const Exercise& exercise, const Entry& entry);

/// Returns the entry of a test such as "wrong.07_reduction.tree.missing_barrier", perhaps with "sanitize." before it or a variant after
/// it. Returns nothing if the test does not belong to an entry.
std::optional<Entry> entry_of(const Course& course, const std::string& test);

}  // namespace course
