#include "regions.hpp"

#include <algorithm>
#include <set>

#include "submission.hpp"

namespace course {

namespace {

/// Returns the number after a mark such as "KIT_TODO(", "TODO(" or "BEGIN SOLUTION "; 0 if the mark is not in
/// the line.
int number_behind(const std::string& line, const std::string& mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) return 0;
    const std::size_t from = at + mark.size();
    return std::max(0, number_of(line.substr(from, line.find_first_not_of("0123456789", from) - from)));
}

bool ends_function(const std::string& line) {
    return begins_with(line, "}");
}

std::map<int, int> by_marks(const Lines& lines) {
    std::map<int, int> tasks;
    int task = 0, number = 0;
    for (const std::string& line : lines) {
        ++number;
        if (contains(line, "// END SOLUTION")) task = 0;
        if (task > 0) tasks[number] = task;
        if (contains(line, "// BEGIN SOLUTION")) task = number_behind(line, "// BEGIN SOLUTION ");
    }
    return tasks;
}

/// Finds the tasks from the difference between the two files, which is one list of lines that begin with ' ',
/// '-' or '+'.
std::map<int, int> by_difference(const Lines& starter, const Lines& submission) {
    std::map<int, int> tasks;
    int task = 0, number = 0;
    bool in_change = false;
    for (const std::string& line : difference(starter, submission)) {
        const std::string text = line.substr(1);
        if (line[0] == '-') {
            // The text that replaces a gap starts at the first KIT_TODO of the starter. Comments show where
            // the text of further gaps starts.
            const int gap = number_behind(text, "KIT_TODO(");
            if (gap > 0 && !in_change) task = gap;
            in_change = in_change || gap > 0;
            continue;
        }
        ++number;
        if (const int todo = number_behind(text, "// TODO(")) task = todo;
        if (line[0] == ' ') in_change = false;
        if (line[0] == '+' && task > 0) tasks[number] = task;
        if (ends_function(text)) task = 0, in_change = false;
    }
    return tasks;
}

struct Function {
    int first = 0, last = 0;  ///< first and last line of the function
    std::string name;
    std::set<int> tasks;
};

/// Returns the name of the function that begins in this line: "poll" for "__device__ void poll(int* flag) {".
/// Empty if none begins.
std::string name_in(const std::string& line) {
    const std::size_t end = line.find('(');
    if (end == std::string::npos || line[0] == ' ' || line[0] == '/') return "";
    const std::size_t before = line.find_last_of(" *&", end);
    return before == std::string::npos ? "" : line.substr(before + 1, end - before - 1);
}

std::vector<Function> functions_of(const std::map<int, int>& tasks, const Lines& lines) {
    std::vector<Function> functions;
    const int size = static_cast<int>(lines.size());
    for (int first = 1, last = 1; first <= size; first = ++last) {
        Function function;
        for (last = first; last <= size; ++last) {
            const std::string& line = lines[static_cast<std::size_t>(last) - 1];
            const auto task = tasks.find(last);
            if (task != tasks.end()) function.tasks.insert(task->second);
            if (function.name.empty()) function.name = name_in(line);
            if (ends_function(line)) break;
        }
        while (first < last && trimmed(lines[static_cast<std::size_t>(first) - 1]).empty()) ++first;
        function.first = first, function.last = std::min(last, size);
        functions.push_back(std::move(function));
    }
    return functions;
}

bool calls(const std::string& line, const std::string& function) {
    const std::size_t at = line.find(function + "(");
    return at != std::string::npos &&
           (at == 0 || std::string(" !(,&").find(line[at - 1]) != std::string::npos);
}

/// Gives lines without a task the task of their function, if the function has only one task. If the function
/// also calls functions of other tasks, the lines stay without a task, because their mistakes can come from
/// those functions.
void fill_functions(std::map<int, int>& tasks, const Lines& lines) {
    const std::vector<Function> functions = functions_of(tasks, lines);
    for (const Function& function : functions) {
        if (function.tasks.size() != 1) continue;
        const auto is_called = [&](const Function& other) {
            if (other.name.empty() || other.tasks.empty() || other.tasks == function.tasks) return false;
            const auto begin = lines.begin() + function.first - 1, end = lines.begin() + function.last;
            return std::any_of(begin, end, [&](const std::string& line) { return calls(line, other.name); });
        };
        if (std::any_of(functions.begin(), functions.end(), is_called)) continue;
        for (int line = function.first; line <= function.last; ++line)
            tasks.emplace(line, *function.tasks.begin());
    }
}

/// Gives a task without code the line of its comment TODO(k).
void add_comments(std::map<int, int>& tasks, const Lines& lines) {
    int number = 0;
    for (const std::string& line : lines) {
        ++number;
        if (const int todo = number_behind(line, "// TODO(")) tasks.emplace(number, todo);
    }
}

}  // namespace

std::map<int, int> tasks_of_written_lines(const Lines& submission, const Lines& starter) {
    std::map<int, int> tasks = by_marks(submission);
    if (tasks.empty()) tasks = by_difference(starter, submission);
    return tasks;
}

std::map<int, int> tasks_of_lines(const Lines& submission, const Lines& starter) {
    std::map<int, int> tasks = tasks_of_written_lines(submission, starter);
    fill_functions(tasks, submission);
    if (!tasks.empty()) add_comments(tasks, submission);
    return tasks;
}

Lines regions_of(const std::map<int, int>& tasks) {
    Lines regions;
    int first = 0, last = 0, task = 0;
    const auto close = [&] {
        if (task > 0) regions.push_back(sentence(first, " ", last, " ", task));
    };
    for (const auto& [line, number] : tasks) {
        if (number != task || line != last + 1) {
            close();
            first = line, task = number;
        }
        last = line;
    }
    close();
    return regions;
}

Section section_of(const Course& course, const Exercise& exercise) {
    for (Section& section : sections_of(Markdown(read_text_if_there(course.root / exercise.tasks())))) {
        if (section.name == exercise.name) return std::move(section);
    }
    return {};
}

std::string titles_of_tasks(const Course& course, const Exercise& exercise) {
    std::string titles;
    for (const Task& task : section_of(course, exercise).tasks)
        titles += std::to_string(task.number) + " " + task.title + "\n";
    return titles;
}

std::string places_of_tasks(const Course& course, const Exercise& exercise, const fs::path& submission) {
    const Lines starter = lines_of(pristine_starter(course, exercise));
    if (!fs::exists(submission) || starter.empty()) return "";
    const Lines lines = lines_of(read_text(submission));
    std::map<int, int> written = tasks_of_written_lines(lines, starter),
                       given = tasks_of_lines(lines, starter);
    if (!written.empty()) add_comments(written, lines);
    for (const auto& [line, task] : written) given.erase(line);
    std::string places;
    for (const std::string& region : regions_of(written))
        places += submission.filename().string() + " " + region + "\n";
    for (const std::string& region : regions_of(given))
        places += submission.filename().string() + " " + region + " given\n";
    return places;
}

}  // namespace course
