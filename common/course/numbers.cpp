#include "numbers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "commands.hpp"
#include "excerpt.hpp"
#include "expression.hpp"
#include "markdown.hpp"
#include "tables.hpp"

namespace course {

namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c));
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_name(const std::string& text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

/// The number, with its sign and commas, that ends here; empty if there is none. "v2" and "H200" are none.
Range number_before(const std::string& text, std::size_t end) {
    const auto before = [&](std::size_t i) { return i > 0 ? text[i - 1] : ' '; };
    std::size_t begin = end;
    while (is_digit(before(begin)) || before(begin) == '.' || before(begin) == ',') --begin;
    while (begin < end && !is_digit(text[begin])) ++begin;
    if (begin == end || is_word(before(begin)) || !is_digit(before(end))) return {end, end};
    if (before(begin) == '-' && !is_word(before(begin - 1)) && before(begin - 1) != '-') --begin;
    return {begin, end};
}

/// One lecture or deck.
class PageCheck {
  public:
    PageCheck(const fs::path& root, const fs::path& file, Records& records, Tables& tables,
              NumbersReport& report)
        : root_(root),
          file_(file),
          page_(read_text(root / file)),
          records_(records),
          tables_(tables),
          report_(report) {}

    void run(bool write) {
        for (const Comment& comment : page_.comments()) {
            if (begins_with(content_of(comment), "numbers\n")) read_block(comment);
        }
        const Comment* before = nullptr;
        for (const Comment& comment : page_.comments()) {
            const std::string content = content_of(comment);
            const bool open = before && before->name == "table", close = content == "/table";
            if (begins_with(content, "=") || begins_with(content, "?")) check_number(comment);
            if (comment.name == "output" && contains(content, ":")) check_output(comment);
            if (open && close) check_table(*before, comment);
            if (open && !close) complain(*before, "this table does not end: <!-- /table -->");
            if (close && !open) complain(comment, "no <!-- table: NAME --> stands above");
            before = &comment;
        }
        if (before && before->name == "table") complain(*before, "this table does not end: <!-- /table -->");
        for (const auto& [name, definition] : definitions_) {
            if (!definition.used) complain(definition.at, name + " is not used: <!--=" + name + "-->");
        }
        ++report_.pages;
        if (write) return write_edits();
        for (const Edit& edit : edits_) report_.complaints.push_back(edit.complaint);
    }

  private:
    struct Definition {
        std::string expression;
        std::size_t at = 0;
        bool used = false;
    };
    struct Edit {
        Range range;
        std::string text, complaint;
    };

    std::string content_of(const Comment& comment) const {
        return trimmed(
            page_.text().substr(comment.range.begin + 4, comment.range.end - comment.range.begin - 7));
    }

    std::string place(std::size_t at) const {
        return file_.string() + ":" + std::to_string(page_.line(at)) + ": ";
    }
    void complain(std::size_t at, const std::string& what) { report_.complaints.push_back(place(at) + what); }
    void complain(const Comment& comment, const std::string& what) { complain(comment.range.begin, what); }

    /// The text of this range should be another one, which `what` explains.
    void replace(Range range, const std::string& wanted, const std::string& what) {
        const std::string found = page_.text().substr(range.begin, range.end - range.begin);
        if (found == wanted) return;
        std::size_t same = 0;
        while (same < found.size() && same < wanted.size() && found[same] == wanted[same]) ++same;
        const std::size_t line = same == 0 ? 0 : wanted.rfind('\n', same - 1) + 1,
                          begin = std::max(line, same - std::min<std::size_t>(same, 20)),
                          end = std::min({wanted.find('\n', same), begin + 60, wanted.size()});
        const std::string should =
            same == wanted.size() ? "should end" : "should be \"" + wanted.substr(begin, end - begin) + "\"";
        edits_.push_back({range, wanted, place(range.begin + same) + what + " " + should});
    }

    /// A line that begins with blanks goes on with the line before.
    void read_block(const Comment& comment) {
        std::size_t at = comment.range.begin, begin = 0;
        std::string whole;
        for (const std::string& line :
             lines_of(page_.text().substr(at, comment.range.end - 3 - at) + "\nend")) {
            if (begins_with(line, " ")) {
                whole += " " + trimmed(line);
            } else {
                if (begin != 0 && !whole.empty()) read_line(begin, whole);
                begin = at == comment.range.begin ? 0 : at;
                whole = trimmed(line);
            }
            at += line.size() + 1;
        }
    }

    void read_line(std::size_t at, const std::string& line) {
        const std::size_t equals = line.find(" = ");
        const std::string name = line.substr(0, equals);
        if (begins_with(line, "holds ")) {
            ++report_.conditions;
            const std::string complaint = complaint_of(trimmed(line.substr(6)), records_);
            if (!complaint.empty()) complain(at, complaint);
        } else if (equals == std::string::npos || !is_name(name)) {
            complain(at, line + ": a line is NAME = EXPRESSION or holds DEVICE: CONDITION");
        } else if (!definitions_.insert({name, {line.substr(equals + 3), at, false}}).second) {
            complain(at, "there are two " + name);
        }
    }

    void check_number(const Comment& comment) {
        const std::string text =
            page_.text().substr(comment.range.begin, comment.range.end - comment.range.begin);
        const std::string name = text.substr(5, text.size() - 8);
        if (!begins_with(text, "<!--=") || !is_name(name))
            return complain(comment,
                            text + ": a reference is <!--=NAME-->, and conditions stand in the block");
        const Range range = number_before(page_.text(), comment.range.begin);
        if (range.begin == range.end) return complain(comment, "no number stands directly before " + text);
        const auto found = definitions_.find(name);
        if (found == definitions_.end())
            return complain(comment,
                            "no line " + name + " = ... stands in the block <!-- numbers at the end");
        ++report_.numbers;
        const std::string number = page_.text().substr(range.begin, range.end - range.begin),
                          &expression = found->second.expression;
        found->second.used = true;
        try {
            const double value = evaluate(
                expression, [this](const std::string& reference) { return records_.value(reference); });
            const std::string wanted = written(value, form_of(number));
            if (number == wanted) return;
            edits_.push_back(
                {range, wanted,
                 place(range.begin) + number + " should be " + wanted + " (" + expression + ")"});
        } catch (const Error& error) {
            complain(found->second.at, name + ": " + error.what());
        }
    }

    void check_table(const Comment& open, const Comment& close) try {
        ++report_.tables;
        const std::string table = tables_.table(open.value);
        if (!table.empty())
            replace({open.range.end, close.range.begin}, "\n\n" + table + "\n", "the table " + open.value);
    } catch (const Error& error) {
        complain(open, error.what());
    }

    /// A deck shows an output without repeating its lines. What a lecture names lies beside it.
    void check_output(const Comment& comment) try {
        const bool deck = begins_with(file_.string(), "slides");
        ++report_.outputs;
        const std::string wanted =
            text_of(excerpt_of(comment.value).lines(deck ? root_ : (root_ / file_).parent_path()));
        if (comment.has_code)
            replace(comment.code, wanted, "the output");
        else if (!deck)
            complain(comment, "no code block directly below");
    } catch (const Error& error) {
        complain(comment, error.what());
    }

    void write_edits() {
        std::string text = page_.text();
        std::sort(edits_.begin(), edits_.end(),
                  [](const Edit& a, const Edit& b) { return a.range.begin > b.range.begin; });
        for (const Edit& edit : edits_)
            text.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.text);
        if (!edits_.empty() && write_text(root_ / file_, text))
            report_.written.push_back(file_.string() + ": " + std::to_string(edits_.size()) +
                                      " places written");
    }

    const fs::path &root_, file_;
    const Markdown page_;
    Records& records_;
    Tables& tables_;
    NumbersReport& report_;
    std::map<std::string, Definition> definitions_;
    std::vector<Edit> edits_;
};

}  // namespace

NumbersReport check_numbers(const fs::path& root, bool write) {
    NumbersReport report;
    std::map<std::string, std::vector<fs::path>> topics;  // and their pages
    for (const char* folder : {"lectures", "slides"}) {
        if (!fs::is_directory(root / folder)) continue;
        for (const auto& entry : fs::directory_iterator(root / folder)) {
            const fs::path name = entry.path().filename();
            if (!is_digit(name.string()[0])) continue;
            if (fs::is_regular_file(entry.path() / "README.md"))
                topics[name.string()].push_back(fs::path(folder) / name / "README.md");
            if (name.extension() == ".md") topics[name.stem().string()].push_back(fs::path(folder) / name);
        }
    }
    for (const auto& [topic, pages] : topics) {
        const fs::path results = fs::path("lectures") / topic / "results", templates = results / "tables.md";
        Records records(root / results);
        Tables tables(root / templates, templates.string(), records);
        for (const fs::path& page : pages) PageCheck(root, page, records, tables, report).run(write);
        for (const std::string& complaint : tables.complaints()) report.complaints.push_back(complaint);
    }
    if (topics.empty()) report.complaints.push_back("no lecture, so nothing would be checked");
    return report;
}

int command_numbers(const Course& course, const Arguments& arguments) {
    const bool write = arguments == Arguments{"--write"};
    if (!arguments.empty() && !write) return 2;
    const NumbersReport report = check_numbers(course.root, write);
    for (const std::string& line : report.written) std::printf("%s\n", line.c_str());
    for (const std::string& complaint : report.complaints) std::printf("%s\n", complaint.c_str());
    std::printf("%d pages: %d numbers, %d tables, %d outputs, %d conditions of sentences; %zu complaints\n",
                report.pages, report.numbers, report.tables, report.outputs, report.conditions,
                report.complaints.size());
    if (!report.complaints.empty() && !write)
        std::printf("What follows from records is written by: cmake --build --preset solutions -t numbers\n");
    return report.complaints.empty() ? 0 : 1;
}

}  // namespace course
