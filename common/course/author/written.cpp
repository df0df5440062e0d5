#include "written.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "author_commands.hpp"
#include "rules.hpp"

namespace course {

namespace {

constexpr char counted_mark[] = "/// What is counted", host_mark[] = "/// What the host may compute: ";

/// Returns "a, b" for the names of the exercises whose results the host may compute; otherwise "nothing".
std::string names_for_host(const Course& course, const std::string& topic) {
    Lines names;
    for (const Exercise* exercise : course.exercises_of(topic)) {
        if (contains(read_text_if_there(course.root / exercise->test()), ".host_may_compute()"))
            names.push_back(exercise->name);
    }
    return names.empty() ? "nothing" : joined(names, ", ");
}

/// A TODO comment: its task, and the lines [begin, end) of the source.
struct Todo {
    int task;
    std::size_t begin, end;
};

std::vector<Todo> todos_of(const Lines& lines) {
    std::vector<Todo> todos;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Lines found = match(trimmed(lines[i]), "^// TODO[(]([0-9]+)[)]:");
        if (found.empty()) continue;
        std::size_t end = i + 1;
        while (end < lines.size() && !match(trimmed(lines[end]), "^// [^[]").empty() &&
               match(trimmed(lines[end]), "^// (BEGIN|TODO)").empty())
            ++end;
        todos.push_back({number_of(found[1]), i, end});
    }
    return todos;
}

/// Returns the position and the length of "4 lines" in a line of a TODO comment; npos if it is missing. A range, such
/// as "4 to 8 lines", does not count.
std::pair<std::size_t, std::size_t> count_in(const std::string& todo) {
    for (std::size_t at = 0; (at = todo.find(" line", at)) != std::string::npos; ++at) {
        std::size_t begin = at, end = at + 5;
        while (begin > 0 && std::isdigit(static_cast<unsigned char>(todo[begin - 1]))) --begin;
        if (end < todo.size() && todo[end] == 's') ++end;
        const bool is_word = end == todo.size() || !std::isalnum(static_cast<unsigned char>(todo[end]));
        const Lines before = words_of(todo.substr(0, begin));
        const bool is_range = !before.empty() && (before.back() == "to" || before.back() == "or");
        if (begin < at && begin > 0 && todo[begin - 1] == ' ' && is_word && !is_range)
            return {begin, end - begin};
    }
    return {std::string::npos, 0};
}

}  // namespace

std::string contract_from_tests(const Course& course, const std::string& topic) {
    const std::string old = read_text_if_there(course.root / contract_of(topic));
    Lines lines;
    bool in_list = false;
    for (const std::string& line : lines_of(old)) {
        in_list = in_list && begins_with(line, "///   - ");
        if (in_list) continue;
        if (begins_with(line, host_mark)) {
            const std::size_t stop = std::min(line.find('.'), line.size());
            lines.push_back(host_mark + names_for_host(course, topic) + line.substr(stop));
            continue;
        }
        lines.push_back(line);
        if (!begins_with(line, counted_mark)) continue;
        in_list = true;
        for (const Exercise* exercise : course.exercises_of(topic)) {
            const std::set<std::string> counted = counted_in_source(course, *exercise);
            if (!counted.empty())
                lines.push_back("///   - " + exercise->name + ": " +
                                joined({counted.begin(), counted.end()}, ", "));
        }
    }
    return text_of(lines);
}

std::string solution_with_facts(const Course& course, const Exercise& exercise) {
    const Source source = source_of(course, exercise.solution());
    Lines lines = source.lines();
    if (!lines.empty() && begins_with(lines[0], "// " + exercise.id() + ": "))
        lines[0] = "// " + exercise.id() + ": " + exercise.purpose + ".";
    const std::map<int, std::size_t> wanted = source.lines_of_tasks();
    for (const Todo& todo : todos_of(lines)) {
        const auto found = wanted.find(todo.task);
        for (std::size_t i = todo.begin; i < todo.end && found != wanted.end(); ++i) {
            const auto [at, length] = count_in(lines[i]);
            if (at == std::string::npos) continue;
            lines[i].replace(at, length,
                             std::to_string(found->second) + (found->second == 1 ? " line" : " lines"));
            break;
        }
    }
    return text_of(lines);
}

std::vector<Outdated> outdated_sources(const Course& course) {
    std::vector<Outdated> outdated;
    const auto compare = [&](const fs::path& file, const std::string& text) {
        if (text != read_text_if_there(course.root / file)) outdated.push_back({file, text});
    };
    for (const std::string& topic : course.topics())
        compare(contract_of(topic), contract_from_tests(course, topic));
    for (const Exercise& exercise : course.exercises) {
        if (fs::exists(course.root / exercise.solution()))
            compare(exercise.solution(), solution_with_facts(course, exercise));
    }
    return outdated;
}

std::vector<fs::path> write_sources(const Course& course) {
    std::vector<fs::path> written;
    for (const Outdated& one : outdated_sources(course)) {
        write_text(course.root / one.file, one.text);
        written.push_back(one.file);
    }
    return written;
}

void check_written(const Course& course, Complainer& complain) {
    for (const Outdated& one : outdated_sources(course)) {
        Lines wanted = lines_of(one.text), found = lines_of(read_text_if_there(course.root / one.file));
        const std::size_t line = first_difference(wanted, found);
        for (auto* lines : {&wanted, &found}) lines->push_back("(the end of the file)");
        complain(one.file, ":", line + 1, ": has \"", trimmed(found[line]), "\", and should have \"",
                 trimmed(wanted[line]), "\"; cmake --build --preset solutions -t starters");
    }
    for (const Exercise& exercise : course.exercises) {
        if (!fs::exists(course.root / exercise.solution())) continue;
        const Lines lines = source_of(course, exercise.solution()).lines();
        for (const Todo& todo : todos_of(lines)) {
            const bool has_count = std::any_of(
                lines.begin() + static_cast<std::ptrdiff_t>(todo.begin),
                lines.begin() + static_cast<std::ptrdiff_t>(todo.end),
                [](const std::string& line) { return count_in(line).first != std::string::npos; });
            if (!has_count)
                complain(exercise.solution(), ":", todo.begin + 1, ": TODO(", todo.task,
                         ") does not say how many lines are missing, such as \"About 4 lines.\"");
        }
    }
}

int command_written(const Course& course, const Arguments& arguments) {
    if (arguments != Arguments{"--write"}) return 2;
    for (const fs::path& path : write_sources(course)) std::printf("%s: written\n", path.c_str());
    return 0;
}

}  // namespace course
