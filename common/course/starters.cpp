// Starters: made from solutions, and put into exercises/ without ever touching what a student has written there.
#include <cstdio>

#include "commands.hpp"
#include "source.hpp"

namespace course {

int command_starter(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 3) return 2;
    const Exercise* exercise = course.find(arguments[0], arguments[1]);
    if (!exercise) throw Error("no exercise " + arguments[0] + "/" + arguments[1]);
    write_text(arguments[2], Source(course.root / exercise->solution()).starter());
    return 0;
}

}  // namespace course
