// Parses a page of Markdown with md4c into the parts that the course checks: headings, code, comments, links,
// hints.
#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// A range [begin, end) of the page's text.
struct Range {
    std::size_t begin = 0, end = 0;
};

/// A block of the page that contains no other blocks. A list item counts as a block of text.
struct Block {
    enum Kind { heading, text, code, html } kind = text;
    int level = 0;      ///< level of a heading
    std::string info;   ///< text after the fence of a code block, such as "cpp"
    std::string plain;  ///< text without emphasis, link targets and tags; for code and HTML, the unchanged
                        ///< text
    Range range;        ///< range of the contents; for code, its lines without the fences
};

struct Link {
    std::string target;
    std::size_t at = 0;  ///< position of a character in the link's text; for a tag, in its paragraph
    bool image = false;
};

/// Words in **bold** in a paragraph, list item or cell.
struct Bold {
    std::string plain;
    std::size_t at = 0;  ///< position of the last character
    bool first = false;  ///< whether these are the first words of the paragraph, list item or cell
};

/// Returns the anchor of a heading, as GitHub and the site form it: "2-the-tree" for "2. The `tree`".
std::string anchor_of(const std::string& heading);

/// Returns whether the link leads to the same page or to the web.
bool leads_elsewhere(const std::string& target);

/// A comment "<!-- NAME: VALUE -->", or without ": VALUE"; and the block of code directly after it, if there
/// is one.
struct Comment {
    std::string name, value;
    Range range;  ///< range of the comment
    bool has_code = false;
    Range code;        ///< range of the code's lines; empty if there is no block of code
    std::string info;  ///< text after the fence of the code block
};

class Markdown {
  public:
    explicit Markdown(std::string text);

    const std::string& text() const { return text_; }
    const std::vector<Block>& blocks() const { return blocks_; }  ///< in the order of the page
    const std::vector<Link>& links() const { return links_; }     ///< includes src= and href= of tags
    const std::vector<Comment>& comments() const { return comments_; }
    const std::vector<Bold>& bold() const { return bold_; }
    int line(std::size_t at) const { return line_at(text_, at); }

  private:
    friend struct MarkdownReader;
    std::string text_;
    std::vector<Block> blocks_;
    std::vector<Link> links_;
    std::vector<Comment> comments_;
    std::vector<Bold> bold_;
};

/// A task of an exercise: its heading "### Task 2: the tail", and its hints.
struct Task {
    int number = 0;
    std::string title;  ///< for example "the tail"
    struct Hint {
        std::string heading;  ///< for example "Hint 1 (a question)"
        Lines lines;          ///< each paragraph is one line; code is indented by four blanks
        std::string plain() const { return on_one_line(text_of(lines)); }
    };
    std::vector<Hint> hints;
};

/// The section "## tree" about an exercise in the page of tasks: its tasks, and the questions below "###
/// Explain".
struct Section {
    std::string name;
    std::vector<Task> tasks;
    Lines explain;
};

std::vector<Section> sections_of(const Markdown& page);

}  // namespace course
