// What the report says of a diagnosis, and where the student reads on.
#pragma once

#include <diagnoses.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::detail {

/// Mistakes that show in the values; for these a repeated run can tell more.
inline bool about_values(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::not_written:
        case Diagnosis::nan:
        case Diagnosis::tail:
        case Diagnosis::first_block_only:
        case Diagnosis::shifted:
        case Diagnosis::block_offset:
        case Diagnosis::transposed:
        case Diagnosis::constant_output:
        case Diagnosis::precision:
        case Diagnosis::wrong_value:
            return true;
        default:
            return false;
    }
}

/// Where the student reads on: the tasks named for this diagnosis, otherwise the README as a whole; and the page about
/// what the executor found, if it found something.
struct Readme {
    std::string path;
    std::map<Diagnosis, std::vector<int>> tasks;
    std::map<int, std::string> titles;  ///< of the tasks, where whoever started the test has looked them up

    std::vector<int> tasks_of(Diagnosis diagnosis) const {
        const auto found = tasks.find(diagnosis);
        return found == tasks.end() ? std::vector<int>{} : found->second;
    }

    /// "see Task 2, "the tail", in exercises/07_reduction/README.md, and lectures/diagnoses/race.md"
    std::string see(Diagnosis diagnosis, const std::string& page = "") const {
        std::string text;
        for (const int number : tasks_of(diagnosis)) {
            const auto title = titles.find(number);
            text += (text.empty() ? "Task " : " and Task ") + std::to_string(number) +
                    (title == titles.end() ? "" : ", \"" + title->second + "\",");
        }
        return "see " + (text.empty() ? "" : text + " in ") + path + (page.empty() ? "" : ", and " + page);
    }
};

}  // namespace kit::detail
