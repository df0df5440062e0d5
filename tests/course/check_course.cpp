// kit_check_course ROOT EXERCISES CHECK: applies one rule to a checkout. EXERCISES is the file that CMake writes,
// with one topic/name per line. Prints the complaints; exit 0 without any, 1 with some, 2 for a usage error.
#include <iostream>
#include <sstream>

#include "checks.hpp"

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: kit_check_course ROOT EXERCISES CHECK\n";
        return 2;
    }
    course::Course course{argv[1], {}};
    for (const std::string& line : course::lines_of(course::read_text(argv[2]))) {
        std::istringstream words(line);
        std::string key, topic, name;
        if (words >> key >> topic >> name && key == "exercise") course.exercises.push_back({topic, name});
    }
    if (course.exercises.empty()) {
        std::cerr << argv[2] << ": no exercises, so nothing would be checked\n";
        return 1;
    }
    for (const course::Check& check : course::all_checks()) {
        if (check.name != argv[3]) continue;
        const course::Complaints complaints = check.run(course);
        for (const std::string& complaint : complaints) std::cout << complaint << "\n";
        std::cout << course.exercises.size() << " exercises, " << complaints.size() << " complaints\n";
        return complaints.empty() ? 0 : 1;
    }
    std::cerr << "there is no check " << argv[3] << "\n";
    return 2;
}
