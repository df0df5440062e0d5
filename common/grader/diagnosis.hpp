// The part of the report that says where to read on: the task in the README of the exercise, and a page about the mistake.
#pragma once

#include <grader/task.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::detail {

struct Readme {
    std::string path;
    TaskMap tasks;
    std::map<int, std::string>
        titles;              ///< titles of the tasks, if the program that started the test passed them on
    std::string submission;  ///< path of the student's file, if that program passed it on

    std::vector<int> tasks_for(const facts::Failure& failure) const { return Tasks(tasks).of(failure); }

    /// Returns a text such as "Task 2, "the tail", in exercises/07_reduction/README.md".
    std::string place_of(const std::vector<int>& numbers) const {
        std::string text;
        for (const int number : numbers) {
            const auto title = titles.find(number);
            text += (text.empty() ? "Task " : " and Task ") + std::to_string(number) +
                    (title == titles.end() ? "" : ", \"" + title->second + "\",");
        }
        return (text.empty() ? "" : text + " in ") + path;
    }

    /// Returns a text such as "see Task 2, "the tail", in exercises/07_reduction/README.md, and lectures/diagnoses/race.md".
    std::string see(const std::vector<int>& numbers, const std::string& page = "") const {
        return "see " + place_of(numbers) + (page.empty() ? "" : ", and " + page);
    }
};

}  // namespace kit::detail
