// Commands for patches: write a wrong submission, regenerate all patches of an exercise, or make one from an edited file.
#include <algorithm>
#include <cstdio>

#include "author_commands.hpp"
#include "patch.hpp"

namespace course {

namespace {

Lines solution_of(const Course& course, const Exercise& exercise) {
    return lines_of(read_text(course.root / exercise.solution()));
}

bool make_all_anew(const Course& course, const Exercise& exercise) {
    const Lines solution = solution_of(course, exercise);
    bool all = true;
    std::vector<fs::path> paths = course.files(exercise.wrong(), {".patch"});
    for (const fs::path& path : course.files(exercise.right(), {".patch"})) paths.push_back(path);
    for (const fs::path& path : paths) {
        try {
            const Patch patch(course, path);
            const Patch anew(path, patch.header(), solution, patch.applied_to(solution, Patch::Fit::close));
            const bool written = write_text(course.root / path, anew.text());
            std::printf("%-12s %s\n", written ? "rewritten" : "unchanged", path.c_str());
        } catch (const Error& error) {
            std::printf("%-12s %s\n", "needs a hand", error.what());
            all = false;
        }
    }
    if (!all)
        std::printf(
            "What to do: mend a copy of the solution by hand, as the mistake has it, then\n"
            "    kit_author patches %s MISTAKE COPY.cu\n",
            exercise.id().c_str());
    return all;
}

/// The file is the solution with the mistake in it, or written in another right way. The header is that of the patch that is
/// there, unless the file brings one: lines from "// wrong: " or "// right: " on, then a blank line.
void make_from(const Course& course, const Exercise& exercise, const std::string& mistake,
               const fs::path& file) {
    fs::path path = exercise.wrong() / (mistake + ".patch");
    const fs::path right = exercise.right() / (mistake + ".patch");
    Lines lines = lines_of(read_text(file)),
          header = {"// wrong: What the student did.", "// diagnosis: text of the verdict"};
    const bool is_right = !lines.empty() && begins_with(lines[0], "// right: "),
               is_wrong = !lines.empty() && begins_with(lines[0], "// wrong: ");
    if (is_right || (!is_wrong && !fs::exists(course.root / path) && fs::exists(course.root / right)))
        path = right;
    if (is_right || is_wrong) {
        const auto end = std::find(lines.begin(), lines.end(), "");
        header.assign(lines.begin(), end);
        lines.erase(lines.begin(), end == lines.end() ? end : end + 1);
    } else if (fs::exists(course.root / path)) {
        header = Patch(course, path).header();
    }
    const Patch patch(path, header, solution_of(course, exercise), lines);
    const bool written = write_text(course.root / path, patch.text());
    std::printf("%-12s %s\n", written ? "written" : "unchanged", path.c_str());
}

}  // namespace

int command_wrong(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 4) return 2;
    const std::string id = arguments[0] + "/" + arguments[1];
    const Exercise& exercise = course.exercise(id);
    const Patch patch(course, exercise.wrong() / (arguments[2] + ".patch"));
    write_text(arguments[3], text_of(patch.applied_to(solution_of(course, exercise))));
    return 0;
}

int command_patches(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 1 && arguments.size() != 3) return 2;
    const Exercise& exercise = course.exercise(arguments[0]);
    if (arguments.size() == 1) return make_all_anew(course, exercise) ? 0 : 1;
    make_from(course, exercise, arguments[1], arguments[2]);
    return 0;
}

}  // namespace course
