// Makes a starter from a solution: the marked regions become gaps, everything else stays as it is.
//
//     // TODO(1): Sum the tile with a tree. About 4 lines.
//     // BEGIN SOLUTION 1
//     for (...) ...
//     // STARTER KIT_TODO(1, tile);     optional: the lines that stand in for the region; without any,
//     KIT_TODO(1);
//     // END SOLUTION 1
//
// A region numbered 0 is removed without a gap. Every other number has a TODO comment, and the numbers are 1,
// 2, 3...
#pragma once

#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

/// What is wrong with a solution's markers, with its line.
struct MarkerError : std::runtime_error {
    MarkerError(int line, const std::string& what)
        : std::runtime_error(std::to_string(line) + ": error: " + what) {}
};

/// If the line is indentation followed by `prefix`, the indentation's length; otherwise npos.
inline std::size_t after_indent(const std::string& line, const std::string& prefix) {
    const std::size_t indent = line.find_first_not_of(" \t");
    return indent != std::string::npos && line.compare(indent, prefix.size(), prefix) == 0
               ? indent
               : std::string::npos;
}

/// The number at the end of a marker line; throws unless digits are all that follows.
inline int marker_number(const std::string& line, std::size_t from, int line_number) {
    const std::string digits = line.substr(from);
    if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos) {
        throw MarkerError(line_number, "expected a number, and nothing else, after the marker");
    }
    return std::stoi(digits);
}

/// The starter for a solution's text. Throws MarkerError.
inline std::string make_starter(const std::string& solution) {
    const std::string begin = "// BEGIN SOLUTION ", end = "// END SOLUTION ", starter = "// STARTER ";
    std::istringstream in(solution);
    std::vector<std::string> out, replacement;
    std::set<int> gaps;
    int open = -1, number = 0;  // the region that we are in, and the line
    bool closed_up = false;     // a region was just removed: its blank line goes too
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (const std::size_t at = after_indent(line, begin); at != std::string::npos) {
            if (open >= 0) throw MarkerError(number, "a region begins inside another");
            open = marker_number(line, at + begin.size(), number);
            replacement.clear();
        } else if (const std::size_t at = after_indent(line, end); at != std::string::npos) {
            const int closes = marker_number(line, at + end.size(), number);
            if (open < 0) throw MarkerError(number, "a region ends that did not begin");
            if (closes != open) {
                throw MarkerError(number,
                                  "region " + std::to_string(open) + " ends as " + std::to_string(closes));
            }
            if (open > 0) {
                gaps.insert(open);
                if (replacement.empty()) {
                    replacement.push_back(line.substr(0, at) + "KIT_TODO(" + std::to_string(open) + ");");
                }
            }
            out.insert(out.end(), replacement.begin(), replacement.end());
            closed_up = replacement.empty();
            open = -1;
        } else if (const std::size_t at = after_indent(line, starter); at != std::string::npos) {
            if (open < 0) throw MarkerError(number, "a STARTER line outside a region");
            replacement.push_back(line.substr(0, at) + line.substr(at + starter.size()));
        } else if (open < 0) {
            if (closed_up && line.empty() && (out.empty() || out.back().empty())) continue;
            closed_up = false;
            out.push_back(line);
        }
    }
    if (open >= 0) throw MarkerError(number, "region " + std::to_string(open) + " does not end");
    if (gaps.empty()) throw MarkerError(number, "no region: an exercise needs a gap");
    std::string text;
    for (const std::string& line : out) text += line + '\n';
    int expected = 0;
    for (const int gap : gaps) {
        const std::string name = "TODO(" + std::to_string(gap) + ")";
        if (gap != ++expected)
            throw MarkerError(number,
                              "the regions are not numbered 1, 2, 3...: no " + std::to_string(expected));
        if (text.find("// " + name + ":") == std::string::npos) {
            throw MarkerError(
                number, "region " + std::to_string(gap) + " has no comment \"" + name + ": what to do\"");
        }
        if (text.find("KIT_" + name.substr(0, name.size() - 1)) == std::string::npos) {
            throw MarkerError(number,
                              "the starter would have no KIT_" + name + " for region " + std::to_string(gap));
        }
    }
    return text;
}

}  // namespace course
