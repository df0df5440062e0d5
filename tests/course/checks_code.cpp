// Code that a lecture or the page of a diagnosis shows is never typed twice: it is a region of a file that is compiled and tested.
//
//     <!-- code: solutions/07_reduction/tree.cu kernel -->        the lines between // [kernel] and // [/kernel]
//     ```cpp
//     ...
//     ```
#include <algorithm>

#include "checks.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
    return first == std::string::npos ? "" : line.substr(first, last - first + 1);
}

bool begins(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

/// The lines of a region, without what is there for the starter: TODO comments and the markers.
/// Marks of regions inside are left out too. False if the file has no such region.
bool read_region(const fs::path& file, const std::string& name, std::vector<std::string>& region) {
    bool inside = false, found = false, in_todo = false;
    for (const std::string& line : lines_of(read_text(file))) {
        const std::string text = trimmed(line);
        if (text == "// [" + name + "]") {
            inside = true;
        } else if (text == "// [/" + name + "]") {
            found = inside;
            break;
        } else if (inside) {
            in_todo = begins(text, "// TODO(") || (in_todo && begins(text, "//"));
            const bool hidden = in_todo || begins(text, "// BEGIN SOLUTION") ||
                                begins(text, "// END SOLUTION") || begins(text, "// STARTER") ||
                                begins(text, "// [");
            if (begins(text, "// BEGIN SOLUTION")) in_todo = false;
            if (!hidden) region.push_back(line);
        }
    }
    return found;
}

/// Removes the indentation that all lines share, and empty lines at both ends.
void dedent(std::vector<std::string>& lines) {
    while (!lines.empty() && trimmed(lines.front()).empty()) lines.erase(lines.begin());
    while (!lines.empty() && trimmed(lines.back()).empty()) lines.pop_back();
    std::size_t shared = std::string::npos;
    for (const std::string& line : lines) shared = std::min(shared, line.find_first_not_of(' '));
    for (std::string& line : lines) line = line.size() < shared ? "" : line.substr(shared);
}

struct Block {
    int line = 0;
    std::string file, region;  ///< empty without a code comment directly above
    std::vector<std::string> lines;
};

std::vector<Block> blocks_of(const std::string& text) {
    std::vector<Block> blocks;
    std::string above;
    bool inside = false;
    int number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        const std::string content = trimmed(line);
        if (inside) {
            inside = !begins(content, "```");
            if (inside) blocks.back().lines.push_back(line);
        } else if (begins(content, "```cpp")) {
            inside = true;
            blocks.push_back({number, "", "", {}});
            const std::string start = "<!-- code: ", end = " -->";
            const std::size_t space = above.rfind(' ', above.size() - end.size() - 1);
            if (begins(above, start) && above.size() > start.size() + end.size() && space >= start.size()) {
                blocks.back().file = above.substr(start.size(), space - start.size());
                blocks.back().region = above.substr(space + 1, above.size() - end.size() - space - 1);
            }
        }
        above = content;
    }
    return blocks;
}

}  // namespace

Complaints check_code(const Course& course) {
    Complaints complaints;
    std::vector<std::string> pages = diagnosis_pages(course);
    for (const std::string& topic : course.topics()) pages.push_back("lectures/" + topic + "/README.md");
    for (const std::string& page : pages) {
        for (Block& block : blocks_of(read_text(course.root / page))) {
            const std::string shown = page + ":" + std::to_string(block.line) + ": ";
            std::vector<std::string> region;
            if (block.file.empty()) {
                complaints.push_back(shown + "code without a line <!-- code: FILE REGION --> above it");
            } else if (!read_region(course.root / block.file, block.region, region)) {
                complaints.push_back(shown + block.file + " has no region // [" + block.region +
                                     "] ... // [/" + block.region + "]");
            } else {
                dedent(region);
                dedent(block.lines);
                std::size_t line = 0;
                while (line < region.size() && line < block.lines.size() && region[line] == block.lines[line])
                    ++line;
                if (line == region.size() && line == block.lines.size()) continue;
                complaints.push_back(shown + "is not what " + block.file + " has as " + block.region +
                                     ", from \"" + (line < region.size() ? region[line] : "(its end)") +
                                     "\" on");
            }
        }
    }
    return complaints;
}

}  // namespace course
