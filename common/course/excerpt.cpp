#include "excerpt.hpp"

#include <algorithm>

namespace course {

Excerpt excerpt_of(const std::string& asked) {
    const std::size_t space = std::min(asked.find(' '), asked.size());
    Excerpt excerpt{asked.substr(0, space), 0, 0, ""};
    const std::string which = trimmed(std::string_view(asked).substr(space));
    if (which.size() > 2 && which.front() == '"' && which.find('"', 1) == which.size() - 1) {
        excerpt.words = which.substr(1, which.size() - 2);
    } else if (!which.empty()) {
        const std::size_t dash = std::min(which.find('-'), which.size());
        excerpt.first = number_of(which.substr(0, dash));
        excerpt.last = dash < which.size() ? number_of(which.substr(dash + 1)) : -1;
    }
    if (excerpt.file.empty() || excerpt.first < 0 || excerpt.last < 0) {
        throw Error(
            "which lines are these? <!-- output: results/h200.txt 3-20 -->, or, for the paragraph with "
            "these words, <!-- output: results/h200.txt \"words\" -->");
    }
    return excerpt;
}

std::vector<std::string> Excerpt::lines(const fs::path& folder) const {
    const std::vector<std::string> all = lines_of(read_text_if_there(folder / file));
    if (all.empty()) throw Error("the output " + file + " does not exist or is empty");
    auto from = all.begin(), to = all.end();
    if (!words.empty()) {
        const auto empty = [](const std::string& line) { return trimmed(line).empty(); };
        const auto found =
            std::find_if(from, to, [&](const std::string& line) { return contains(line, words); });
        if (found == to) throw Error("the output " + file + " has no \"" + words + "\"");
        from = std::find_if(std::make_reverse_iterator(found), all.rend(), empty).base();
        to = std::find_if(found, to, empty);
    } else if (first != 0 || last != 0) {
        const int count = static_cast<int>(all.size());
        if (first < 1 || first > last || last > count) {
            throw Error("the output " + file + " has " + std::to_string(count) + " lines, not " +
                        std::to_string(first) + "-" + std::to_string(last));
        }
        to = from + last;
        from += first - 1;
    }
    return {from, to};
}

}  // namespace course
