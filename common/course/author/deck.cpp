#include "deck.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>

#include "author_commands.hpp"
#include "quotes.hpp"
#include "source.hpp"

namespace course {

namespace {

/// Returns the text without comments about numbers and lists. The line ends stay, so that lines keep their
/// numbers.
std::string without_numbers(const std::string& text) {
    const Markdown page(text);
    std::string kept;
    std::size_t at = 0;
    for (const Comment& comment : page.comments()) {
        if (match(comment.name, "^(given|/?(table|exercises))$|^[=?]|^numbers(\n|$)").empty()) continue;
        const Range& range = comment.range;
        kept += text.substr(at, range.begin - at) +
                std::string(page.line(range.end) - page.line(range.begin), '\n');
        at = range.end;
    }
    return kept + text.substr(at);
}

/// Returns the numbers in a list of ranges: 3, 4, 5, 8 for "3-5,8". Throws Error if the text has a different
/// form.
std::vector<int> numbers_in(const std::string& option, const std::string& ranges) {
    std::vector<int> numbers;
    for (std::string rest = ranges + ","; !rest.empty();) {
        const Lines range = match(rest, "^([0-9]+)(-([0-9]+))?,");
        const int first = range.empty() ? 0 : number_of(range[1]),
                  last = range.empty() || range[2].empty() ? first : number_of(range[3]);
        if (first < 1 || last < first || (!numbers.empty() && first <= numbers.back()))
            throw Error(option + ": line numbers are written 3-5 or 1,4-6, and ascend");
        for (int number = first; number <= last; ++number) numbers.push_back(number);
        rest.erase(0, range[0].size());
    }
    return numbers;
}

/// Returns the lines with these numbers. Where lines are omitted, inserts "// ...", indented like the next
/// line.
Lines picked(const Lines& lines, const std::vector<int>& numbers) {
    Lines kept;
    int next = numbers[0];
    for (const int number : numbers) {
        const std::string& line = lines[static_cast<std::size_t>(number - 1)];
        bool gap = false;
        for (; next < number; ++next)
            gap = gap || !trimmed(lines[static_cast<std::size_t>(next - 1)]).empty();
        if (gap) kept.push_back(line.substr(0, line.find_first_not_of(' ')) + "// ...");
        kept.push_back(line);
        next = number + 1;
    }
    dedent(kept);
    return kept;
}

std::string language_of(const std::string& file) {
    const std::string extension = fs::path(file).extension().string();
    if (!match(extension, "^[.](cuh?|[ch]pp|h)$").empty()) return "cpp";
    return extension == ".sh" ? "sh" : extension == ".cmake" || extension == ".txt" ? "cmake" : "text";
}

class DeckReader {
  public:
    DeckReader(const fs::path& root, const fs::path& file) : root_(root), file_(file) {
        deck_.files.push_back(file);
    }

    Deck read() {
        Lines lines = lines_of(read_text(root_ / file_));
        const std::size_t body = front_matter(lines);
        std::fill_n(lines.begin(), body, "");  // front matter is not part of Markdown
        const Markdown page(without_numbers(text_of(lines)));
        check_links(page);
        read_body(page, body);
        for (const std::string& deck : decks_)
            deck_.text = replaced(deck_.text, "](" + deck, "](" + fs::path(deck).stem().string() + ".html");
        for (const auto& [line, what] : complaints_)
            deck_.complaints.push_back(file_.string() + ":" + std::to_string(line) + ": " + what);
        return std::move(deck_);
    }

  private:
    void complain(int line, const std::string& what) { complaints_.insert({line, what}); }
    void put(const std::string& line) { deck_.text += line + "\n"; }

    /// Writes the front matter that all decks have. Returns the number of lines.
    std::size_t front_matter(const Lines& lines) {
        const auto is_rule = [](const std::string& line) { return trimmed(line) == "---"; };
        const bool begins = !lines.empty() && lines[0] == "---";
        const auto end = begins ? std::find_if(lines.begin() + 1, lines.end(), is_rule) : lines.end();
        if (end == lines.end()) {
            complain(1, "a deck begins with a front matter: ---, \"title: NN Topic\", ---");
            return 0;
        }
        const Lines title = match(lines[1], "^title:[ ]*([0-9][0-9] .+)$");
        if (end != lines.begin() + 2 || title.empty())
            complain(2, "the front matter is one line, \"title: NN Topic\"");
        const std::string shown = title.empty() ? "" : trimmed(title[1]);
        put("---\ntitle: " + shown + "\ntheme: course\nlang: en\npaginate: true\nfooter: " + shown + "\n---");
        return static_cast<std::size_t>(end - lines.begin()) + 1;
    }

    void read_body(const Markdown& page, std::size_t begin) {
        const Lines lines = lines_of(page.text());
        const std::set<int> code = code_lines(page, lines);
        std::map<int, const Comment*> comments;  // comments by their first line
        for (const Comment& comment : page.comments())
            comments.insert({page.line(comment.range.begin), &comment});
        for (int number = static_cast<int>(begin) + 1; number <= static_cast<int>(lines.size()); ++number) {
            const std::string& line = lines[static_cast<std::size_t>(number - 1)];
            const std::string content = trimmed(line);
            const auto comment = comments.find(number);
            if (code.count(number)) {
                put(line);
                continue;
            }
            check_paths(number, content);
            if (content == "---") {
                end_columns();
                predicted_ = predicted_ || in_prediction_;
                in_prediction_ = false;
            }
            if (begins_with(content, "<!--")) {
                if (comment == comments.end()) return complain(number, "a comment that is not closed: -->");
                const int first = number, last = page.line(comment->second->range.end);
                read_comment(first, *comment->second, {lines.begin() + first - 1, lines.begin() + last});
                for (; number < last; ++number)
                    check_paths(number + 1, lines[static_cast<std::size_t>(number)]);
            } else if (contains(content, "![")) {
                read_figure(number, content);
            } else {
                put(line);
            }
        }
        end_columns();
    }

    /// Returns the numbers of all lines in blocks of code, including their fences.
    std::set<int> code_lines(const Markdown& page, const Lines& lines) {
        std::set<int> numbers;
        for (const Block& block : page.blocks()) {
            if (block.kind != Block::code) continue;
            const int first = page.line(block.range.begin) - 1, last = page.line(block.range.end);
            if (words_of(block.info) != Lines{"sh"})
                complain(first,
                         "code and output are never typed on slides: <!-- code: FILE REGION --> or "
                         "<!-- output: ... -->");
            const bool closed = last <= static_cast<int>(lines.size()) &&
                                begins_with(trimmed(lines[static_cast<std::size_t>(last - 1)]), "```");
            if (!closed) complain(first, "a block of code that is not closed: ```");
            for (int number = first; number <= last; ++number) numbers.insert(number);
        }
        return numbers;
    }

    void read_comment(int number, const Comment& comment, const Lines& lines) {
        const std::string name = comment.name.substr(0, comment.name.find(':'));
        if (name == "code" || name == "output") {
            try {
                name == "code" ? put_code(comment.value) : put_output(comment.value);
            } catch (const Error& error) {
                complain(number, error.what());
            }
        } else if (name == "column") {
            put(in_column_ ? "\n</div><div class=\"column\">\n"
                           : "\n<div class=\"columns\"><div class=\"column\">\n");
            in_column_ = true;
        } else if (name == "columns end") {
            end_columns();
        } else {
            // Notes come at the end of a slide, so they close its columns. Settings such as _class do not.
            if (name == "_class") in_prediction_ = contains(comment.value, "predict");
            const bool setting = lines.size() == 1 && !comment.value.empty() &&
                                 std::isupper(static_cast<unsigned char>(comment.name[0])) == 0;
            if (!setting) end_columns();
            put_note(lines);
        }
    }

    /// Writes a note. Each paragraph and each "Say: ..." becomes one line, which the presenter's window
    /// wraps.
    void put_note(const Lines& lines) {
        std::string note = trimmed(lines[0]);
        bool fresh = false;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            const std::string content = trimmed(lines[i]);
            const bool labelled = !match(content, "^[A-Z][A-Za-z0-9_ ]{1,24}: ").empty();
            note += (content.empty() || labelled || fresh ? "\n" : " ") + content;
            fresh = content.empty();
        }
        put(note);
    }

    void put_block(const std::string& info, Lines lines) {
        for (std::string& line : lines) line.erase(line.find_last_not_of(" \t") + 1);
        dedent(lines);
        deck_.text += "```" + info + "\n" + text_of(lines) + "```\n";
    }

    void put_code(const std::string& asked) {
        const Lines words = words_of(asked);
        if (match(on_one_line(asked), "^[^ ]+ +[^ =]+( +gap)?( +(lines|mark)=[^ ]*)*$").empty())
            throw Error("is not \"code: FILE REGION [gap] [lines=A-B] [mark=A-B]\": " + asked);
        const std::string &file = words[0], &name = words[1];
        if (!fs::is_regular_file(root_ / file)) throw Error("there is no file " + file);
        deck_.files.push_back(file);
        const Source source(file, read_text(root_ / file));
        const bool gap = words.size() > 2 && words[2] == "gap";
        Lines lines = gap ? source.gap(name, false) : source.region(name);
        std::string info = language_of(file);
        for (std::size_t i = gap ? 3 : 2; i < words.size(); ++i) {
            const std::size_t equals = words[i].find('=');
            const std::vector<int> numbers = numbers_in(words[i], words[i].substr(equals + 1));
            if (numbers.back() > static_cast<int>(lines.size()))
                throw Error(words[i] + ": " + file + " " + name + " has " + std::to_string(lines.size()) +
                            " lines");
            if (words[i][0] == 'l') {
                lines = picked(lines, numbers);
            } else {
                for (const int number : numbers)
                    info += (number == numbers[0] ? " mark=" : ",") + std::to_string(number);
            }
        }
        put_block(info, lines);
        if (!predicted_ && gives_away(source, lines))
            throw Error(
                "this is what an exercise asks for: show it after the first slide of class predict, and here "
                "with its gap, \"" +
                file + " " + name + " gap\"");
    }

    /// Returns whether the starter lacks one of these lines of the source.
    static bool gives_away(const Source& source, const Lines& lines) {
        std::set<std::string> removed, given;
        for (const int number : source.removed())
            removed.insert(trimmed(source.lines()[static_cast<std::size_t>(number) - 1]));
        if (removed.empty()) return false;
        for (const std::string& line : lines_of(source.starter())) given.insert(trimmed(line));
        return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
            return removed.count(trimmed(line)) > 0 && given.count(trimmed(line)) == 0;
        });
    }

    void put_output(const std::string& asked) {
        const Lines lines = excerpt(root_, asked);
        deck_.files.push_back(words_of(asked)[0]);
        put_block("text", lines);
    }

    /// Reads an image, ![what it shows](FILE.svg "caption"). An image must be the only text on its line.
    void read_figure(int number, const std::string& content) {
        const Lines parts = match(content, "^!\\[([^]]*)\\][(]([^ )]+)( \"[^\"]+\")?[)]$");
        if (parts.empty())
            return complain(number,
                            "an image stands alone on its line: ![what it shows](FILE.svg \"caption\")");
        const fs::path file = (file_.parent_path() / parts[2]).lexically_normal();
        if (trimmed(parts[1]).empty()) return complain(number, parts[2] + " has no alternative text");
        if (file.extension() != ".svg") return complain(number, file.string() + ": figures are SVG");
        if (!fs::is_regular_file(root_ / file))
            return complain(number, "there is no figure " + file.string());
        deck_.files.push_back(file);
        put("\n![" + parts[1] + "](" + (root_ / file).string() + parts[3] + ")\n");
    }

    void check_links(const Markdown& page) {
        for (const Link& link : page.links()) {
            const std::string& target = link.target;
            if (link.image || !match(target, "^(https?:|#)").empty()) continue;
            if (match(target, "^[0-9][0-9][^/]*[.]md$").empty())
                complain(
                    page.line(link.at),
                    target + ": link to another deck (08_scan.md) or to the web, or write a path as code");
            else if (!fs::is_regular_file(root_ / file_.parent_path() / target))
                complain(page.line(link.at), "there is no deck " + target);
            decks_.insert(target);
        }
    }

    /// Requires that each path in a `code span` exists in the repository. TOPIC in a path stands for any
    /// topic.
    void check_paths(int number, const std::string& line) {
        static const std::string path =
            "^(common|exercises|lectures|slides|solutions|tests)/[A-Za-z0-9_./-]*$";
        std::string rest = line;
        for (Lines span; !(span = match(rest, "^[^`]*`([^`]*)`")).empty(); rest.erase(0, span[0].size())) {
            if (!match(span[1], path).empty() && !contains(span[1], "TOPIC") && !fs::exists(root_ / span[1]))
                complain(number, "there is no " + span[1]);
        }
    }

    void end_columns() {
        if (in_column_) put("\n</div></div>\n");
        in_column_ = false;
    }

    fs::path root_, file_;
    Deck deck_;
    std::set<std::string> decks_;                 // decks to which this deck has links
    std::multimap<int, std::string> complaints_;  // complaints by line
    bool in_column_ = false, in_prediction_ = false;
    bool predicted_ = false;  // whether an earlier slide has the class predict
};

}  // namespace

Deck read_deck(const fs::path& root, const fs::path& file) {
    return DeckReader(root, file).read();
}

int command_deck(const Course& course, const Arguments& arguments) {
    if (arguments.size() < 2 || arguments.size() > 3) return 2;
    const fs::path file = course.shown(arguments[0]);
    const Deck deck = read_deck(course.root, file);
    const Lines complaints = complaints_about_deck(course.root, file, deck);
    for (const std::string& complaint : complaints) std::fprintf(stderr, "%s\n", complaint.c_str());
    if (!complaints.empty()) return 1;
    fs::remove(
        arguments[1]);  // also replaces numbers in the value, because figures that the value names can have
                        // changed
    write_text(arguments[1], deck.text);
    if (arguments.size() == 3) {
        std::string depends = arguments[1] + ":";
        for (const fs::path& file : deck.files)
            depends += " " + replaced((course.root / file).string(), " ", "\\ ");
        write_text(arguments[2], depends + "\n");
    }
    return 0;
}

}  // namespace course
