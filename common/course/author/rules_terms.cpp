// The rule about terms: a lecture introduces each term once, in bold, and the glossary names the section.
#include <algorithm>
#include <map>

#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

const fs::path glossary = "lectures/glossary.md";

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// Returns the names in a cell of the glossary, such as "bank conflict, wavefront" or "tile (chunk)".
Lines names_in(const std::string& cell) {
    Lines names;
    std::string name;
    for (const char c : cell + ",") {
        if (std::string(",;()").find(c) == std::string::npos) {
            name += c;
        } else {
            if (!trimmed(name).empty()) names.push_back(lower(trimmed(name)));
            name.clear();
        }
    }
    return names;
}

/// Returns whether the two are forms of the same word, as sector and sectors, diverge and divergence, child
/// and children are.
bool same_word(const std::string& a, const std::string& b) {
    const std::size_t least = std::min(a.size(), b.size());
    std::size_t same = 0;
    while (same < least && a[same] == b[same]) ++same;
    return a == b || (same >= 4 && same + 4 >= least);
}

/// Returns whether words in bold can introduce a term. Words at the start of an item or sentence, and
/// numbers, are labels instead.
bool may_be_term(const Bold& bold) {
    return !bold.first && !match(bold.plain, "^[a-z][a-z' -]*$").empty() && words_of(bold.plain).size() <= 3;
}

/// A term of the glossary, and the sections that introduce it, as page and anchor.
struct Term {
    Lines names;
    int line = 0;
    std::vector<std::pair<fs::path, std::string>> places;
};

/// Returns the rows of the glossary's tables, which have the form | term | in one sentence | introduced in |.
std::vector<Term> terms_of(const Markdown& page) {
    std::vector<Term> terms;
    const std::vector<Block>& blocks = page.blocks();
    bool in_table = false;
    for (std::size_t i = 0; i + 2 < blocks.size(); i += in_table ? 3 : 1) {
        if (blocks[i].kind != Block::text) in_table = false;
        const bool begins = blocks[i].plain == "term" && blocks[i + 2].plain == "introduced in";
        if (begins || !in_table) {
            in_table = begins;
            continue;
        }
        Term term{names_in(blocks[i].plain), page.line(blocks[i].range.begin), {}};
        for (const Link& link : page.links()) {
            if (link.at < blocks[i + 2].range.begin || link.at >= blocks[i + 2].range.end) continue;
            const std::size_t hash = std::min(link.target.find('#'), link.target.size());
            term.places.push_back({(glossary.parent_path() / link.target.substr(0, hash)).lexically_normal(),
                                   link.target.substr(hash)});
        }
        terms.push_back(term);
    }
    return terms;
}

/// Returns whether the section with this anchor (or the page, if it is empty) has one of these names in bold.
bool introduces(const Markdown& page, const std::string& anchor, const Lines& names) {
    std::string here;
    std::size_t from = 0, to = page.text().size();
    bool found = anchor.empty();
    for (const Block& block : page.blocks()) {
        if (block.kind != Block::heading || anchor.empty()) continue;
        if (found) {
            to = block.range.begin;
            break;
        }
        found = "#" + anchor_of(block.plain) == anchor;
        from = block.range.begin;
    }
    const auto is_it = [&](const Bold& bold) {
        return from <= bold.at && bold.at < to &&
               std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                   const std::string words = lower(bold.plain);
                   return same_word(words, name) || contains(words, name);
               });
    };
    return found && std::any_of(page.bold().begin(), page.bold().end(), is_it);
}

}  // namespace

void check_glossary(const Course& course, Complainer& complain) {
    const Markdown page(read_text_if_there(course.root / glossary));
    const std::vector<Term> terms = terms_of(page);
    if (terms.empty()) complain(glossary, ": no table | term | in one sentence | introduced in |");
    std::map<std::string, int> lines;  // line of each name
    for (const Term& term : terms) {
        const std::string where = sentence(glossary, ":", term.line, ": ");
        for (const std::string& name : term.names) {
            if (const auto [first, is_new] = lines.emplace(name, term.line); !is_new)
                complain(where, "\"", name, "\" is in line ", first->second, ", too");
        }
        const auto has_it = [&](const auto& place) {
            return introduces(Markdown(read_text_if_there(course.root / place.first)), place.second,
                              term.names);
        };
        if (std::none_of(term.places.begin(), term.places.end(), has_it))
            complain(where, "\"", term.names[0], "\" is not in bold where the link leads");
    }
    std::map<std::string, std::string> introduced;  // place where each term is introduced
    for (const std::string& topic : course.topics()) {
        for (const fs::path& path : course.lecture_pages(topic)) {
            const Markdown lecture(read_text(course.root / path));
            for (const Bold& bold : lecture.bold()) {
                if (!may_be_term(bold)) continue;
                const std::string where = sentence(path, ":", lecture.line(bold.at));
                const auto is_it = [&](const auto& name) { return same_word(name.first, bold.plain); };
                if (std::none_of(lines.begin(), lines.end(), is_it))
                    complain(where, ": **", bold.plain, "** is not in ", glossary);
                const auto [first, is_new] = introduced.emplace(bold.plain, where);
                if (!is_new) complain(where, ": **", bold.plain, "** was introduced in ", first->second);
            }
        }
    }
}

}  // namespace course
