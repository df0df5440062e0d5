#include "difference.hpp"

#include <algorithm>

namespace course {

Lines difference(const Lines& a, const Lines& b) {
    // common[i][j]: the length of the longest common subsequence of a, starting at i, and b, starting at j.
    std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            common[i][j] =
                a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    Lines lines;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            lines.push_back(' ' + a[i++]);
            ++j;
        } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
            lines.push_back('-' + a[i++]);
        } else {
            lines.push_back('+' + b[j++]);
        }
    }
    return lines;
}

Lines changed_lines(const Lines& a, const Lines& b) {
    Lines changes;
    for (const std::string& line : difference(a, b)) {
        if (line[0] != ' ') changes.push_back(line);
    }
    return changes;
}

}  // namespace course
