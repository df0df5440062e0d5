// Makes the copy of the course for students: without solutions, wrong submissions, folded code in lectures,
// demos, slides, and tests of the kit. The exercises of this copy are starters, whose original text is kept
// in tests/TOPIC/NAME.starter.
#include "student.hpp"

#include <algorithm>
#include <cstdio>

#include "author_commands.hpp"
#include "hunts.hpp"
#include "judge.hpp"
#include "quotes.hpp"
#include "rules.hpp"
#include "starters.hpp"

namespace course {

namespace {

/// The list of the files of a copy, which is in the copy. A later run replaces the files in the list. All
/// other files belong to the student.
const fs::path list_of_files = "tests/student_copy.txt";

bool lies_in(const fs::path& file, const fs::path& folder) {
    const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end == folder.end();
}

/// Returns the files that git tracks; without git, all files that are not in hidden folders or build folders.
std::vector<fs::path> files_of_course(const Course& course) {
    std::vector<fs::path> found;
    const Run git = run({"git", "-C", course.root, "ls-files"});
    for (const std::string& name : lines_of(git.status == 0 ? git.output : "")) {
        if (fs::is_regular_file(course.root / name)) found.push_back(name);
    }
    if (!found.empty()) return found;
    for (auto entry = fs::recursive_directory_iterator(course.root);
         entry != fs::recursive_directory_iterator(); ++entry) {
        const std::string name = entry->path().filename();
        if (entry->is_directory() && (name[0] == '.' || name == "build")) entry.disable_recursion_pending();
        if (entry->is_regular_file()) found.push_back(entry->path().lexically_relative(course.root));
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool is_for_students(const fs::path& file) {
    static const char* const without[] = {"solutions",
                                          "slides",
                                          "exercises/hunts",
                                          ".ci",
                                          ".github",
                                          "common/README.md",
                                          "common/classroom",
                                          "common/course/author",
                                          "common/docs",
                                          "common/demo",
                                          "common/demo.hpp",
                                          "common/roofs.cu",
                                          "common/roofs.hpp",
                                          "common/cmake/kit_docs.cmake",
                                          "common/cmake/kit_slides.cmake",
                                          "common/cmake/Doxyfile.in",
                                          "common/cmake/results.sh",
                                          "tests/README.md",
                                          "tests/benchmark",
                                          "tests/classroom",
                                          "tests/course",
                                          "tests/cpu",
                                          "tests/docs",
                                          "tests/kit",
                                          "tests/schedules.sh",
                                          "tests/submissions.sh",
                                          "lectures/instructors_guide.md",
                                          "lectures/misconceptions.md",
                                          "lectures/results.md"};
    const auto is_it = [&](const char* folder) { return lies_in(file, folder); };
    if (std::any_of(std::begin(without), std::end(without), is_it)) return false;
    const std::string extension = file.extension();
    if (extension == ".submissions" || extension == ".screens") return false;
    if (*file.begin() == "lectures")
        return (file.extension() == ".md" || file.extension() == ".svg") &&
               file.parent_path().filename() != "results";
    return true;
}

/// Returns the CMake list of modules without those that the copy lacks.
std::string build_for_students(const std::string& text) {
    return replaced(replaced(text, "include(kit_docs)\n", ""), "include(kit_slides)\n", "");
}

/// Removes the text from the mark `begin` to the mark `end`, including both.
void remove_between(std::string& text, const std::string& begin, const std::string& end) {
    for (std::size_t from; (from = text.find(begin)) != std::string::npos;) {
        const std::size_t to = text.find(end, from);
        if (to == std::string::npos) throw Error("\"", begin, "\" has no \"", end, "\"");
        text.erase(from, to + end.size() - from);
    }
}

/// Replaces links to files that the copy lacks by their texts.
std::string without_dead_links(const std::string& text, const fs::path& folder,
                               const std::set<fs::path>& there) {
    const Markdown page(text);
    std::map<std::size_t, std::size_t> removed;  // by position: the number of removed characters
    for (const Link& link : page.links()) {
        const fs::path path = (folder / link.target.substr(0, link.target.find('#'))).lexically_normal(),
                       target = path.has_filename() ? path : path.parent_path();
        const auto holds = [&](const fs::path& file) { return lies_in(file, target); };
        if (leads_elsewhere(link.target) || std::any_of(there.begin(), there.end(), holds)) continue;
        const std::string end = "](" + link.target + ")";
        for (std::size_t close = 0; (close = text.find(end, close + 1)) != std::string::npos;) {
            const auto has_it = [&](const Block& block) {
                return block.kind == Block::code && block.range.begin <= close && close < block.range.end;
            };
            if (std::any_of(page.blocks().begin(), page.blocks().end(), has_it)) continue;
            std::size_t open = close;
            for (int depth = 1; depth > 0 && open > 0;) {
                --open;
                depth += (text[open] == ']') - (text[open] == '[');
            }
            removed[close] = end.size();
            removed[open] = 1;
        }
    }
    std::string result = text;
    for (auto range = removed.rbegin(); range != removed.rend(); ++range)
        result.erase(range->first, range->second);
    return result;
}

}  // namespace

std::string page_for_students(const std::string& text, const fs::path& path,
                              const std::set<fs::path>& there) {
    std::string kept = text;
    remove_between(kept, "<!-- not for students -->\n", "<!-- /not for students -->\n");
    Lines lines;
    for (const std::string& line : lines_of(kept)) {
        if (!contains(line, "<!-- not for students -->")) lines.push_back(line);
    }
    kept = text_of(lines);
    {
        const Markdown page(kept);
        std::vector<std::pair<Range, std::string>> edits;
        for (const Quotation& quotation : quotations_of(page)) {
            if (quotation.folded > 0)
                edits.push_back({{kept.rfind("\n<details>", quotation.folded), quotation.range.end}, ""});
        }
        for (const Comment& comment : page.comments()) {
            const bool own_line = kept.compare(comment.range.end, 1, "\n") == 0 &&
                                  (comment.range.begin == 0 || kept[comment.range.begin - 1] == '\n');
            const bool shown = comment.name == "for students";
            edits.push_back({{comment.range.begin, comment.range.end + (own_line && !shown)},
                             shown ? comment.value : ""});
        }
        std::sort(edits.begin(), edits.end(),
                  [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
        for (const auto& [range, text] : edits) kept.replace(range.begin, range.end - range.begin, text);
    }
    // Removes the rest of these folds: figures, output and text that contain an answer.
    remove_between(kept, "<details><summary>After you have done the exercise</summary>\n", "</details>\n");
    if (path == "README.md") {  // the table of topics has links to the decks
        for (std::size_t at; (at = kept.find(", [slides](")) != std::string::npos;)
            kept.erase(at, kept.find(')', at) + 1 - at);
    }
    return without_dead_links(replaced(kept, "\n\n\n", "\n\n"), path.parent_path(), there);
}

std::map<fs::path, std::string> texts_for_students(const Course& course) {
    std::set<fs::path> there;
    for (const fs::path& file : files_of_course(course)) {
        if (is_for_students(file)) there.insert(file);
    }
    std::map<fs::path, std::string> texts;
    for (const fs::path& file : there) {
        std::string text = read_text(course.root / file);
        if (file.extension() == ".md") text = page_for_students(text, file, there);
        if (file == "CMakeLists.txt") text = build_for_students(text);
        if (file == "CMakePresets.json") text = presets_for_students(text);
        texts[file] = text;
    }
    for (const Exercise& exercise : course.exercises)
        texts[exercise.starter()] = texts[exercise.kept_starter()] =
            source_of(course, exercise.solution()).starter();
    if (const std::vector<Hunt> hunts = hunts_of_checkout(course); !hunts.empty())
        texts[packed_hunts] = packed(hunts);
    return texts;
}

Lines make_student_copy(const Course& course, const fs::path& folder) {
    const Lines before = lines_of(read_text_if_there(folder / list_of_files));
    if (fs::exists(folder) && !fs::is_empty(folder) && before.empty())
        throw Error(folder, ": is not empty, and holds no copy for students that was made before");
    for (const Exercise& exercise : course.exercises) {
        if (read_text_if_there(folder / exercise.starter()) !=
            read_text_if_there(folder / exercise.kept_starter()))
            throw Error(folder / exercise.starter(),
                        ": a student has worked on it; make the copy in another folder");
    }
    std::map<fs::path, std::string> texts = texts_for_students(course);
    Lines names;
    for (const auto& [file, text] : texts) names.push_back(file);
    names.push_back(list_of_files);
    texts[list_of_files] = text_of(names);
    for (const std::string& name : before) {
        if (texts.count(name)) continue;
        fs::remove(folder / name);
        for (fs::path above = folder / fs::path(name).parent_path(); fs::is_empty(above);
             above = above.parent_path())
            fs::remove(above);
    }
    for (const auto& [file, text] : texts) {
        write_text(folder / file, text);
        if (fs::exists(course.root / file))
            fs::permissions(folder / file, fs::status(course.root / file).permissions());
    }
    return names;
}

int command_student(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 1) return 2;
    const Lines names = make_student_copy(course, arguments[0]);
    std::printf("%zu files in %s: give students this folder, and no other\n", names.size(),
                arguments[0].c_str());
    return 0;
}

}  // namespace course
