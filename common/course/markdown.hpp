// A page of Markdown, parsed by md4c into the parts that the course checks: headings, code, comments, links, hints.
#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// A range of the page's text: [begin, end).
struct Range {
    std::size_t begin = 0, end = 0;
};

/// A block of the page without blocks inside it. An item of a list counts as text.
struct Block {
    enum Kind { heading, text, code, html } kind = text;
    int level = 0;      ///< level of a heading
    std::string info;   ///< for code, the text after the fence, such as "cpp"
    std::string plain;  ///< text without emphasis, targets of links and tags; code and HTML are unchanged
    Range range;        ///< range of the content; for code, its lines without the fences
};

struct Link {
    std::string target;
    std::size_t at = 0;  ///< position of a character of the link's text; for a tag, of its paragraph
    bool image = false;
};

/// Words in **bold** in a paragraph, item or cell.
struct Bold {
    std::string plain;
    std::size_t at = 0;  ///< position of their last character
    bool first = false;  ///< whether they are the first words there
};

/// Returns the anchor that sites and GitHub give a heading: "2-the-tree" for "2. The `tree`".
std::string anchor_of(const std::string& heading);

/// Returns whether the target is in the page itself, or on the web.
bool leads_elsewhere(const std::string& target);

/// A comment "<!-- NAME: VALUE -->" (or without ": VALUE"), and the block of code directly after it, if there is one.
struct Comment {
    std::string name, value;
    Range range;  ///< range of the comment
    bool has_code = false;
    Range code;        ///< range of the code's lines
    std::string info;  ///< the text after the code's fence
};

class Markdown {
  public:
    explicit Markdown(std::string text);

    const std::string& text() const { return text_; }
    const std::vector<Block>& blocks() const { return blocks_; }  ///< in order
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

/// A task of an exercise, "### Task 2: the tail", with its hints.
struct Task {
    int number = 0;
    std::string title;  ///< "the tail"
    struct Hint {
        std::string heading;  ///< "Hint 1 (a question)"
        Lines lines;          ///< a paragraph is one line; code is indented by four
        std::string plain() const { return on_one_line(text_of(lines)); }
    };
    std::vector<Hint> hints;
};

/// The section of an exercise in its page of tasks, "## tree": its tasks, and the questions of "### Explain".
struct Section {
    std::string name;
    std::vector<Task> tasks;
    Lines explain;
};

std::vector<Section> sections_of(const Markdown& page);

}  // namespace course
