#include "quotes.hpp"

#include <algorithm>
#include <cstdio>

#include "commands.hpp"
#include "markdown.hpp"

namespace course {

std::vector<fs::path> quoting_pages(const Course& course) {
    std::vector<fs::path> pages = course.diagnosis_pages();
    for (const std::string& topic : course.topics()) {
        const fs::path lecture = fs::path("lectures") / topic / "README.md";
        if (fs::is_regular_file(course.root / lecture)) pages.push_back(lecture);
    }
    return pages;
}

namespace {

/// The lines of the block below the comment. A block without lines is none for Markdown, but that is how an author begins.
bool find_block(const Markdown& page, const Comment& comment, Range& lines) {
    const std::string empty = "\n```cpp\n```\n";
    const std::size_t first = comment.range.end + empty.size() - 4;
    lines = comment.has_code ? comment.code : Range{first, first};
    return comment.has_code ? begins_with(comment.info, "cpp")
                            : page.text().compare(comment.range.end, empty.size(), empty) == 0;
}

}  // namespace

Quoted quote(const Course& course, const fs::path& path) {
    const Markdown page(read_text(course.root / path));
    Quoted quoted{page.text(), {}, {}};
    const auto where = [&](std::size_t at) {
        return path.string() + ":" + std::to_string(page.line(at)) + ": ";
    };
    std::vector<std::size_t> quotations;  // where blocks begin that are written
    for (auto comment = page.comments().rbegin(); comment != page.comments().rend(); ++comment) {
        if (comment->name != "code")
            continue;  // from the last to the first: places before a change stay true
        const std::vector<std::string> words = words_of(comment->value);
        Range lines;
        if (words.size() != 2 || !find_block(page, *comment, lines)) {
            quoted.complaints.push_back(where(comment->range.begin) +
                                        "expected <!-- code: FILE REGION --> and a block ```cpp below it");
            continue;
        }
        quotations.push_back(lines.begin);
        try {
            const std::vector<std::string> region = source_of(course, words[0]).region(words[1]);
            const std::vector<std::string> shown =
                lines_of(page.text().substr(lines.begin, lines.end - lines.begin));
            const std::size_t line = first_difference(region, shown);
            if (line == region.size() && line == shown.size()) continue;
            quoted.text.replace(lines.begin, lines.end - lines.begin, text_of(region));
            quoted.outdated.push_back(where(lines.begin - 1) + "is not what " + words[0] + " has as " +
                                      words[1] + ", from \"" +
                                      (line < region.size() ? region[line] : "(its end)") + "\" on");
        } catch (const Error& error) {
            quoted.complaints.push_back(where(lines.begin - 1) + error.what());
        }
    }
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::code && begins_with(block.info, "cpp") &&
            std::find(quotations.begin(), quotations.end(), block.range.begin) == quotations.end())
            quoted.complaints.push_back(where(block.range.begin - 1) +
                                        "code without a line <!-- code: FILE REGION --> above it");
    }
    std::reverse(quoted.outdated.begin(), quoted.outdated.end());
    return quoted;
}

void check_code(const Course& course, Complainer& complain) {
    for (const fs::path& page : quoting_pages(course)) {
        const Quoted quoted = quote(course, page);
        for (const std::string& complaint : quoted.complaints) complain(complaint);
        for (const std::string& outdated : quoted.outdated)
            complain(outdated, "; cmake --build --preset solutions -t pages writes it");
    }
}

int command_code(const Course& course, const Arguments& arguments) {
    const bool write = !arguments.empty();
    if (arguments.size() > 1 || (write && arguments[0] != "--write")) return 2;
    std::size_t complaints = 0, outdated = 0;
    for (const fs::path& page : quoting_pages(course)) {
        const Quoted quoted = quote(course, page);
        complaints += quoted.complaints.size();
        outdated += quoted.outdated.size();
        for (const std::string& complaint : quoted.complaints) std::printf("%s\n", complaint.c_str());
        for (const std::string& line : quoted.outdated)
            std::printf("%s%s\n", line.c_str(), write ? ": written" : "");
        if (write) write_text(course.root / page, quoted.text);
    }
    if (outdated + complaints > 0 || !write)
        std::printf("code: %zu blocks %s, %zu complaints\n", outdated, write ? "written" : "outdated",
                    complaints);
    return complaints == 0 && (write || outdated == 0) ? 0 : 1;
}

}  // namespace course
