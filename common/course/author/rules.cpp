// The command `kit_author check`, which applies the rules of the course.
#include "rules.hpp"

#include <cstdio>

#include "author_commands.hpp"

namespace course {

Complaints complaints_of(const Rule& rule, const Course& course) {
    Complainer complain;
    try {
        rule.check(course, complain);
    } catch (const Error& error) {
        complain(error.what());
    }
    return complain.complaints;
}

Source source_of(const Course& course, const fs::path& path) {
    if (!fs::is_regular_file(course.root / path)) throw Error(path, ": not there");
    return Source(path, read_text(course.root / path));
}

int command_check(const Course& course, const Arguments& arguments) {
    if (arguments.size() > 1) return 2;
    if (course.exercises.empty()) throw Error("The course has no exercises, so nothing would be checked.");
    std::size_t applied = 0, complaints = 0;
    std::string names;
    for (const Rule& rule : rules) {
        names += std::string(" ") + rule.name;
        if (!arguments.empty() && arguments[0] != rule.name) continue;
        ++applied;
        for (const std::string& complaint : complaints_of(rule, course)) {
            std::printf("%s\n", complaint.c_str());
            ++complaints;
        }
    }
    if (applied == 0) throw Error("There is no rule \"", arguments[0], "\": choose one of", names, ".");
    std::printf("%zu %s, %zu exercises, %zu complaints\n", applied, applied == 1 ? "rule" : "rules",
                course.exercises.size(), complaints);
    return complaints == 0 ? 0 : 1;
}

}  // namespace course
