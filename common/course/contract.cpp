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

Lines complaints_about_counted(const Course& course, const Exercise& exercise,
                               const std::set<std::string>& demands) {
    Lines complaints;
    const std::set<std::string> counted = counted_in_contract(course, exercise);
    const std::string contract = exercise.contract();
    for (const std::string& demand : demands) {
        if (!counted.count(demand))
            complaints.push_back("the test counts \"" + demand + "\", and " + contract +
                                 " does not say so: its list \"What is counted\" must");
    }
    for (const std::string& promise : counted) {
        if (!demands.count(promise))
            complaints.push_back(
                contract + " says that \"" + promise +
                "\" is counted, and no case does: test.demand() is missing, or the list is old");
    }
    return complaints;
}

}  // namespace course
