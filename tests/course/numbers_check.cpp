// The rule about numbers in lectures and slides, and the tool that writes them anew.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "numbers.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// A lecture or a deck of slides.
struct Source {
    fs::path file;
    fs::path results;  ///< where its references lead
    fs::path base;     ///< what the names of outputs are relative to
    bool is_deck = false;
};

std::vector<Source> sources_of(const fs::path& root) {
    std::vector<Source> sources;
    if (fs::is_directory(root / "lectures")) {
        for (const auto& entry : fs::directory_iterator(root / "lectures")) {
            const fs::path file = entry.path() / "README.md";
            if (fs::is_regular_file(file))
                sources.push_back({file, entry.path() / "results", entry.path(), false});
        }
    }
    if (fs::is_directory(root / "slides")) {
        for (const auto& entry : fs::directory_iterator(root / "slides")) {
            const std::string name = entry.path().filename().string();
            if (entry.path().extension() == ".md" && std::isdigit(static_cast<unsigned char>(name[0])))
                sources.push_back(
                    {entry.path(), root / "lectures" / entry.path().stem() / "results", root, true});
        }
    }
    std::sort(sources.begin(), sources.end(),
              [](const Source& a, const Source& b) { return a.file < b.file; });
    return sources;
}

/// The first lines without an empty one between that contain the words. Throws ExpressionError.
std::string paragraph_with(const Output& output, const std::vector<std::string>& lines) {
    std::string paragraph;
    for (const std::string& line : lines) {
        if (!line.empty()) {
            paragraph += line + "\n";
        } else if (paragraph.find(output.words) == std::string::npos) {
            paragraph.clear();
        } else {
            break;
        }
    }
    if (paragraph.find(output.words) == std::string::npos)
        throw ExpressionError("the output " + output.file + " has no \"" + output.words + "\"");
    return paragraph;
}

/// The text that belongs into the block of an output. Throws ExpressionError.
std::string wanted_output(const Source& source, const Output& output) {
    const std::string text = read_text(source.base / output.file);
    if (text.empty()) throw ExpressionError("the output " + output.file + " does not exist or is empty");
    const std::vector<std::string> lines = lines_of(text);
    if (!output.words.empty()) return paragraph_with(output, lines);
    const int last = output.last == 0 ? static_cast<int>(lines.size()) : output.last;
    if (output.first < 1 || output.first > last || last > static_cast<int>(lines.size()))
        throw ExpressionError("the output " + output.file + " has " + std::to_string(lines.size()) +
                              " lines, not " + std::to_string(output.first) + "-" + std::to_string(last));
    std::string wanted;
    for (int i = output.first - 1; i < last; ++i) wanted += lines[static_cast<std::size_t>(i)] + "\n";
    return wanted;
}

class PageCheck {
  public:
    PageCheck(const fs::path& root, const Source& source, NumbersReport& report)
        : source_(source),
          shown_(fs::relative(source.file, root).string()),
          records_(source.results),
          report_(report) {}

    void run() {
        page_ = read_page(read_text(source_.file));
        PageCount count;
        count.page = shown_;
        count.conditions = static_cast<int>(page_.conditions.size());
        count.outputs = static_cast<int>(page_.outputs.size());
        for (const Problem& problem : page_.problems) complain(problem.at, problem.what);
        for (const Number& number : page_.numbers) {
            if (!number.expression.empty()) {
                ++count.referenced;
                check_number(number);
            } else if (number.given) {
                ++count.given;
            } else if (!number.exempt) {
                ++count.bare;
                complain(number.begin, number.text + " " + number.unit +
                                           ": where is it from? <!--= table:row:field --> or <!--given-->");
            }
        }
        for (const Condition& condition : page_.conditions) check_condition(condition);
        for (const Output& output : page_.outputs) check_output(output);
        report_.pages.push_back(count);
    }

  private:
    void complain(std::size_t at, const std::string& what) {
        report_.complaints.push_back(shown_ + ":" + std::to_string(page_.line(at)) + ": " + what);
    }

    /// A record that is missing is told once a page.
    void complain(std::size_t at, const std::string& expression, const ExpressionError& error) {
        const std::string what = error.what();
        const bool about_file = what.rfind("results/", 0) == 0;
        if (about_file && !told_.insert(what).second) return;
        complain(at, about_file ? what : expression + ": " + what);
    }

    double value_of(const std::string& reference) { return records_.value(reference); }

    void check_number(const Number& number) {
        try {
            const double value =
                evaluate(number.expression, [this](const std::string& name) { return value_of(name); });
            if (!shows(number.text, value))
                complain(number.begin, number.text + " should be " + written_like(number.text, value) + " (" +
                                           number.expression + ")");
        } catch (const ExpressionError& error) {
            complain(number.begin, number.expression, error);
        }
    }

    void check_condition(const Condition& condition) {
        try {
            if (!holds(condition.text, [this](const std::string& name) { return value_of(name); }))
                complain(condition.at, "does not hold any more: " + condition.text);
        } catch (const ExpressionError& error) {
            complain(condition.at, condition.text, error);
        }
    }

    void check_output(const Output& output) {
        try {
            const std::string wanted = wanted_output(source_, output);
            if (!output.has_block) {
                if (!source_.is_deck) complain(output.at, "no code block directly below");
                return;
            }
            const std::vector<std::string> lines = lines_of(wanted),
                                           found = lines_of(
                                               page_.text.substr(output.begin, output.end - output.begin));
            std::size_t line = 0;
            while (line < lines.size() && line < found.size() && lines[line] == found[line]) ++line;
            if (line == lines.size() && line == found.size()) return;
            complain(output.begin, "not what " + output.file + " holds, from \"" +
                                       (line < lines.size() ? lines[line] : "(its end)") + "\" on");
        } catch (const ExpressionError& error) {
            complain(output.at, error.what());
        }
    }

    const Source& source_;
    const std::string shown_;
    Records records_;
    NumbersReport& report_;
    Page page_;
    std::set<std::string> told_;
};

struct Edit {
    std::size_t begin, end;
    std::string text;
};

/// What has to change in a page. What cannot be computed stays: the check will tell.
std::vector<Edit> edits_of(const Source& source, const Page& page, int& numbers, int& outputs) {
    Records records(source.results);
    std::vector<Edit> edits;
    for (const Number& number : page.numbers) {
        if (number.expression.empty()) continue;
        try {
            const double value =
                evaluate(number.expression, [&](const std::string& name) { return records.value(name); });
            if (shows(number.text, value)) continue;
            edits.push_back({number.begin, number.end, written_like(number.text, value)});
            ++numbers;
        } catch (const ExpressionError&) {
        }
    }
    for (const Output& output : page.outputs) {
        try {
            const std::string wanted = wanted_output(source, output);
            if (!output.has_block || page.text.substr(output.begin, output.end - output.begin) == wanted)
                continue;
            edits.push_back({output.begin, output.end, wanted});
            ++outputs;
        } catch (const ExpressionError&) {
        }
    }
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
    return edits;
}

}  // namespace

NumbersReport check_numbers(const fs::path& root) {
    NumbersReport report;
    for (const Source& source : sources_of(root)) PageCheck(root, source, report).run();
    if (report.pages.empty()) report.complaints.push_back("no lecture, so nothing would be checked");
    return report;
}

std::vector<std::string> write_numbers(const fs::path& root) {
    std::vector<std::string> changed;
    for (const Source& source : sources_of(root)) {
        const Page page = read_page(read_text(source.file));
        std::string text = page.text;
        int numbers = 0, outputs = 0;
        for (const Edit& edit : edits_of(source, page, numbers, outputs))
            text.replace(edit.begin, edit.end - edit.begin, edit.text);
        if (text == page.text) continue;
        std::ofstream out(source.file, std::ios::binary);
        const bool written = (out << text) && out.flush();
        changed.push_back(fs::relative(source.file, root).string() + ": " +
                          (written ? std::to_string(numbers) + " numbers and " + std::to_string(outputs) +
                                         " outputs written"
                                   : "cannot be written"));
    }
    return changed;
}

}  // namespace course
