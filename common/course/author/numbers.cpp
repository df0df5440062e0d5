#include "numbers.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "author_commands.hpp"
#include "expression.hpp"
#include "quotes.hpp"
#include "rules.hpp"

namespace course {

namespace {

/// Returns the cells of a table's row, which are the texts before, between and after the bars.
Lines parts_of(const std::string& line) {
    Lines parts(1);
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '|' && (at == 0 || line[at - 1] != '\\'))
            parts.emplace_back();
        else
            parts.back() += line[at];
    }
    return parts;
}

/// Returns what is wrong with a condition such as "h200: ladder:v1:us > ladder:v2:us"; empty if the condition
/// is true.
std::string complaint_of(const std::string& condition, Records& records) try {
    const std::size_t colon = condition.find(": ");
    if (colon == std::string::npos)
        return condition + ": a condition names its device: h200: ladder:v1:us < 9";
    const std::string device = condition.substr(0, colon);
    const Lookup lookup = [&](const std::string& reference) { return records.value(reference, device); };
    return holds(condition.substr(colon + 2), lookup) ? "" : "no longer holds: " + condition;
} catch (const Error& error) {
    return condition + ": " + error.what();
}

/// The tables of a topic. The templates of these tables are the sections "## NAME" of
/// lectures/TOPIC/results/tables.md. A cell can contain {EXPRESSION FORM}, which becomes a number, and a
/// condition, {? DEVICE: CONDITION}, which must be true and is not shown.
class Tables {
  public:
    /// Reads the templates. The file may be missing.
    Tables(const fs::path& root, const fs::path& file, Records& records) : file_(file), records_(records) {
        Template* open = nullptr;
        for (const std::string& line : lines_of(read_text_if_there(root / file))) {
            ++line_;
            if (begins_with(line, "## ")) open = &templates_[trimmed(line.substr(3))];
            if (!begins_with(line, "|")) continue;
            if (!open) {
                complain("a table needs a name: ## NAME");
                continue;
            }
            if (open->lines.empty()) open->first = line_;
            if (open->first + static_cast<int>(open->lines.size()) != line_)
                complain("a second table of one name");
            open->lines.push_back(line);
        }
    }

    /// Returns the table for a page; empty if it has mistakes. Throws Error if there is no template with this
    /// name.
    std::string table(const std::string& name) {
        const auto found = templates_.find(name);
        if (found == templates_.end()) throw Error("results/tables.md has no table ## " + name);
        Template& made_from = found->second;
        made_from.used = true;
        line_ = made_from.first;
        std::string text;
        bool made = true;
        for (const std::string& line : made_from.lines) {
            try {
                text += row(line, parts_of(made_from.lines[0])) + "\n";
            } catch (const Error& error) {
                complain(error.what());
                made = false;
            }
            ++line_;
        }
        return made ? text : "";
    }

    /// Returns the complaints about the templates that pages request, and about templates that no page
    /// requests.
    Complaints complaints() {
        for (const auto& [name, unused] : templates_) {
            line_ = unused.first;
            if (!unused.used) complain("no page shows this table: <!-- table: " + name + " -->");
        }
        return complaints_;
    }

  private:
    struct Template {
        int first = 0;  ///< line of the template in the file
        Lines lines;
        bool used = false;
    };

    /// Adds a complaint once. The same mistake can appear in the tables of two pages, or of two devices.
    void complain(const std::string& what) {
        const std::string complaint = file_.string() + ":" + std::to_string(line_) + ": " + what;
        if (std::count(complaints_.begin(), complaints_.end(), complaint) == 0)
            complaints_.push_back(complaint);
    }

    /// Returns the row with its numbers. If the heading of a column contains DEVICE, the column is for the
    /// GPU that pages quote by default.
    std::string row(const std::string& line, const Lines& heading) {
        const Lines parts = parts_of(line);
        if (parts.size() != heading.size()) throw Error("this row has not as many cells as the first");
        const std::string device = records_.shown_gpu();
        Lines cells;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!contains(heading[i], "DEVICE"))
                cells.push_back(filled(parts[i], main_device));
            else if (!device.empty())
                cells.push_back(replaced(filled(parts[i], device), "DEVICE", records_.shown_name(device)));
        }
        return joined(cells, "|");
    }

    std::string filled(std::string text, const std::string& device) {
        const Lookup lookup = [&](const std::string& reference) { return records_.value(reference, device); };
        std::string result;
        for (Lines parts; !(parts = match(text, "^([^{`]*)(`[^`]*`|[{]([^}]*)[}])")).empty();
             text.erase(0, parts[0].size())) {
            result += parts[1];
            std::string content = parts[3];
            if (parts[2][0] == '`') {
                result += parts[2];
            } else if (begins_with(content, "?")) {
                result.erase(result.find_last_not_of(' ') + 1);
                const std::string complaint = complaint_of(trimmed(content.substr(1)), records_);
                if (!complaint.empty()) complain(complaint);
            } else {
                NumberForm form;
                const std::size_t blank = std::min(content.rfind(' '), content.size());
                if (read_form(trimmed(content.substr(blank)), form)) content.erase(blank);
                try {
                    result += written(evaluate(content, lookup), form);
                } catch (const NotMeasured&) {
                    throw;
                } catch (const Error& error) {
                    throw Error(content + ": " + error.what());
                }
            }
        }
        const std::size_t open = text.find_first_of("{`");
        if (open != std::string::npos) throw Error(text.substr(open) + ": does not end");
        return result + text;
    }

    fs::path file_;  // relative to the root
    int line_ = 0;   // the line that is being read
    Records& records_;
    std::map<std::string, Template> templates_;
    Complaints complaints_;
};

/// Returns the number, with sign and commas, that ends at this position; empty if there is none. "v2" and
/// "H200" are not numbers.
Range number_before(const std::string& text, std::size_t end) {
    const auto before = [&](std::size_t i) { return i > 0 ? static_cast<unsigned char>(text[i - 1]) : ' '; };
    const auto is_word = [](int c) { return std::isalnum(c) || c == '_'; };
    std::size_t begin = end;
    while (std::isdigit(before(begin)) || before(begin) == '.' || before(begin) == ',') --begin;
    while (begin < end && !std::isdigit(text[begin])) ++begin;
    if (begin == end || is_word(before(begin)) || !std::isdigit(before(end))) return {end, end};
    if (before(begin) == '-' && !is_word(before(begin - 1)) && before(begin - 1) != '-') --begin;
    return {begin, end};
}

/// Checks the numbers of one lecture or one deck.
class PageCheck : public Revision {
  public:
    PageCheck(const fs::path& root, const fs::path& path, Records& records, Tables& tables,
              NumbersReport& report)
        : Revision(root, path), root_(root), records_(records), tables_(tables), report_(report) {
        for (const Comment& comment : page.comments()) {
            if (begins_with(comment.name, "numbers\n")) read_block(comment);
        }
        const std::vector<Comment>& all = page.comments();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string& name = all[i].name;
            if (name[0] == '=' || name[0] == '?') check_number(all[i].range);
            if (name == "output" && !all[i].value.empty()) check_output(all[i]);
            if (name == "table" && i + 1 < all.size() && all[i + 1].name == "/table")
                check_table(all[i], all[i + 1]);
            else if (name == "table")
                complain(all[i].range.begin, "this table does not end: <!-- /table -->");
            if (name == "/table" && (i == 0 || all[i - 1].name != "table"))
                complain(all[i].range.begin, "there is no <!-- table: NAME --> above");
        }
        for (const auto& [name, definition] : definitions_) {
            if (!definition.used) complain(definition.at, name + " is not used: <!--=" + name + "-->");
        }
    }

  private:
    struct Definition {
        std::string expression;
        std::size_t at = 0;
        bool used = false;
    };

    std::string text_in(Range range) const {
        return page.text().substr(range.begin, range.end - range.begin);
    }

    /// Reads a block of statements about numbers. A line that begins with blanks continues the previous line.
    void read_block(const Comment& comment) {
        std::vector<std::pair<std::size_t, std::string>> statements;
        std::size_t at = comment.range.begin;
        for (const std::string& line : lines_of(text_in({at, comment.range.end - 3}))) {
            if (begins_with(line, " "))
                statements.back().second += " " + trimmed(line);
            else
                statements.push_back({at, trimmed(line)});
            at += line.size() + 1;
        }
        statements.erase(statements.begin());  // the first statement is "<!-- numbers"
        for (const auto& [begin, statement] : statements) {
            if (!statement.empty()) read_statement(begin, statement);
        }
    }

    void read_statement(std::size_t at, const std::string& statement) {
        const Lines definition = match(statement, "^([a-z0-9_]+) = (.*)$");
        if (begins_with(statement, "holds ")) {
            ++report_.conditions;
            const std::string complaint = complaint_of(trimmed(statement.substr(6)), records_);
            if (!complaint.empty()) complain(at, complaint);
        } else if (definition.empty()) {
            complain(at, statement + ": a line is NAME = EXPRESSION or holds DEVICE: CONDITION");
        } else if (!definitions_.insert({definition[1], {definition[2], at, false}}).second) {
            complain(at, "there are two " + definition[1]);
        }
    }

    void check_number(Range comment) {
        const std::string text = text_in(comment);
        const Lines reference = match(text, "^<!--=([a-z0-9_]+)-->$");
        if (reference.empty())
            return complain(comment.begin,
                            text + ": a reference is <!--=NAME-->, and conditions belong in the block");
        const Range range = number_before(page.text(), comment.begin);
        if (range.begin == range.end)
            return complain(comment.begin, "there is no number directly before " + text);
        const auto found = definitions_.find(reference[1]);
        if (found == definitions_.end())
            return complain(comment.begin,
                            "the block <!-- numbers at the end has no line " + reference[1] + " = ...");
        auto& [name, definition] = *found;
        ++report_.numbers;
        definition.used = true;
        try {
            const std::string number = text_in(range);
            const Lookup lookup = [this](const std::string& field) { return records_.value(field); };
            const std::string wanted = written(evaluate(definition.expression, lookup), form_of(number));
            if (number != wanted)
                edits.push_back({range, wanted,
                                 place(range.begin) + number + " should be " + wanted + " (" +
                                     definition.expression + ")"});
        } catch (const Error& error) {
            complain(definition.at, name + ": " + error.what());
        }
    }

    void check_table(const Comment& open, const Comment& close) try {
        ++report_.tables;
        const std::string table = tables_.table(open.value);
        if (!table.empty())
            expect({open.range.end, close.range.begin}, "\n\n" + table + "\n", "the table " + open.value);
    } catch (const Error& error) {
        complain(open.range.begin, error.what());
    }

    /// Checks a comment about output. A deck shows output without repeating its lines. A file that a lecture
    /// names is in the lecture's folder.
    void check_output(const Comment& comment) try {
        const bool deck = begins_with(file.string(), "slides");
        ++report_.outputs;
        const std::string wanted = text_of(excerpt(deck ? root_ : root_ / file.parent_path(), comment.value));
        if (comment.has_code)
            expect(comment.code, wanted, "the output");
        else if (!deck)
            complain(comment.range.begin, "no code block directly below");
    } catch (const Error& error) {
        complain(comment.range.begin, error.what());
    }

    const fs::path& root_;
    Records& records_;
    Tables& tables_;
    NumbersReport& report_;
    std::map<std::string, Definition> definitions_;
};

}  // namespace

NumbersReport check_numbers(const fs::path& root, bool write) {
    NumbersReport report;
    std::map<std::string, std::vector<fs::path>> topics;  // pages of each topic
    for (const char* folder : {"lectures", "slides"}) {
        if (!fs::is_directory(root / folder)) continue;
        for (const auto& entry : fs::directory_iterator(root / folder)) {
            const fs::path name = entry.path().filename();
            if (!std::isdigit(name.string()[0])) continue;
            for (const fs::path& page : pages_in(entry.path()))
                topics[name.string()].push_back(page.lexically_relative(root));
            if (name.extension() == ".md") topics[name.stem().string()].push_back(fs::path(folder) / name);
        }
    }
    const auto add = [&](const std::string& complaint) { report.complaints.push_back(complaint); };
    for (const auto& [topic, pages] : topics) {
        const fs::path results = fs::path("lectures") / topic / "results";
        Records records(root / results);
        Tables tables(root, results / "tables.md", records);
        for (const fs::path& path : pages) {
            const PageCheck check(root, path, records, tables, report);
            ++report.pages;
            for (const std::string& complaint : check.complaints) add(complaint);
            for (const Revision::Edit& edit : check.edits) {
                if (!write) add(edit.complaint);
            }
            if (write && write_text(root / path, check.text()))
                report.written.push_back(path.string() + ": " + std::to_string(check.edits.size()) +
                                         " places written");
        }
        for (const std::string& complaint : tables.complaints()) add(complaint);
    }
    if (topics.empty()) add("no lecture, so nothing would be checked");
    return report;
}

void check_numbers(const Course& course, Complainer& complain) {
    for (const std::string& complaint : check_numbers(course.root, false).complaints)
        complain(complaint, "; what follows from records, cmake --build --preset solutions -t pages writes");
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
