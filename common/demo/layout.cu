// Arranges tables so that they fit the width of a screen.
#include <algorithm>
#include <utility>

#include "layout.hpp"

namespace kit::demo {
namespace {

constexpr int indent = 2;         // number of blanks before numbers that are below their label
constexpr int narrow_label = 18;  // minimum width to which a label is wrapped, before it is placed above its
                                  // numbers

/// Returns the heading in one line, or in two lines of about the same length.
std::vector<std::string> broken(const Heading& heading, bool two_lines) {
    const std::string& text = heading.text;
    std::vector<std::string> best = {text};
    if (!two_lines || columns_of(text) <= heading.widest) return best;
    int width = columns_of(text);
    for (std::size_t blank = text.find(' '); blank != std::string::npos; blank = text.find(' ', blank + 1)) {
        const std::string above = text.substr(0, blank), below = text.substr(blank + 1);
        const int longer = std::max(columns_of(above), columns_of(below));
        if (longer < width) width = longer, best = {above, below};
    }
    return best;
}

int width_with(const Heading& heading, bool two_lines) {
    int width = heading.widest;
    for (const std::string& line : broken(heading, two_lines)) width = std::max(width, columns_of(line));
    return width;
}

bool fit(const std::vector<std::string>& lines, int width) {
    return std::all_of(lines.begin(), lines.end(),
                       [width](const std::string& line) { return columns_of(line) <= width; });
}

}  // namespace

Table::Table(int width, Heading label, std::vector<Heading> columns, const std::vector<int>& beside)
    : width_(width), label_(std::move(label)), columns_(std::move(columns)) {
    std::vector<int> wishes = beside;
    wishes.push_back(0);
    for (const int wish : wishes) {
        for (const auto& [two_lines, gap] : {std::pair(false, 2), std::pair(true, 2), std::pair(true, 1)})
            if (arrange(two_lines, gap, label_.widest, wish)) return;
    }
    if (arrange(true, 1, std::min(label_.widest, narrow_label), 0)) return;
    above_ = true;
    for (const auto& [two_lines, gap] : {std::pair(false, 2), std::pair(true, 2), std::pair(true, 1)})
        if (arrange(two_lines, gap, indent, 0)) return;
    in_several_lines();
}

/// Returns whether the numbers in this arrangement, `beside` free columns, and a label of at least
/// `label_width` columns fit on a line.
bool Table::arrange(bool two_lines, int gap, int label_width, int beside) {
    int numbers = 0;
    edges_.clear();
    for (const Heading& column : columns_) edges_.push_back(numbers += gap + width_with(column, two_lines));
    label_width_ = std::min(above_ ? indent : label_.widest, width_ - beside - numbers);
    if (label_width_ < label_width) return false;
    for (int& edge : edges_) edge += label_width_;
    starts_ = {0};
    return true;
}

void Table::in_several_lines() {
    label_width_ = indent;
    edges_.clear();
    starts_ = {0};
    int edge = indent;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const int width = 2 + width_with(columns_[i], true);
        if (edge + width > width_ && i > starts_.back()) {
            edge = indent;
            starts_.push_back(i);
        }
        edges_.push_back(edge += width);
    }
}

/// Returns the lines of a row, with each cell aligned with the edge of its column.
std::vector<std::string> Table::lines_of(const std::vector<std::string>& cells) const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (std::find(starts_.begin(), starts_.end(), i) != starts_.end()) lines.emplace_back();
        std::string& line = lines.back();
        if (cells[i].empty()) continue;
        const int start = edges_.at(i) - columns_of(cells[i]);
        line = padded(line, std::max(start, columns_of(line) + (line.empty() ? 0 : 1))) + cells[i];
    }
    return lines;
}

std::vector<std::string> Table::heading() const {
    // A heading that is wider than its column gets two lines.
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    int before = label_width_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (std::find(starts_.begin(), starts_.end(), i) != starts_.end()) before = label_width_;
        parts.push_back(broken(columns_[i], columns_of(columns_[i].text) >= edges_[i] - before));
        before = edges_[i];
        height = std::max(height, parts.back().size());
    }
    std::vector<std::vector<std::string>> levels;  // lines of the heading, from top to bottom
    for (std::size_t level = height; level-- > 0;) {
        std::vector<std::string> cells;
        for (const auto& part : parts)
            cells.push_back(level < part.size() ? part[part.size() - 1 - level] : "");
        levels.push_back(lines_of(cells));
    }
    std::vector<std::string> lines = wrapped(label_.text, above_ ? width_ : label_width_, 0);
    if (above_) {
        for (std::size_t line = 0; line < starts_.size(); ++line) {
            for (const auto& level : levels)
                if (!level.at(line).empty()) lines.push_back(level[line]);
        }
        return lines;
    }
    // The last line of the label is at the height of the last line of the columns' headings.
    while (lines.size() < height) lines.insert(lines.begin(), "");
    for (std::size_t level = 0; level < height; ++level) {
        std::string& line = lines[lines.size() - height + level];
        const std::string& names = levels[level].at(0);
        if (!names.empty())
            line = padded(line, label_width_) + names.substr(static_cast<std::size_t>(label_width_));
    }
    return lines;
}

std::vector<std::string> Table::row(const std::string& label, const std::vector<std::string>& cells) const {
    const std::vector<std::string> numbers = lines_of(cells);
    if (!above_) {
        std::vector<std::string> lines = wrapped(label, label_width_);
        // If the first number is wider than its column, it starts further to the left.
        const std::size_t blanks = std::min(numbers.at(0).find_first_not_of(' '), numbers[0].size());
        const std::string first = padded(lines[0], static_cast<int>(blanks)) + numbers[0].substr(blanks);
        if (fit(lines, label_width_) && fit({first}, width_) &&
            static_cast<int>(blanks) > columns_of(lines[0])) {
            lines[0] = first;
            return lines;
        }
    }
    std::vector<std::string> lines = wrapped(label, width_);
    if (fit(numbers, width_)) {
        lines.insert(lines.end(), numbers.begin(), numbers.end());
        return lines;
    }
    std::string words(indent, ' ');
    for (const std::string& cell : cells) words += "  " + cell;
    for (std::string& line : wrapped(words, width_, 2 * indent)) lines.push_back(std::move(line));
    return lines;
}

int Table::room() const {
    return is_one_line() ? width_ - (edges_.empty() ? label_width_ : edges_.back()) : 0;
}

}  // namespace kit::demo
