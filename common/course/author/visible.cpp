// The rule that pages do not show solutions: of the lines that a starter lacks, at most one in ten can be
// readable in the lecture or the tasks without unfolding anything, and at most two of three on the slides
// before the class does the exercises. Lines that were typed again also count, whatever their indentation
// and comments.
#include <algorithm>
#include <map>

#include "deck.hpp"
#include "markdown.hpp"
#include "quotes.hpp"

namespace course {

namespace {

constexpr std::size_t shortest = 6;  // a shorter line, such as "} else", does not reveal anything

/// Returns the code of a line without comment and white space; empty if it is too short to reveal anything.
std::string code_of(const std::string& line) {
    std::string code;
    for (const std::string& word : words_of(line.substr(0, line.find("//")))) code += word;
    return code.size() < shortest ? "" : code;
}

/// Returns the code that a page shows outside of folds, with the numbers of its lines.
std::map<std::string, int> open_code(const Markdown& page) {
    std::map<std::string, int> shown;
    int depth = 0;
    for (const Block& block : page.blocks()) {
        if (block.kind == Block::html) {
            for (const std::string& line : lines_of(block.plain))
                depth += contains(line, "<details") - contains(line, "</details>");
        } else if (block.kind == Block::code && depth == 0) {
            int number = page.line(block.range.begin);
            for (const std::string& line : lines_of(block.plain)) shown.emplace(code_of(line), number++);
        }
    }
    return shown;
}

/// Returns the code that a deck shows before its last slide of class `exercises`.
std::map<std::string, int> code_before_exercises(const Course& course, const std::string& topic) {
    if (!fs::is_regular_file(course.root / deck_of(topic))) return {};  // the rule "files" complains
    const std::string text = read_deck(course.root, deck_of(topic)).text;
    return open_code(Markdown(text.substr(0, text.rfind("<!-- _class: exercises"))));
}

}  // namespace

void check_visible(const Course& course, Complainer& complain) {
    for (const std::string& topic : course.topics()) {
        std::set<std::string> given = {""};  // code that a starter of the topic contains
        for (const Exercise* exercise : course.exercises_of(topic)) {
            for (const std::string& line : lines_of(source_of(course, exercise->solution()).starter()))
                given.insert(code_of(line));
        }
        std::map<std::string, std::string> places;  // for each line of code: where the pages of the topic
                                                    // show it
        std::vector<fs::path> pages = course.lecture_pages(topic);
        pages.push_back(fs::path("exercises") / topic / "README.md");
        for (const fs::path& path : pages) {
            const Markdown page(read_text_if_there(course.root / path));
            for (const auto& [code, line] : open_code(page)) places.emplace(code, sentence(path, ":", line));
        }
        const std::map<std::string, int> slides = code_before_exercises(course, topic);
        for (const Exercise* exercise : course.exercises_of(topic)) {
            const Source solution = source_of(course, exercise->solution());
            int all = 0, visible = 0, on_slides = 0;
            std::string first;
            for (const int number : solution.removed()) {
                const std::string code = code_of(solution.lines()[static_cast<std::size_t>(number) - 1]);
                if (given.count(code)) continue;
                ++all;
                on_slides += static_cast<int>(slides.count(code));
                const auto found = places.find(code);
                if (found == places.end()) continue;
                if (++visible == 1) first = found->second;
            }
            if (10 * visible > all)
                complain(first, ": the page shows ", visible, " of ", all, " lines of ", exercise->solution(),
                         " that its starter lacks; fold them, so that at most a tenth is visible");
            if (3 * on_slides > 2 * all)
                complain(deck_of(topic), ": the slides before the exercises show ", on_slides, " of ", all,
                         " lines of ", exercise->solution(),
                         " that its starter lacks; show at most two thirds, and gaps for the rest");
        }
    }
}

}  // namespace course
