// The lines of the report that say where to read on: the task in the README of the exercise, and a page about
// the mistake.
#pragma once

#include <grader/task.hpp>
#include <map>
#include <string>
#include <vector>
#include <words/run.hpp>

namespace kit::detail {

struct Readme {
    std::string path;
    TaskMap tasks;
    std::map<int, std::string>
        titles;              ///< titles of the tasks, if the program that started the test has passed them
    std::string submission;  ///< path of the student's file, if that program has passed it

    std::vector<int> tasks_for(const facts::Failure& failure) const { return Tasks(tasks).of(failure); }

    /// Returns the place of tasks as text, such as "Task 2, "the tail", in exercises/07_reduction/README.md".
    std::string place_of(const std::vector<int>& numbers) const {
        return words::place_of_tasks(numbers, titles, path);
    }
};

}  // namespace kit::detail
