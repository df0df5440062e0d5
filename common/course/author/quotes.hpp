// Quotes in pages are never typed twice: code comes from a region of compiled code, and output from the file next to a record.
//
//     <!-- code: solutions/07_reduction/tree.cu kernel -->        the lines between // [kernel] and // [/kernel]
//     ```cpp
//     ```
//
// If a student must write some of these lines, the page shows them as they are in the starter, with the gap. Below that, it shows the
// complete lines in a fold, "After you have done the exercise".
#pragma once

#include "commands.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

/// A page under examination: the complaints that only its author can fix, and the text that should be there instead.
struct Revision {
    struct Edit {
        Range range;
        std::string text, complaint;
    };

    Revision(const fs::path& root, const fs::path& path) : file(path), page(read_text(root / path)) {}

    std::string place(std::size_t at) const;
    void complain(std::size_t at, const std::string& what) { complaints.push_back(place(at) + what); }
    /// Adds an edit if the range does not contain the wanted text. `what` names the text in the complaint.
    void expect(Range range, const std::string& wanted, const std::string& what);
    /// Returns the page with its edits. The rest of it is unchanged, byte for byte.
    std::string text() const;

    fs::path file;  ///< relative to the root
    Markdown page;
    Complaints complaints;
    std::vector<Edit> edits;
};

/// A function that checks one page.
using Revise = Revision(const Course& course, const fs::path& page);
/// Adds a complaint about everything that these functions would change in the pages.
void check_revisions(const Course& course, const std::vector<fs::path>& pages, Revise* look,
                     Complainer& complain);
/// Runs a command: prints the complaints about the pages, or with "--write" writes the pages. `parts` names what it counts, such as
/// "blocks".
int revise(const Course& course, const Arguments& arguments, const std::vector<fs::path>& pages, Revise* look,
           const std::string& parts);

/// A line that requests code, and the text below it.
struct Quotation {
    fs::path file;
    std::string region;
    Range range;  ///< place of the blocks, which starts at the end of the comment's line; empty if none
    std::size_t folded = 0;  ///< position of the folded block's fence; 0 if there is none
    Range comment;
};
std::vector<Quotation> quotations_of(const Markdown& page);

/// Returns the text that should be in that range.
std::string text_of_quotation(const Source& source, const std::string& region);

/// Returns the page with its blocks of code as they should be.
Revision quote(const Course& course, const fs::path& page);

/// Returns the pages that show code: lectures and diagnoses.
std::vector<fs::path> quoting_pages(const Course& course);

/// Returns a part of a recorded file, which is relative to the folder. "<!-- output: " is followed by "FILE" (the whole file), "FILE 3-12"
/// (lines), or "FILE "words"" (the paragraph, between empty lines, that contains these words). Throws Error if there is no such part.
Lines excerpt(const fs::path& folder, const std::string& asked);

}  // namespace course
