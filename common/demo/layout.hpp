// Tables that fit into the width of a screen. Nothing here knows what is measured.
#pragma once

#include <string>
#include <text_layout.hpp>
#include <vector>

namespace kit::demo {

using kit::columns_of, kit::padded, kit::width_of, kit::wrapped;

/// Of a column: what stands above it, and the width of its widest value.
struct Heading {
    std::string text;
    int widest = 9;
};

/// A table that is printed row by row, before all of its values are known. It finds the most generous arrangement that
/// fits: headings in one line; in two; columns closer together; labels wrapped; a label above its numbers; numbers in
/// several lines. A value that is wider than was said takes the blanks beside it, never the width of the screen.
class Table {
  public:
    Table() = default;
    /// `beside`: the room wanted at the right of a row, best first. What there is in the end, room() says.
    Table(int width, Heading label, std::vector<Heading> columns, const std::vector<int>& beside = {});

    std::vector<std::string> heading() const;
    std::vector<std::string> row(const std::string& label, const std::vector<std::string>& cells) const;
    /// Columns at the right of a row; 0 where a row is not one line.
    int room() const;
    /// Does a row with a short label take one line?
    bool is_one_line() const { return !above_ && starts_.size() == 1; }

  private:
    int width_ = 100;
    Heading label_;
    std::vector<Heading> columns_;
    bool above_ = false;               ///< labels stand above their numbers
    int label_width_ = 0;              ///< what is left of the first number
    std::vector<int> edges_;           ///< where each column ends
    std::vector<std::size_t> starts_;  ///< the first column of each line

    bool arrange(bool two_lines, int gap, int label_width, int beside);
    void in_several_lines();
    std::vector<std::string> lines_of(const std::vector<std::string>& cells) const;
};

}  // namespace kit::demo
