// tests/TOPIC/NAME.submissions: the submissions of an exercise, each told by what it has instead of the solution's text, with the
// verdict that it must get. The only reader of this format, which tests/README.md describes.
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
#include <utility>

#include "course.hpp"

namespace course {

/// One submission.
struct Entry {
    std::string kind, name;  ///< "wrong" or "right", and the last word of its test
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

    /// All values of a key.
    Lines values(const std::string& key) const;
    /// The first one; empty without one.
    std::string value(const std::string& key) const;
    /// What the verdict on this backend ("cpu" or "gpu") must be: "kind.gpu" goes before "kind".
    std::string expected(const std::string& key, const std::string& backend) const;
    /// "wrong.missing_barrier", as tests and commands name it.
    std::string id() const { return kind + "." + name; }
};

class Submissions {
  public:
    /// No entries if the exercise has no such file. Throws Error, with the line, where the file is not understood.
    Submissions(const Course& course, const Exercise& exercise);
    Submissions(fs::path path, const std::string& text);

    const std::vector<Entry>& entries() const { return entries_; }
    /// The entry "wrong.missing_barrier". Null, or throws Error, if there is none.
    const Entry* find(const std::string& id) const;
    const Entry& entry(const std::string& id) const;

    /// The program of an entry: the solution without marks, like a student's file, with the entry's changes. Throws Error, which names
    /// file, entry and what is missing, if the solution does not have what the entry replaces.
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

/// The entry in the format of the file.
Lines lines_of(const Entry& entry);

/// The first line of the file.
std::string heading_of(const Exercise& exercise);

/// Where the build folder keeps the program of an entry.
fs::path program_of(const Course& course, const Exercise& exercise, const Entry& entry);

/// The entry whose test this is: "wrong.07_reduction.tree.missing_barrier", perhaps with "sanitize." before it or a variant after it.
/// Nothing if it is the test of no entry.
std::optional<Entry> entry_of(const Course& course, const std::string& test);

}  // namespace course
