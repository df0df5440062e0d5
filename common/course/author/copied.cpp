// The rule that the copy for students contains no solution: the lines that a starter lacks occur in no file of
// the copy, whatever their white space, comments and line breaks. A short region, such as one call, is not
// looked for as a whole, and three successive lines of a long one are enough.
#include <algorithm>
#include <cctype>
#include <map>

#include "rules.hpp"
#include "starters.hpp"
#include "student.hpp"

namespace course {

namespace {

constexpr std::size_t shortest_region = 40, shortest_run = 80, lines_of_run = 3;

/// Returns the code of a line without comment and white space.
std::string code_of(const std::string& line) {
    std::string code;
    for (const std::string& word : words_of(line.substr(0, line.find("//")))) code += word;
    return code;
}

/// Returns the text of a figure or page: without tags, and with the characters that entities stand for.
std::string without_tags(const std::string& line) {
    std::string text;
    bool in_tag = false;
    for (const char c : line) {
        in_tag = in_tag || c == '<';
        if (!in_tag) text += c;
        in_tag = in_tag && c != '>';
    }
    return replaced(replaced(replaced(text, "&lt;", "<"), "&gt;", ">"), "&amp;", "&");
}

Lines code_lines_of(const Lines& lines, bool with_tags) {
    Lines code;
    for (const std::string& line : lines) {
        const std::string one = code_of(with_tags ? without_tags(line) : line);
        if (!one.empty()) code.push_back(one);
    }
    return code;
}

/// Returns the runs of successive lines, joined, that are long enough to reveal something.
Lines runs_of(const Lines& code) {
    Lines runs;
    for (std::size_t i = 0; i + lines_of_run <= code.size(); ++i) {
        const auto first = code.begin() + static_cast<std::ptrdiff_t>(i);
        const std::string run = joined({first, first + lines_of_run}, "");
        if (run.size() >= shortest_run) runs.push_back(run);
    }
    return runs;
}

/// A file of the copy.
struct Searched {
    fs::path path;
    std::string code;
};

/// Returns the regions that the starter lacks.
std::vector<Lines> regions_of(const Source& solution) {
    std::vector<Lines> regions;
    int last = -1;
    for (const int number : solution.removed()) {
        if (number != last + 1) regions.emplace_back();
        regions.back().push_back(solution.lines()[static_cast<std::size_t>(number) - 1]);
        last = number;
    }
    return regions;
}

}  // namespace

void check_copied(const Course& course, Complainer& complain) {
    std::vector<Searched> files;
    std::map<std::string, std::size_t> places;  // for each run of lines: the first file that has it
    for (const auto& [path, text] : texts_for_students(course)) {
        const Lines code = code_lines_of(lines_of(text), path.extension() == ".svg");
        for (const std::string& run : runs_of(code)) places.emplace(run, files.size());
        files.push_back({path, joined(code, "")});
    }
    for (const Exercise& exercise : course.exercises) {
        const Source solution = source_of(course, exercise.solution());
        const std::string own = joined(code_lines_of(lines_of(solution.starter()), false), "");
        for (const Lines& region : regions_of(solution)) {
            const Lines code = code_lines_of(region, false);
            const std::string whole = joined(code, "");
            const auto shows = [&](const Searched& file) { return contains(file.code, whole); };
            const auto found = whole.size() < shortest_region || contains(own, whole)
                                   ? files.end()
                                   : std::find_if(files.begin(), files.end(), shows);
            std::size_t place = static_cast<std::size_t>(found - files.begin());
            for (const std::string& run : runs_of(code)) {
                const auto other = places.find(run);
                if (other != places.end() && !contains(own, run)) place = std::min(place, other->second);
            }
            if (place < files.size())
                complain(files[place].path, ": the copy for students shows ", code.size(),
                         code.size() == 1 ? " line of " : " lines of ", exercise.solution(), ": \"",
                         trimmed(region[0]), "\"; write them in a different way, or leave them out");
        }
    }
}

}  // namespace course
