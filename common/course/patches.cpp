// Commands about wrong submissions: one is written for the compiler, all of an exercise are made anew after its solution
// has changed, or one is made from a file that an author has edited.
#include <cstdio>

#include "commands.hpp"
#include "patch.hpp"

namespace course {

namespace {

const Exercise& exercise_of(const Course& course, const std::string& id) {
    const std::size_t slash = id.find('/');
    const Exercise* exercise =
        slash == std::string::npos ? nullptr : course.find(id.substr(0, slash), id.substr(slash + 1));
    if (!exercise) throw Error("no exercise " + id + "; they are named like 07_reduction/tree");
    return *exercise;
}

Patch read_patch(const Course& course, const fs::path& path) {
    return Patch(path, read_text(course.root / path));
}

/// False: it needs a hand.
bool make_anew(const Course& course, const fs::path& path, const Patch::Lines& solution) try {
    const Patch patch = read_patch(course, path);
    const Patch anew(path, patch.header(), solution, patch.applied_to(solution, Patch::Fit::close));
    const bool written = write_text(course.root / path, anew.text());
    std::printf("%-12s %s\n", written ? "rewritten" : "unchanged", path.c_str());
    return true;
} catch (const Error& error) {
    std::printf("%-12s %s\n", "needs a hand", error.what());
    return false;
}

bool make_all_anew(const Course& course, const Exercise& exercise) {
    const Patch::Lines solution = lines_of(read_text(course.root / exercise.solution()));
    bool all = true;
    for (const fs::path& path : patches_of(course, exercise)) all = make_anew(course, path, solution) && all;
    if (!all) {
        std::printf(
            "What to do: mend a copy of the solution by hand, as the mistake has it, then\n"
            "    kit_course patches %s MISTAKE COPY.cu\n",
            exercise.id().c_str());
    }
    return all;
}

/// The file is the solution with the mistake in it. The header is that of the patch that is there, unless the file brings
/// one: lines from "// wrong: " on, then a blank line.
void make_from(const Course& course, const Exercise& exercise, const std::string& mistake,
               const fs::path& file) {
    const fs::path path = exercise.wrong() / (mistake + ".patch");
    Patch::Lines lines = lines_of(read_text(file)), header;
    if (!lines.empty() && begins_with(lines[0], "// wrong: ")) {
        std::size_t end = 0;
        while (end < lines.size() && !lines[end].empty()) ++end;
        header.assign(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(end));
        lines.erase(lines.begin(),
                    lines.begin() + static_cast<std::ptrdiff_t>(std::min(end + 1, lines.size())));
    } else if (fs::exists(course.root / path)) {
        header = read_patch(course, path).header();
    } else {
        header = {"// wrong: What the student did.", "// diagnosis: text of the verdict"};
    }
    const Patch patch(path, header, lines_of(read_text(course.root / exercise.solution())), lines);
    const bool written = write_text(course.root / path, patch.text());
    std::printf("%-12s %s\n", written ? "written" : "unchanged", path.c_str());
}

}  // namespace

int command_wrong(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 4) return 2;
    const std::string id = arguments[0] + "/" + arguments[1];
    const Exercise& exercise = exercise_of(course, id);
    const Patch patch = read_patch(course, exercise.wrong() / (arguments[2] + ".patch"));
    write_text(arguments[3],
               text_of(patch.applied_to(lines_of(read_text(course.root / exercise.solution())))));
    return 0;
}

int command_patches(const Course& course, const Arguments& arguments) {
    if (arguments.size() == 3) {
        make_from(course, exercise_of(course, arguments[0]), arguments[1], arguments[2]);
        return 0;
    }
    if (arguments.size() != 1) return 2;
    return make_all_anew(course, exercise_of(course, arguments[0])) ? 0 : 1;
}

}  // namespace course
