#include "contract.hpp"

#include "text.hpp"

namespace course {

std::map<std::string, std::set<std::string>> counted_by_contract(const Course& course,
                                                                 const std::string& topic) {
    std::map<std::string, std::set<std::string>> counted;
    bool in_list = false;
    for (const std::string& line : lines_of(read_text_if_there(course.root / contract_of(topic)))) {
        const Lines item = match(line, "^/// +- ([a-z0-9_]+): (.+)$");
        in_list = begins_with(line, "/// What is counted") || (in_list && !item.empty());
        if (!in_list || item.empty()) continue;
        for (const std::string& part : lines_of(replaced(item[2], ",", "\n")))
            counted[item[1]].insert(trimmed(part));
    }
    return counted;
}

std::optional<std::set<std::string>> computed_by_host(const Course& course, const std::string& topic) {
    for (const std::string& line : lines_of(read_text_if_there(course.root / contract_of(topic)))) {
        const Lines found = match(line, "^/// What the host may compute: ([a-z0-9_, ]+)[.]");
        if (found.empty()) continue;
        std::set<std::string> names;
        for (const std::string& name : words_of(replaced(found[1], ",", " "))) names.insert(name);
        names.erase("nothing");
        return names;
    }
    return {};
}

Lines complaints_about_counted(const Course& course, const Exercise& exercise,
                               const std::set<std::string>& demands) {
    Lines complaints;
    const std::set<std::string> counted = counted_by_contract(course, exercise.topic)[exercise.name];
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
