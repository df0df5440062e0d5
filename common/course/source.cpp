#include "source.hpp"

namespace course {

namespace {

constexpr char begin_mark[] = "// BEGIN SOLUTION", end_mark[] = "// END SOLUTION",
               starter_mark[] = "// STARTER ", todo_mark[] = "// TODO(", gap_mark[] = "KIT_TODO(";

/// Returns the number after a mark, as in "MARK3)" or "MARK3,"; -1 if the mark or the number is missing.
int number_after(const std::string& line, const std::string& mark) {
    const std::size_t at = line.find(mark), from = at + mark.size();
    return at == std::string::npos ? -1 : number_of(line.substr(from, line.find_first_of("),", from) - from));
}

bool is_mark(const std::string& text) {
    return begins_with(text, begin_mark) || begins_with(text, end_mark) || begins_with(text, starter_mark) ||
           begins_with(text, "// [");
}

}  // namespace

Source::Source(const fs::path& path) : Source(path, read_text(path)) {}

Source::Source(fs::path path, const std::string& text) : path_(std::move(path)), lines_(lines_of(text)) {}

std::vector<Source::Numbered> Source::starter_lines() const {
    std::vector<Numbered> out, replacement;
    int open = -1;           // number of the solution that contains the current line
    bool closed_up = false;  // whether a solution was just removed without a gap, so that the blank line
                             // after it is removed, too
    int line_number = 0;
    const auto complain = [&](const auto&... what) {
        throw Error(path_, ":", line_number, ": error: ", what...);
    };
    for (const std::string& line : lines_) {
        ++line_number;
        const std::string text = trimmed(line), indent = line.substr(0, line.find(text));
        const auto number_behind = [&](const std::string& mark) {
            const int number = number_of(trimmed(text.substr(mark.size())));
            if (number < 0) complain("expected a number, and nothing else, after the marker");
            return number;
        };
        if (begins_with(text, begin_mark)) {
            if (open >= 0) complain("a region begins inside another");
            open = number_behind(begin_mark);
            replacement.clear();
        } else if (begins_with(text, end_mark)) {
            const int closes = number_behind(end_mark);
            if (open < 0) complain("a region ends that did not begin");
            if (closes != open) complain("region ", open, " ends as ", closes);
            if (open > 0 && replacement.empty())
                replacement = {{line_number, sentence(indent, gap_mark, open, ");")}};
            out.insert(out.end(), replacement.begin(), replacement.end());
            closed_up = replacement.empty();
            open = -1;
        } else if (begins_with(text, starter_mark)) {
            if (open < 0) complain("a STARTER line outside a region");
            replacement.push_back({line_number, indent + text.substr(sizeof starter_mark - 1)});
        } else if (open < 0) {
            if (closed_up && line.empty() && (out.empty() || out.back().text.empty())) continue;
            closed_up = false;
            out.push_back({line_number, line});
        }
    }
    if (open >= 0) complain("region ", open, " does not end");
    return out;
}

std::string Source::starter() const {
    Lines lines;
    for (const Numbered& line : starter_lines()) lines.push_back(line.text);
    std::set<int> removed;
    for (const std::string& line : lines_) {
        const std::string text = trimmed(line);
        if (begins_with(text, begin_mark))
            removed.insert(number_of(trimmed(text.substr(sizeof begin_mark - 1))));
    }
    removed.erase(0);
    const auto complain = [&](const auto&... what) {
        throw Error(path_, ":", lines_.size(), ": error: ", what...);
    };
    if (removed.empty()) complain("no region: an exercise needs a gap");
    const Source starter(path_, text_of(lines));
    const std::set<int> todos = starter.todos(), gaps = starter.gaps();
    int expected = 0;
    for (const int number : removed) {
        if (number != ++expected) complain("the regions are not numbered 1, 2, 3...: no ", expected);
        if (!todos.count(number))
            complain("region ", number, " has no comment \"TODO(", number, "): what to do\"");
        if (!gaps.count(number))
            complain("the starter would have no KIT_TODO(", number, " for region ", number);
    }
    return text_of(lines);
}

Lines Source::shown(const std::string& name, const std::vector<Numbered>& lines, bool with_todos) const {
    const auto [first, last] = region_lines(name);
    Lines region;
    bool in_todo = false;
    for (const auto& [number, line] : lines) {
        if (number < first || number > last) continue;
        const std::string text = trimmed(line);
        in_todo = begins_with(text, todo_mark) ||
                  (in_todo && begins_with(text, "//") && !begins_with(text, begin_mark));
        if (!is_mark(text) && (with_todos || !in_todo)) region.push_back(line);
    }
    dedent(region);
    return region;
}

Lines Source::region(const std::string& name) const {
    std::vector<Numbered> all;
    for (const std::string& line : lines_) all.push_back({static_cast<int>(all.size()) + 1, line});
    return shown(name, all, false);
}

Lines Source::gap(const std::string& name, bool with_todos) const {
    return shown(name, starter_lines(), with_todos);
}

std::set<int> Source::removed() const {
    std::set<int> numbers;
    int number = 0;
    bool inside = false;
    for (const std::string& line : lines_) {
        const std::string text = trimmed(line);
        ++number;
        if (begins_with(text, end_mark)) inside = false;
        if (inside && !is_mark(text)) numbers.insert(number);
        if (begins_with(text, begin_mark)) inside = true;
    }
    return numbers;
}

std::map<int, std::size_t> Source::lines_of_tasks() const {
    std::map<int, std::size_t> count;
    int open = -1;
    for (const std::string& line : lines_) {
        const std::string text = trimmed(line);
        if (begins_with(text, end_mark)) open = -1;
        if (open >= 0 && !text.empty() && !is_mark(text)) ++count[open];
        if (begins_with(text, begin_mark)) open = number_of(trimmed(text.substr(sizeof begin_mark - 1)));
    }
    return count;
}

std::set<int> Source::marks() const {
    std::set<int> numbers;
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (is_mark(trimmed(lines_[i]))) numbers.insert(static_cast<int>(i) + 1);
    return numbers;
}

std::pair<int, int> Source::region_lines(const std::string& name) const {
    std::vector<std::string> others;
    int first = 0, number = 0;
    for (const std::string& line : lines_) {
        ++number;
        const std::string text = trimmed(line);
        if (text == "// [" + name + "]") first = number + 1;
        if (text == "// [/" + name + "]" && first > 0) return {first, number - 1};
        if (begins_with(text, "// [") && ends_with(text, "]") && text[4] != '/')
            others.push_back(text.substr(4, text.size() - 5));
    }
    throw Error(path_, ": no region // [", name, "] ... // [/", name,
                "]; it has: ", others.empty() ? "none" : joined(others, ", "));
}

std::set<int> Source::todos() const {
    std::set<int> numbers;
    for (const std::string& line : lines_) {
        if (begins_with(trimmed(line), todo_mark)) numbers.insert(number_after(line, todo_mark));
    }
    numbers.erase(-1);
    return numbers;
}

std::set<int> Source::gaps() const {
    std::set<int> numbers;
    for (const std::string& line : lines_) {
        // A gap in a comment does not count.
        if (!contains(line.substr(0, line.find(gap_mark)), "//"))
            numbers.insert(number_after(line, gap_mark));
    }
    numbers.erase(-1);
    return numbers;
}

std::vector<std::string> Source::header() const {
    std::size_t end = 0;
    while (end < lines_.size() && begins_with(lines_[end], "//")) ++end;
    return {lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace course
