#include "quotes.hpp"

#include <algorithm>
#include <cstdio>

#include "commands.hpp"

namespace course {

std::string Revision::place(std::size_t at) const {
    return file.string() + ":" + std::to_string(page.line(at)) + ": ";
}

std::string Revision::text() const {
    std::string text = page.text();
    std::vector<Edit> backwards = edits;
    std::sort(backwards.begin(), backwards.end(),
              [](const Edit& a, const Edit& b) { return a.range.begin > b.range.begin; });
    for (const Edit& edit : backwards)
        text.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.text);
    return text;
}

Lines excerpt(const fs::path& folder, const std::string& asked) {
    const Lines parts = match(asked, "^([^ ]+)( +(\"([^\"]+)\"|([0-9]+)-([0-9]+)))?$");
    if (parts.empty())
        throw Error(
            "which lines are these? <!-- output: results/h200.txt 3-20 -->, or, for the paragraph with "
            "these words, <!-- output: results/h200.txt \"words\" -->");
    const std::string the_output = "the output " + parts[1], &words = parts[4];
    const Lines all = lines_of(read_text_if_there(folder / parts[1]));
    if (all.empty()) throw Error(the_output + " does not exist or is empty");
    if (parts[2].empty()) return all;
    if (words.empty()) {
        const int first = number_of(parts[5]), last = number_of(parts[6]),
                  count = static_cast<int>(all.size());
        if (first < 1 || first > last || last > count)
            throw Error(the_output + " has " + std::to_string(count) + " lines, not " + parts[3]);
        return {all.begin() + first - 1, all.begin() + last};
    }
    const auto empty = [](const std::string& line) { return trimmed(line).empty(); };
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const std::string& line) { return contains(line, words); });
    if (found == all.end()) throw Error(the_output + " has no " + parts[3]);
    return {std::find_if(std::make_reverse_iterator(found), all.rend(), empty).base(),
            std::find_if(found, all.end(), empty)};
}

std::vector<fs::path> quoting_pages(const Course& course) {
    std::vector<fs::path> pages = course.diagnosis_pages();
    for (const std::string& topic : course.topics()) {
        const fs::path lecture = fs::path("lectures") / topic / "README.md";
        if (fs::is_regular_file(course.root / lecture)) pages.push_back(lecture);
    }
    return pages;
}

Revision quote(const Course& course, const fs::path& path) {
    Revision revision(course.root, path);
    const Markdown& page = revision.page;
    const std::string none =
        "\n```cpp\n```\n";                // a block without lines is none for Markdown, but authors begin so
    std::vector<std::size_t> quotations;  // where blocks begin that are written
    for (const Comment& comment : page.comments()) {
        if (comment.name != "code") continue;
        const Lines words = words_of(comment.value);
        const std::size_t behind = comment.range.end + none.size() - 4;
        const bool is_empty = page.text().compare(comment.range.end, none.size(), none) == 0;
        const Range range = is_empty ? Range{behind, behind} : comment.code;
        if (words.size() != 2 || !(is_empty || begins_with(comment.info, "cpp"))) {
            revision.complain(comment.range.begin,
                              "expected <!-- code: FILE REGION --> and a block ```cpp below it");
            continue;
        }
        quotations.push_back(range.begin);
        try {
            const Lines region = source_of(course, words[0]).region(words[1]),
                        shown = lines_of(page.text().substr(range.begin, range.end - range.begin));
            if (region == shown) continue;
            const std::size_t line = first_difference(region, shown);
            revision.edits.push_back({range, text_of(region),
                                      revision.place(range.begin - 1) + "is not what " + words[0] +
                                          " has as " + words[1] + ", from \"" +
                                          (line < region.size() ? region[line] : "(its end)") + "\" on"});
        } catch (const Error& error) {
            revision.complain(range.begin - 1, error.what());
        }
    }
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::code && begins_with(block.info, "cpp") &&
            std::count(quotations.begin(), quotations.end(), block.range.begin) == 0)
            revision.complain(block.range.begin - 1,
                              "code without a line <!-- code: FILE REGION --> above it");
    }
    return revision;
}

void check_code(const Course& course, Complainer& complain) {
    for (const fs::path& page : quoting_pages(course)) {
        const Revision revision = quote(course, page);
        for (const std::string& complaint : revision.complaints) complain(complaint);
        for (const Revision::Edit& edit : revision.edits)
            complain(edit.complaint, "; cmake --build --preset solutions -t pages writes it");
    }
}

int command_code(const Course& course, const Arguments& arguments) {
    const bool write = arguments == Arguments{"--write"};
    if (!arguments.empty() && !write) return 2;
    std::size_t complaints = 0, outdated = 0;
    for (const fs::path& page : quoting_pages(course)) {
        const Revision revision = quote(course, page);
        complaints += revision.complaints.size();
        outdated += revision.edits.size();
        for (const std::string& complaint : revision.complaints) std::printf("%s\n", complaint.c_str());
        for (const Revision::Edit& edit : revision.edits)
            std::printf("%s%s\n", edit.complaint.c_str(), write ? ": written" : "");
        if (write) write_text(course.root / page, revision.text());
    }
    if (outdated + complaints > 0 || !write)
        std::printf("code: %zu blocks %s, %zu complaints\n", outdated, write ? "written" : "outdated",
                    complaints);
    return complaints == 0 && (write || outdated == 0) ? 0 : 1;
}

}  // namespace course
