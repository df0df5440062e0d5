#include "contract.hpp"

#include "text.hpp"

namespace course {

std::set<std::string> counted_in_contract(const Course& course, const Exercise& exercise) {
    std::set<std::string> counted;
    bool in_list = false;
    for (const std::string& line : lines_of(read_text_if_there(course.root / exercise.contract()))) {
        const Lines item = match(line, "^/// +- ([a-z0-9_]+): (.+)$");
        in_list = begins_with(line, "/// What is counted") || (in_list && !item.empty());
        if (!in_list || item.empty() || item[1] != exercise.name) continue;
        for (const std::string& part : lines_of(replaced(item[2], ",", "\n"))) counted.insert(trimmed(part));
    }
    return counted;
}

}  // namespace course
