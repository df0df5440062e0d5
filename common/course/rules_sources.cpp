// Rules about sources: what a starter is, and how a solution begins.

#include "rules.hpp"

namespace course {

Complaints check_starters(const Course& course) {
    Complaints complaints;
    for (const Exercise& exercise : course.exercises) {
        try {
            const std::vector<std::string> wanted =
                lines_of(source_of(course, exercise.solution()).starter());
            const std::vector<std::string> found =
                lines_of(read_text_if_there(course.root / exercise.starter()));
            const std::size_t line = first_difference(wanted, found);
            if (line == wanted.size() && line == found.size()) continue;
            const std::string end = "(the end of the file)";
            complaints.push_back(exercise.starter().string() + ":" + std::to_string(line + 1) + ": has \"" +
                                 (line < found.size() ? found[line] : end) + "\", its solution gives \"" +
                                 (line < wanted.size() ? wanted[line] : end) +
                                 "\"; cmake --build --preset solutions -t starters");
        } catch (const Error& error) {
            complaints.push_back(error.what());
        }
    }
    return complaints;
}

namespace {

/// The number in "v3" at the beginning of the text, which ends with `end`; -1 if it begins otherwise.
int version_in(const std::string& text, const char* end) {
    const std::size_t at = text.find(end);
    return begins_with(text, "v") && at != std::string::npos ? number_of(text.substr(1, at - 1)) : -1;
}

/// The header's index ("//   v1  tree_v1: ...") names the versions that comments in the code ("// v1: ...") tell, and no other.
void compare_versions(const std::string& shown, const Source& source, Complaints& complaints) {
    std::set<int> indexed, told;
    const std::size_t top = source.header().size();
    for (std::size_t i = 0; i < source.lines().size(); ++i) {
        const std::string line = trimmed(source.lines()[i]);
        if (!begins_with(line, "// ")) continue;
        const std::string text = trimmed(line.substr(3));
        const int version = i < top ? version_in(text, " ") : version_in(text, ": ");
        if (version >= 0) (i < top ? indexed : told).insert(version);
    }
    if (indexed.empty())
        complaints.push_back(shown + ": the header has no line \"//   v1  what this version does\"");
    for (const int version : told) {
        if (!indexed.count(version))
            complaints.push_back(shown + ": v" + std::to_string(version) + " is not in the header's index");
    }
    for (const int version : indexed) {
        const std::string name = "v" + std::to_string(version);
        if (!told.count(version))
            complaints.push_back(shown + ": the header's index names " + name + ", but no comment \"// " +
                                 name + ": ...\" is in the code");
    }
}

}  // namespace

Complaints check_headers(const Course& course) {
    Complaints complaints;
    for (const Exercise& exercise : course.exercises) {
        const std::string shown = exercise.solution().string();
        if (!fs::exists(course.root / shown)) continue;  // the rule about files says so
        const Source source = source_of(course, exercise.solution());
        const std::string header = text_of(source.header()), title = "// " + exercise.id() + ": ";
        if (!begins_with(header, title))
            complaints.push_back(shown + ": does not begin with \"" + title + "...\"");
        const std::size_t build = header.find("// Build: nvcc -std=c++17 ");
        if (build == std::string::npos || header.find(exercise.name + ".cu", build) == std::string::npos ||
            header.find(exercise.name + "_test.cu", build) == std::string::npos)
            complaints.push_back(shown +
                                 ": the header has no build line \"// Build: nvcc -std=c++17 ...\" with this "
                                 "file and its test");
        if (!contains(header, "// Run:"))
            complaints.push_back(shown + ": the header has no line \"// Run: ...\"");
        compare_versions(shown, source, complaints);
    }
    return complaints;
}

}  // namespace course
