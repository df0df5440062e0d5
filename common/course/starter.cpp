#include "starter.hpp"

#include "commands.hpp"
#include "source.hpp"

namespace course {

std::string pristine_starter(const Course& course, const Exercise& exercise) {
    const fs::path solution = course.root / exercise.solution();
    return fs::exists(solution) ? Source(solution).starter()
                                : read_text_if_there(course.root / exercise.kept_starter());
}

int command_starter(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 3) return 2;
    const std::string id = arguments[0] + "/" + arguments[1];
    const Exercise& exercise = course.exercise(id);
    write_text(arguments[2], pristine_starter(course, exercise));
    return 0;
}

}  // namespace course
