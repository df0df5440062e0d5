// Tables that fit the width of a screen. The widths of the columns do not depend on the values that a demo
// measures.
#pragma once

#include <string>
#include <text_layout.hpp>
#include <vector>

namespace kit::demo {

using kit::columns_of, kit::padded, kit::width_of, kit::wrapped;

/// The heading of a column, and the width of its widest value.
struct Heading {
    std::string text;
    int widest = 9;
};

/// A table that is printed row by row, before all of its values are known. The table uses the first
/// arrangement that fits: headings in one line; in two lines; columns closer together; labels wrapped; labels
/// above the numbers; numbers in several lines. A value that is wider than its column uses the blanks next to
/// it. A value never makes the row wider than the screen.
class Table {
  public:
    Table() = default;
    /// `beside`: numbers of free columns that the caller would like to the right of a row, best first. room()
    /// returns the number in this arrangement.
    Table(int width, Heading label, std::vector<Heading> columns, const std::vector<int>& beside = {});

    std::vector<std::string> heading() const;
    std::vector<std::string> row(const std::string& label, const std::vector<std::string>& cells) const;
    /// Returns the number of free columns to the right of a row; 0 if a row takes several lines.
    int room() const;
    /// Returns whether a row with a short label fits on one line.
    bool is_one_line() const { return !above_ && starts_.size() == 1; }

  private:
    int width_ = 100;
    Heading label_;
    std::vector<Heading> columns_;
    bool above_ = false;               ///< whether labels are above their numbers
    int label_width_ = 0;              ///< number of columns to the left of the first number
    std::vector<int> edges_;           ///< position of the right edge of each column
    std::vector<std::size_t> starts_;  ///< index of the first column in each line

    bool arrange(bool two_lines, int gap, int label_width, int beside);
    void in_several_lines();
    std::vector<std::string> lines_of(const std::vector<std::string>& cells) const;
};

}  // namespace kit::demo
