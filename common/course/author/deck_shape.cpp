// Checks the shape of a deck: the number and the order of its slides, headlines and notes. Mistakes that are
// visible only on the screen, such as text outside of its slide, are found with a browser
// (common/docs/slides/check.mjs).
#include <algorithm>

#include "author_commands.hpp"
#include "deck.hpp"
#include "markdown.hpp"
#include "rules.hpp"

namespace course {

namespace {

constexpr std::size_t fewest_slides = 15, most_slides = 30;

struct Slide {
    std::string heading, note;
    std::set<std::string> classes;

    bool is(const std::string& kind) const { return classes.count(kind) > 0; }
};

/// Returns the positions of the "---" between slides, without those in code and comments.
std::vector<std::size_t> ends_of_slides(const Markdown& page) {
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    for (const std::string& line : lines_of(page.text())) {
        const auto holds = [&](const Range& range) { return range.begin <= at && at < range.end; };
        const auto in_code = [&](const Block& block) {
            return block.kind == Block::code && holds(block.range);
        };
        const auto in_comment = [&](const Comment& comment) { return holds(comment.range); };
        if (trimmed(line) == "---" && std::none_of(page.blocks().begin(), page.blocks().end(), in_code) &&
            std::none_of(page.comments().begin(), page.comments().end(), in_comment))
            ends.push_back(at);
        at += line.size() + 1;
    }
    ends.push_back(at);
    return ends;
}

/// Returns the slides of a deck in Marp's form, without its front matter.
std::vector<Slide> slides_of(const Markdown& page) {
    const std::vector<std::size_t> ends = ends_of_slides(page);
    std::vector<Slide> slides(ends.size());
    const auto slide_at = [&](std::size_t at) -> Slide& {
        return slides[static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), at) -
                                               ends.begin())];
    };
    for (const Block& block : page.blocks()) {
        if (block.kind != Block::heading || block.level > 2) continue;
        Slide& slide = slide_at(block.range.begin);
        if (slide.heading.empty()) slide.heading = block.plain;
    }
    for (const Comment& comment : page.comments()) {
        Slide& slide = slide_at(comment.range.begin);
        if (comment.name == "_class") {
            const Lines words = words_of(comment.value);
            slide.classes.insert(words.begin(), words.end());
        } else if (!begins_with(comment.name, "_")) {
            slide.note += "\n" + page.text().substr(comment.range.begin + 4,
                                                    comment.range.end - comment.range.begin - 7);
        }
    }
    return slides;
}

}  // namespace

Lines complaints_about_shape(const fs::path& root, const fs::path& file, const Deck& deck) {
    Lines complaints;
    const std::size_t front = deck.text.find("\n---\n", 3);
    const std::vector<Slide> slides =
        slides_of(Markdown(front == std::string::npos ? deck.text : deck.text.substr(front + 5)));
    const auto complain = [&](std::size_t slide, const std::string& what) {
        complaints.push_back(
            sentence(file, ", slide ", slide + 1, " \"", slides[slide].heading, "\": ", what));
    };
    const auto has = [&](const std::string& kind) {
        return std::any_of(slides.begin(), slides.end(), [&](const Slide& slide) { return slide.is(kind); });
    };
    if (slides.size() < fewest_slides || slides.size() > most_slides)
        complain(0, sentence("the deck has ", slides.size(), " slides, and must have ", fewest_slides, " to ",
                             most_slides));
    if (!slides[0].is("title")) complain(0, "the first slide must have the class title");
    Lines kinds = {"predict", "demo", "exercises"};
    const fs::path figures = root / "lectures" / file.stem() / "figures";
    if (fs::is_directory(figures)) {
        const auto is_chart = [](const fs::directory_entry& entry) {
            return begins_with(entry.path().filename().string(), "chart_");
        };
        if (std::any_of(fs::directory_iterator(figures), fs::directory_iterator(), is_chart))
            kinds.push_back("chart");
    }
    for (const std::string& kind : kinds) {
        if (!has(kind)) complain(0, "the deck has no slide of class " + kind);
    }
    for (std::size_t i = 0; i < slides.size(); ++i) {
        if (slides[i].heading.empty()) complain(i, "has no headline");
        if (slides[i].is("title")) continue;
        if (trimmed(slides[i].note).empty())
            complain(i, "has no notes: what to say, what students get wrong, how long it takes");
        else if (match(slides[i].note, "\n *Time: [0-9]+([.][0-9]+)? min").empty())
            complain(i, "its notes do not begin with \"Time: 3 min.\"");
        if (slides[i].is("demo") && (i == 0 || !slides[i - 1].is("predict")))
            complain(i, "a demo needs a slide of class predict directly before it");
    }
    return complaints;
}

Lines complaints_about_deck(const fs::path& root, const fs::path& file, const Deck& deck) {
    return deck.complaints.empty() ? complaints_about_shape(root, file, deck) : deck.complaints;
}

void check_decks(const Course& course, Complainer& complain) {
    // A topic without a deck is reported by the rule about files.
    for (const fs::path& path : pages_in(course.root / "slides")) {
        const fs::path file = path.lexically_relative(course.root);
        if (file.filename() == "README.md") continue;
        for (const std::string& complaint :
             complaints_about_deck(course.root, file, read_deck(course.root, file)))
            complain(complaint);
    }
}

}  // namespace course
