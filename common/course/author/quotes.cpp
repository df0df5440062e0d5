#include "quotes.hpp"

#include <algorithm>
#include <cstdio>

#include "author_commands.hpp"
#include "rules.hpp"

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

void Revision::expect(Range range, const std::string& wanted, const std::string& what) {
    const std::string there = page.text().substr(range.begin, range.end - range.begin);
    if (there == wanted) return;
    const Lines found = lines_of(there), lines = lines_of(wanted);
    const std::size_t same = first_difference(found, lines);
    const Lines before(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(same));
    edits.push_back({range, wanted,
                     place(range.begin + text_of(before).size()) + what +
                         (same == lines.size() ? " should end" : " should be \"" + lines[same] + "\"")});
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
        for (const fs::path& page : course.lecture_pages(topic)) pages.push_back(page);
    }
    return pages;
}

namespace {

const std::string folded_begin = "\n<details><summary>After you have done the exercise</summary>\n\n",
                  folded_end = "\n</details>\n", fence = "```cpp\n", fence_end = "```\n";

}  // namespace

std::vector<Quotation> quotations_of(const Markdown& page) {
    std::vector<Quotation> found;
    const std::string& text = page.text();
    for (const Comment& comment : page.comments()) {
        if (comment.name != "code") continue;
        const Lines words = words_of(comment.value);
        Quotation quotation;
        if (words.size() == 2) quotation.file = words[0], quotation.region = words[1];
        quotation.comment = comment.range;
        std::size_t at = comment.range.end;
        const auto skip = [&](const std::string& begin, const std::string& end) {
            const bool is_there = text.compare(at, begin.size(), begin) == 0;
            const std::size_t last = is_there ? text.find("\n" + end, at + begin.size() - 1) : text.npos;
            if (last != text.npos) at = last + 1 + end.size();
            return last != text.npos;
        };
        skip("\n" + fence, fence_end);
        const std::size_t fold = at;
        if (skip(folded_begin + fence, fence_end + folded_end)) quotation.folded = fold + folded_begin.size();
        quotation.range = {comment.range.end, at};
        found.push_back(quotation);
    }
    return found;
}

std::string text_of_quotation(const Source& source, const std::string& region) {
    const auto [first, last] = source.region_lines(region);
    const std::string finished = fence + text_of(source.region(region)) + fence_end;
    const std::set<int> removed = source.removed();
    const auto some = removed.lower_bound(first);
    if (some == removed.end() || *some > last) return "\n" + finished;
    return "\n" + fence + text_of(source.gap(region)) + fence_end + folded_begin + finished + folded_end;
}

Revision quote(const Course& course, const fs::path& path) {
    Revision revision(course.root, path);
    const Markdown& page = revision.page;
    const std::vector<Quotation> quotations = quotations_of(page);
    for (const auto& [file, region, range, folded, comment] : quotations) {
        if (region.empty() || range.begin == range.end) {
            revision.complain(comment.begin,
                              "expected <!-- code: FILE REGION --> and a block ```cpp below it");
            continue;
        }
        try {
            const std::string wanted = text_of_quotation(source_of(course, file), region),
                              there = page.text().substr(range.begin, range.end - range.begin);
            const Lines lines = lines_of(wanted), shown = lines_of(there);
            if (lines == shown) continue;
            const std::size_t line = first_difference(lines, shown);
            revision.edits.push_back(
                {range, wanted,
                 sentence(revision.place(range.begin + 1), "is not what ", file, " has as ", region,
                          ", from \"", line < lines.size() ? lines[line] : "(its end)", "\" on")});
        } catch (const Error& error) {
            revision.complain(range.begin + 1, error.what());
        }
    }
    for (const Block& block : page.blocks()) {
        const auto has_it = [&](const Quotation& quotation) {
            return quotation.range.begin < block.range.begin && block.range.begin < quotation.range.end;
        };
        if (block.kind == Block::code && begins_with(block.info, "cpp") &&
            std::none_of(quotations.begin(), quotations.end(), has_it))
            revision.complain(block.range.begin - 1,
                              "code without a line <!-- code: FILE REGION --> above it");
    }
    return revision;
}

void check_revisions(const Course& course, const std::vector<fs::path>& pages, Revise* look,
                     Complainer& complain) {
    for (const fs::path& page : pages) {
        try {
            const Revision revision = look(course, page);
            for (const std::string& complaint : revision.complaints) complain(complaint);
            for (const Revision::Edit& edit : revision.edits)
                complain(edit.complaint, "; cmake --build --preset solutions -t pages writes it");
        } catch (const Error& error) {
            complain(error.what());
        }
    }
}

int revise(const Course& course, const Arguments& arguments, const std::vector<fs::path>& pages, Revise* look,
           const std::string& parts) {
    const bool write = arguments == Arguments{"--write"};
    if (!arguments.empty() && !write) return 2;
    std::size_t complaints = 0, outdated = 0;
    for (const fs::path& page : pages) {
        const Revision revision = look(course, page);
        complaints += revision.complaints.size();
        outdated += revision.edits.size();
        for (const std::string& complaint : revision.complaints) std::printf("%s\n", complaint.c_str());
        for (const Revision::Edit& edit : revision.edits)
            std::printf("%s%s\n", edit.complaint.c_str(), write ? ": written" : "");
        if (write) write_text(course.root / page, revision.text());
    }
    if (outdated + complaints > 0 || !write)
        std::printf("%zu %s %s, %zu complaints\n", outdated, parts.c_str(), write ? "written" : "outdated",
                    complaints);
    return complaints == 0 && (write || outdated == 0) ? 0 : 1;
}

void check_code(const Course& course, Complainer& complain) {
    check_revisions(course, quoting_pages(course), quote, complain);
}

int command_code(const Course& course, const Arguments& arguments) {
    return revise(course, arguments, quoting_pages(course), quote, "blocks of code");
}

}  // namespace course
