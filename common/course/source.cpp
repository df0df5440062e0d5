#include "source.hpp"

#include <cctype>

namespace course {

namespace {

constexpr char begin_mark[] = "// BEGIN SOLUTION ", end_mark[] = "// END SOLUTION ",
               starter_mark[] = "// STARTER ", todo_mark[] = "// TODO(", gap_mark[] = "KIT_TODO(";

/// If the line is indentation followed by `mark`: the indentation's length, otherwise npos.
std::size_t indent_before(const std::string& line, const std::string& mark) {
    const std::size_t indent = line.find_first_not_of(" \t");
    return indent != std::string::npos && line.compare(indent, mark.size(), mark) == 0 ? indent
                                                                                       : std::string::npos;
}

bool is(const std::string& line, const char* mark) {
    return indent_before(line, mark) != std::string::npos;
}

/// The number in "MARK3)" or "MARK3,"; -1 if the mark is not there or no number follows.
int number_after(const std::string& line, const char* mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) return -1;
    const std::size_t from = at + std::string(mark).size();
    return number_of(line.substr(from, line.find_first_of("),", from) - from));
}

std::string named(int number) {
    return "TODO(" + std::to_string(number) + ")";
}

}  // namespace

Source::Source(const fs::path& path) : Source(path, read_text(path)) {}

Source::Source(fs::path path, const std::string& text) : path_(std::move(path)), lines_(lines_of(text)) {}

void Source::complain(std::size_t line, const std::string& what) const {
    throw Error(path_.string() + ":" + std::to_string(line) + ": error: " + what);
}

std::string Source::starter() const {
    std::vector<std::string> out, replacement;
    std::set<int> removed;
    int open = -1;           // the solution that we are in
    bool closed_up = false;  // a solution was just removed without a gap: its blank line goes too
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const std::string& line = lines_[i];
        const auto number = [&](std::size_t indent, const std::string& mark) {
            const int found = number_of(line.substr(indent + mark.size()));
            if (found < 0 || found > 999)
                complain(i + 1, "expected a number, and nothing else, after the marker");
            return found;
        };
        if (const std::size_t at = indent_before(line, begin_mark); at != std::string::npos) {
            if (open >= 0) complain(i + 1, "a region begins inside another");
            open = number(at, begin_mark);
            replacement.clear();
        } else if (const std::size_t at = indent_before(line, end_mark); at != std::string::npos) {
            const int closes = number(at, end_mark);
            if (open < 0) complain(i + 1, "a region ends that did not begin");
            if (closes != open)
                complain(i + 1, "region " + std::to_string(open) + " ends as " + std::to_string(closes));
            if (open > 0) {
                removed.insert(open);
                if (replacement.empty())
                    replacement.push_back(line.substr(0, at) + gap_mark + std::to_string(open) + ");");
            }
            out.insert(out.end(), replacement.begin(), replacement.end());
            closed_up = replacement.empty();
            open = -1;
        } else if (const std::size_t at = indent_before(line, starter_mark); at != std::string::npos) {
            if (open < 0) complain(i + 1, "a STARTER line outside a region");
            replacement.push_back(line.substr(0, at) + line.substr(at + std::string(starter_mark).size()));
        } else if (open < 0) {
            if (closed_up && line.empty() && (out.empty() || out.back().empty())) continue;
            closed_up = false;
            out.push_back(line);
        }
    }
    if (open >= 0) complain(lines_.size(), "region " + std::to_string(open) + " does not end");
    if (removed.empty()) complain(lines_.size(), "no region: an exercise needs a gap");
    const Source starter(path_, text_of(out));
    const std::set<int> todos = starter.todos(), gaps = starter.gaps();
    int expected = 0;
    for (const int number : removed) {
        if (number != ++expected)
            complain(lines_.size(),
                     "the regions are not numbered 1, 2, 3...: no " + std::to_string(expected));
        if (!todos.count(number))
            complain(lines_.size(), "region " + std::to_string(number) + " has no comment \"" +
                                        named(number) + ": what to do\"");
        if (!gaps.count(number))
            complain(lines_.size(), "the starter would have no KIT_" +
                                        named(number).substr(0, named(number).size() - 1) + " for region " +
                                        std::to_string(number));
    }
    return text_of(out);
}

std::vector<std::string> Source::region(const std::string& name) const {
    std::vector<std::string> region;
    bool inside = false, in_todo = false;
    for (const std::string& line : lines_) {
        const std::string text = trimmed(line);
        if (text == "// [" + name + "]") {
            inside = true;
        } else if (text == "// [/" + name + "]") {
            if (!inside) break;
            dedent(region);
            return region;
        } else if (inside) {
            in_todo = begins_with(text, todo_mark) || (in_todo && begins_with(text, "//"));
            const bool mark =
                is(line, begin_mark) || is(line, end_mark) || is(line, starter_mark) || is(line, "// [");
            if (!in_todo && !mark) region.push_back(line);
            if (is(line, begin_mark)) in_todo = false;
        }
    }
    std::vector<std::string> others;
    for (const std::string& line : lines_) {
        const std::string text = trimmed(line);
        if (begins_with(text, "// [") && ends_with(text, "]") && text[4] != '/')
            others.push_back(text.substr(4, text.size() - 5));
    }
    throw Error(path_.string() + ": no region // [" + name + "] ... // [/" + name +
                "]; it has: " + (others.empty() ? "none" : joined(others, ", ")));
}

std::pair<int, int> Source::region_lines(const std::string& name) const {
    int first = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const std::string text = trimmed(lines_[i]);
        if (text == "// [" + name + "]") first = static_cast<int>(i) + 2;
        if (text == "// [/" + name + "]" && first > 0) return {first, static_cast<int>(i)};
    }
    throw Error(path_.string() + ": no region // [" + name + "] ... // [/" + name + "]");
}

std::set<int> Source::todos() const {
    std::set<int> numbers;
    for (const std::string& line : lines_) {
        if (is(line, todo_mark) && number_after(line, todo_mark) >= 0)
            numbers.insert(number_after(line, todo_mark));
    }
    return numbers;
}

std::set<int> Source::gaps() const {
    std::set<int> numbers;
    for (const std::string& line : lines_) {
        if (contains(line.substr(0, line.find(gap_mark)), "//")) continue;  // commented out, or about gaps
        if (number_after(line, gap_mark) > 0) numbers.insert(number_after(line, gap_mark));
    }
    return numbers;
}

std::vector<std::string> Source::header() const {
    std::size_t end = 0;
    while (end < lines_.size() && begins_with(lines_[end], "//")) ++end;
    return {lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace course
