// The rule about the reading order: each page of a lecture states which pages it needs, and these exist and
// come before it in the instructor's guide.
#include <algorithm>
#include <climits>

#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

const fs::path guide = "lectures/instructors_guide.md";

/// A row in the guide's table, or a part of a row: "05, sections 1 to 7" or "the appendix of 05".
struct Reading {
    int step = 0;
    std::string number;  ///< number of the topic, such as "05"
    bool appendix = false;
    int first = 0, last = INT_MAX;  ///< first and last section
};

std::vector<Reading> order_of(const Markdown& page) {
    std::vector<Reading> order;
    const std::vector<Block>& blocks = page.blocks();
    bool in_table = false;
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
        if (blocks[i].kind == Block::heading) in_table = blocks[i].plain == "Reading order";
        const int step = number_of(blocks[i].plain);
        if (!in_table || step <= static_cast<int>(order.empty() ? 0 : order.back().step)) continue;
        std::string rest = blocks[i + 1].plain;
        for (Lines part;
             !(part = match(
                   rest, "^[; ]*(the appendix of )?([0-9][0-9])(, sections? ([0-9]+)( (to|and) ([0-9]+))?)?"))
                  .empty();
             rest.erase(0, part[0].size())) {
            Reading reading{step, part[2], !part[1].empty(), 0, INT_MAX};
            if (!part[4].empty()) reading.first = reading.last = number_of(part[4]);
            if (part.size() > 7 && !part[7].empty()) reading.last = number_of(part[7]);
            order.push_back(reading);
        }
    }
    return order;
}

/// Returns the step at which a section (or, for 0, the first section of a page) is read; 0 if it is never
/// read.
int step_of(const std::vector<Reading>& order, const fs::path& page, int section) {
    const std::string number = page.parent_path().filename().string().substr(0, 2);
    const bool appendix = page.filename() != "README.md";
    for (const Reading& reading : order) {
        if (reading.number == number && reading.appendix == appendix &&
            (section == 0 || (reading.first <= section && section <= reading.last)))
            return reading.step;
    }
    return 0;
}

bool has_anchor(const Markdown& page, const std::string& anchor) {
    return std::any_of(page.blocks().begin(), page.blocks().end(), [&](const Block& block) {
        return block.kind == Block::heading && anchor_of(block.plain) == anchor;
    });
}

/// Returns the section of the page that needs the linked one: 8 if "for section 8" precedes this position in
/// its sentence; 0 if there is none.
int section_that_needs(const std::string& text, std::size_t at) {
    const std::size_t end = text.rfind(". ", at);
    const std::string before = on_one_line(
        text.substr(end == std::string::npos ? 0 : end + 2, at - (end == std::string::npos ? 0 : end + 2)));
    const Lines found = match(before, "^(.*[ (])?([Ff]or section|Sections?) ([0-9]+)");
    return found.empty() ? 0 : number_of(found[3]);
}

void check_page(const Course& course, const std::vector<Reading>& order, const fs::path& path,
                Complainer& complain) {
    const Markdown page(read_text(course.root / path));
    const auto begins_it = [](const Block& block) {
        return block.kind == Block::text && begins_with(block.plain, "Prerequisites. ");
    };
    const auto paragraph = std::find_if(page.blocks().begin(), page.blocks().end(), begins_it);
    if (paragraph == page.blocks().end())
        return complain(path, ": no paragraph \"**Prerequisites.** ...\": what must one have read?");
    if (step_of(order, path, 0) == 0) complain(guide, ": the reading order lacks ", path);
    for (const Link& link : page.links()) {
        if (link.at < paragraph->range.begin || link.at >= paragraph->range.end ||
            leads_elsewhere(link.target))
            continue;
        const std::size_t hash = std::min(link.target.find('#'), link.target.size());
        const fs::path target = (path.parent_path() / link.target.substr(0, hash)).lexically_normal();
        const std::string where = sentence(path, ":", page.line(link.at), ": ");
        const std::string anchor = link.target.substr(std::min(hash + 1, link.target.size()));
        if (*target.begin() != "lectures") continue;
        if (!anchor.empty() && !has_anchor(Markdown(read_text_if_there(course.root / target)), anchor)) {
            complain(where, target, " has no heading #", anchor);
            continue;
        }
        const std::string number = anchor.substr(0, anchor.find_first_not_of("0123456789"));
        const std::string paragraph_text =
            page.text().substr(paragraph->range.begin, link.at - paragraph->range.begin);
        const int section = section_that_needs(paragraph_text, paragraph_text.size());
        const int needed = step_of(order, target, number.empty() ? 0 : number_of(number)),
                  now = step_of(order, path, section);
        if (needed == 0)
            complain(where, "needs ", link.target, ", which the reading order of ", guide, " lacks");
        else if (needed >= now)
            complain(where, "needs ", link.target, ", which is step ", needed, " of the reading order in ",
                     guide, ", and this is step ", now);
    }
}

}  // namespace

void check_reading(const Course& course, Complainer& complain) {
    const std::vector<Reading> order = order_of(Markdown(read_text_if_there(course.root / guide)));
    if (order.empty()) return complain(guide, ": no table below \"## Reading order\": | step | read | ...");
    for (const std::string& topic : course.topics()) {
        for (const fs::path& path : course.lecture_pages(topic)) check_page(course, order, path, complain);
    }
}

}  // namespace course
