// Quotes in pages, which are never typed twice: code comes from a region of compiled code, and output from
// the file next to a record.
//
//   <!-- code: solutions/07_reduction/tree.cu kernel -->        the lines between // [kernel] and // [/kernel]
//   ```cpp
//   ```
//
// If a student must write some of these lines, the page shows them as in the starter, with the gap. Below,
// the complete lines are in a fold with the title "After you have done the exercise".
#pragma once

#include "commands.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

/// The result of checking a page: the complaints that only its author can resolve, and the edits that the
/// program can make.
struct Revision {
    struct Edit {
        Range range;
        std::string text, complaint;
    };

    Revision(const fs::path& root, const fs::path& path) : file(path), page(read_text(root / path)) {}

    std::string place(std::size_t at) const;
    void complain(std::size_t at, const std::string& what) { complaints.push_back(place(at) + what); }
    /// Adds an edit if the range does not contain the wanted text. `what` is the name of the text in the
    /// complaint.
    void expect(Range range, const std::string& wanted, const std::string& what);
    /// Returns the page with its edits. The rest of the page is unchanged, byte for byte.
    std::string text() const;

    fs::path file;  ///< relative to the root
    Markdown page;
    Complaints complaints;
    std::vector<Edit> edits;
};

/// A function that checks one page.
using Revise = Revision(const Course& course, const fs::path& page);
/// Adds a complaint for every edit that these functions would make in the pages.
void check_revisions(const Course& course, const std::vector<fs::path>& pages, Revise* look,
                     Complainer& complain);
/// Runs a command: with "--write", writes the pages; otherwise, prints the complaints about them. `parts` is
/// the plural of what the command counts, such as "blocks".
int revise(const Course& course, const Arguments& arguments, const std::vector<fs::path>& pages, Revise* look,
           const std::string& parts);

/// A line that requests code, and the code blocks below it.
struct Quotation {
    fs::path file;
    std::string region;
    Range range;  ///< the blocks of code, starting at the end of the comment's line; empty if there are none
    std::size_t folded = 0;  ///< position of the fence of the folded block; 0 if there is none
    Range comment;
};
std::vector<Quotation> quotations_of(const Markdown& page);

/// Returns the text that this range must contain.
std::string text_of_quotation(const Source& source, const std::string& region);

/// Checks a page's blocks of code, and returns the edits that would correct them.
Revision quote(const Course& course, const fs::path& page);

/// Returns the pages that can show code: lectures and pages about diagnoses.
std::vector<fs::path> quoting_pages(const Course& course);

/// Returns a part of a recorded file in the folder. `asked` is the text after "<!-- output: ": "FILE" (the
/// whole file), "FILE 3-12" (lines), or "FILE "words"" (the paragraph with these words; empty lines separate
/// paragraphs). Throws Error if there is no such part.
Lines excerpt(const fs::path& folder, const std::string& asked);

}  // namespace course
