#include "submission.hpp"

#include "commands.hpp"
#include "source.hpp"
#include "text.hpp"

namespace course {

std::vector<std::string> header_values(const fs::path& file, const std::string& key) {
    std::vector<std::string> values;
    const std::string start = "// " + key + ":";
    for (const std::string& line : lines_of(read_text(file))) {
        if (!begins_with(line, "//")) break;
        if (begins_with(line, start)) values.push_back(trimmed(line.substr(start.size())));
    }
    return values;
}

fs::path verdict_file(const Course& course, const std::string& test) {
    return course.build / "results" / (test + ".json");
}

const Exercise* exercise_of(const Course& course, const std::string& test) {
    const std::vector<std::string> words = words_of(replaced(test, ".", " "));
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (const Exercise* found = course.find(words[i], words[i + 1])) return found;
    }
    return nullptr;
}

bool is_untouched(const Course& course, const Exercise& exercise) {
    const fs::path submitted = course.submitted / exercise.topic / (exercise.name + ".cu");
    return fs::exists(submitted) && read_text(submitted) == pristine_starter(course, exercise);
}

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
