// A wrong submission, told as its difference from the solution: header lines, a blank line, then hunks as `diff -u` writes
// them, with as little context as they need. The file's name is the mistake's.
//
//     // wrong: No barrier between the steps of the tree.
//     // diagnosis: race on
//
//     @@ -37,3 +37,2 @@
//          for (int stride = 1; stride < kBlock; stride *= 2) {
//     -        __syncthreads();  // other threads wrote, in the step before, what this step reads
//              if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
#pragma once

#include "course.hpp"

namespace course {

/// Both files as one list of lines with ' ', '-' or '+' in front, with as few changes as possible.
Lines difference(const Lines& a, const Lines& b);

class Patch {
  public:
    using Lines = std::vector<std::string>;

    /// Reads tests/TOPIC/NAME.wrong/MISTAKE.patch. Throws Error, with the line, where it is not understood.
    Patch(const Course& course, const fs::path& path);
    Patch(fs::path path, const std::string& text);
    /// The difference between two files, told with 1 to 3 lines of context: as few as make each place unique.
    Patch(fs::path path, Lines header, const Lines& solution, const Lines& submission);

    const Lines& header() const { return header_; }
    /// What the header says: lines("diagnosis") are the texts behind "// diagnosis: ".
    Lines lines(const std::string& key) const;
    std::string text() const;

    struct Hunk {
        int line;     ///< of the patch, for complaints
        int from;     ///< line of the solution, from 0: where it is expected
        Lines lines;  ///< each with ' ', '-' or '+' in front
        int changes() const;
    };
    const std::vector<Hunk>& hunks() const { return hunks_; }

    /// exact: every line of context is there, at the expected place or at one other. close: where the context has
    /// changed, the place with the most of it will do if there is only one; what the patch removes must be there.
    enum class Fit { exact, close };
    /// The submission. Throws Error, which names patch, line and exercise, if a hunk has no place or several.
    Lines applied_to(const Lines& solution, Fit fit = Fit::exact) const;

  private:
    int place_of(const Hunk& hunk, const Lines& solution, int done, int expected, Fit fit) const;
    [[noreturn]] void complain(int line, const std::string& what) const;

    fs::path path_;
    Lines header_;
    std::vector<Hunk> hunks_;
};

}  // namespace course
