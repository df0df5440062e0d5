// A page of Markdown, taken apart by md4c into what the course asks of its pages: headings, code, comments, links, hints.
#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace course {

/// Where something stands in the text of the page: [begin, end).
struct Range {
    std::size_t begin = 0, end = 0;
};

/// A leaf of the page; an item of a list is text.
struct Block {
    enum Kind { heading, text, code, html } kind = text;
    int level = 0;      ///< of a heading
    std::string info;   ///< of code: what stands behind the fence, such as "cpp"
    std::string plain;  ///< without emphasis, links' targets and tags; code and html: as it stands there
    Range range;        ///< of the content; of code: its lines, without the fences
};

struct Link {
    std::string target;
    std::size_t at = 0;  ///< of a character of its text; of a tag: of its paragraph
    bool image = false;
};

/// **Words** of a paragraph, item or cell.
struct Bold {
    std::string plain;
    std::size_t at = 0;  ///< of their last character
    bool first = false;  ///< nothing stands before them there
};

/// The anchor that sites and GitHub give a heading: "2. The `tree`" is "2-the-tree".
std::string anchor_of(const std::string& heading);

/// Is the target in the page itself, or on the web?
bool leads_elsewhere(const std::string& target);

/// "<!-- NAME: VALUE -->" (or without ": VALUE"), and the block of code that follows it at once, if one does.
struct Comment {
    std::string name, value;
    Range range;  ///< of the comment
    bool has_code = false;
    Range code;        ///< of the code's lines
    std::string info;  ///< of the code
};

class Markdown {
  public:
    explicit Markdown(std::string text);

    const std::string& text() const { return text_; }
    const std::vector<Block>& blocks() const { return blocks_; }  ///< in order
    const std::vector<Link>& links() const { return links_; }     ///< also src= and href= of tags
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

/// "### Task 2: the tail" of an exercise, with its hints.
struct Task {
    int number = 0;
    std::string title;  ///< "the tail"
    struct Hint {
        std::string heading;  ///< "Hint 1 (a question)"
        std::string plain;    ///< the text, on one line
    };
    std::vector<Hint> hints;
};

/// "## tree" of an exercises README: the exercise, and its tasks.
struct Section {
    std::string name;
    std::vector<Task> tasks;
};

std::vector<Section> sections_of(const Markdown& page);

}  // namespace course
