// What the report says about where the student reads on: the task, in the README of the exercise, and a page about the mistake.
#pragma once

#include <grader/cause.hpp>
#include <map>
#include <string>
#include <vector>
#include <words/run.hpp>

namespace kit::detail {

struct Readme {
    std::string path;
    TaskMap tasks;
    std::map<int, std::string>
        titles;              ///< of the tasks, if the program that started the test has looked them up
    std::string submission;  ///< the path of the student's file, likewise

    std::vector<int> tasks_for(const facts::Failure& failure) const { return Tasks(tasks).of(failure); }

    /// "Task 2, "the tail", in exercises/07_reduction/README.md"
    std::string place_of(const std::vector<int>& numbers) const {
        return words::place_of_tasks(numbers, titles, path);
    }
};

}  // namespace kit::detail
