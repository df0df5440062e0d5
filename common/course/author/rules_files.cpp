// Rules about files: no file is missing or superfluous, and starters and the headers of solutions are
// complete.
#include <algorithm>
#include <cctype>

#include "rules.hpp"

namespace course {

void check_files(const Course& course, Complainer& complain) {
    const auto require = [&](const fs::path& path, const char* what) {
        if (!fs::is_regular_file(course.root / path)) complain(path, ": missing (", what, ")");
    };
    // new_exercise writes "WRITE: what" where the author must write something.
    const auto require_written = [&](const fs::path& path, const char* what) {
        require(path, what);
        const std::string mark = "WRITE: ", text = read_text_if_there(course.root / path);
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
            at += mark.size();
            complain(path, ":", line_at(text, at),
                     ": still to be written: ", text.substr(at, text.find('\n', at) - at));
        }
    };
    require_written(manifest, "the topics and exercises");
    for (const Exercise& exercise : course.exercises) {
        require(exercise.starter(), "the starter; cmake --build --preset solutions -t starters makes it");
        require_written(exercise.solution(), "the solution");
        require_written(exercise.test(), "the test");
    }
    for (const std::string& topic : course.topics()) {
        const fs::path lecture = fs::path("lectures") / topic, results = lecture / "results";
        require_written(contract_of(topic), "the contract");
        require_written(fs::path("exercises") / topic / "README.md", "tasks and hints");
        require(lecture / "README.md", "the lecture");
        require(deck_of(topic), "the deck");
        require(lecture / "demo.cu", "the demo");
        if (course.files(results).empty())
            complain(results, ": missing or empty (what the lecture measured)");
    }
}

/// Returns whether the file is the demo, or a program in the same folder to which the lecture has a link.
bool is_of_lecture(const Course& course, const fs::path& file) {
    if (file.filename() == "demo.cu") return true;
    const fs::path page = course.root / file.parent_path() / "README.md";
    return contains(read_text_if_there(page), "(" + file.filename().string() + ")");
}

void check_stray(const Course& course, Complainer& complain) {
    std::set<std::string> strays;
    for (const std::string folder : {"exercises", "solutions", "tests", "lectures"}) {
        for (const fs::path& file : course.files(folder)) {
            const std::string topic = *std::next(file.begin()), stem = file.stem(),
                              suffix = folder == "tests" ? "_test" : "";
            if (!std::isdigit(static_cast<unsigned char>(topic[0]))) continue;
            const bool of_lecture = folder == "lectures";
            const bool belongs = of_lecture
                                     ? is_of_lecture(course, file)
                                     : ends_with(stem, suffix) &&
                                           course.find(topic, stem.substr(0, stem.size() - suffix.size()));
            if (course.exercises_of(topic).empty())
                strays.insert(sentence(folder, "/", topic, ": not a topic of ", manifest));
            else if (file.extension() == ".cu" && !belongs)
                strays.insert(file.string() + (of_lecture
                                                   ? ": the lecture does not link to it"
                                                   : ": belongs to no exercise, so nothing builds it"));
        }
    }
    for (const std::string& stray : strays) complain(stray);
}

void check_starters(const Course& course, Complainer& complain) {
    for (const Exercise& exercise : course.exercises) {
        try {
            std::vector<std::string> wanted = lines_of(source_of(course, exercise.solution()).starter()),
                                     found = lines_of(read_text_if_there(course.root / exercise.starter()));
            if (wanted == found) continue;
            const std::size_t line = first_difference(wanted, found);
            for (auto* lines : {&wanted, &found}) lines->push_back("(the end of the file)");
            complain(exercise.starter(), ":", line + 1, ": has \"", found[line], "\", its solution gives \"",
                     wanted[line], "\"; cmake --build --preset solutions -t starters");
        } catch (const Error& error) {
            complain(error.what());
        }
    }
}

namespace {

/// Returns the number of a version, as in "v3", if the text begins with one that is followed by `end`;
/// otherwise -1.
int version_in(const std::string& text, const char* end) {
    const std::size_t at = text.find(end);
    return begins_with(text, "v") && at != std::string::npos ? number_of(text.substr(1, at - 1)) : -1;
}

/// Requires that the index in the header ("//   v1  tree_v1: ...") lists exactly the versions in comments of
/// the code ("// v1: ...").
void compare_versions(const fs::path& path, const Source& source, Complainer& complain) {
    std::set<int> indexed, told;
    const std::size_t top = source.header().size();
    for (std::size_t i = 0; i < source.lines().size(); ++i) {
        const std::string line = trimmed(source.lines()[i]);
        if (!begins_with(line, "// ")) continue;
        const int version = version_in(trimmed(line.substr(3)), i < top ? " " : ": ");
        if (version >= 0) (i < top ? indexed : told).insert(version);
    }
    if (indexed.empty()) complain(path, ": the header has no line \"//   v1  what this version does\"");
    for (const int version : told) {
        if (!indexed.count(version)) complain(path, ": v", version, " is not in the header's index");
    }
    for (const int version : indexed) {
        if (!told.count(version))
            complain(path, ": the header's index names v", version, ", but no comment \"// v", version,
                     ": ...\" is in the code");
    }
}

}  // namespace

void check_headers(const Course& course, Complainer& complain) {
    for (const Exercise& exercise : course.exercises) {
        const fs::path path = exercise.solution();
        if (!fs::exists(course.root / path)) continue;  // the rule about files reports this
        const Source source = source_of(course, path);
        const std::string header = text_of(source.header()), title = "// " + exercise.id() + ": ";
        if (!begins_with(header, title)) complain(path, ": does not begin with \"", title, "...\"");
        const std::size_t build = std::min(header.find("// Build: nvcc -std=c++17 "), header.size());
        if (header.find(exercise.name + ".cu", build) == std::string::npos ||
            header.find(exercise.name + "_test.cu", build) == std::string::npos)
            complain(path, ": the header has no build line \"// Build: nvcc -std=c++17 ...\" with this ",
                     "file and its test");
        if (!contains(header, "// Run:")) complain(path, ": the header has no line \"// Run: ...\"");
        compare_versions(path, source, complain);
    }
}

}  // namespace course
