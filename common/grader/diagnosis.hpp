// What the report says of a diagnosis, and where the student reads on.
#pragma once

#include <algorithm>
#include <diagnoses.hpp>
#include <grader/told.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kit::detail {

/// The number behind "Task " or "TODO(" where a test names a task of the exercise itself; 0 if it names none.
inline int task_in(const std::string& sentence) {
    for (const char* word : {"Task ", "TODO("}) {
        const std::string start = word;
        for (std::size_t at = sentence.find(start); at != std::string::npos;
             at = sentence.find(start, at + 1)) {
            const int number = std::atoi(sentence.c_str() + at + start.size());
            if (number > 0) return number;
        }
    }
    return 0;
}

/// Lines of the student's file that belong to a task.
struct Region {
    std::string file;  ///< without its folder
    int first = 0, last = 0, task = 0;
};

/// Where the student reads on: the task to look at, otherwise the README as a whole; and the page about what the executor found,
/// if it found something.
struct Readme {
    std::string path;
    std::map<Diagnosis, std::vector<int>> tasks;
    std::vector<std::pair<std::string, int>> tasks_of_words;
    std::map<int, std::string> titles;  ///< of the tasks, where whoever started the test has looked them up
    std::vector<Region> regions;        ///< likewise
    std::string submission;             ///< the path of the student's file, likewise

    /// The tasks named for a diagnosis: for failures without a line.
    std::vector<int> tasks_of(Diagnosis diagnosis) const {
        const auto found = tasks.find(diagnosis);
        return found == tasks.end() ? std::vector<int>{} : found->second;
    }

    /// The task that a line belongs to, or else the line that called it; 0 if it belongs to none.
    int task_at(const facts::Where& where) const {
        const int task = task_of_line(where);
        return task > 0 ? task : task_of_line(where.caller);
    }

    /// A task that the sentence itself names is the one, or that a test names for its words; otherwise the place decides. Where
    /// two lines of different tasks are named, it is the one that this kind of failure belongs to, and else the later one, which
    /// is where something was missing. Where no line belongs to a task the kind of failure decides. What was read before it was
    /// written has two suspects: the task that writes, and the one that reads.
    std::vector<int> tasks_for(Diagnosis diagnosis, const std::string& sentence,
                               const std::vector<facts::Where>& lines = {}) const {
        if (const int named = task_in(sentence)) return {named};
        std::vector<int> told;
        std::string words;  // the first that fit, perhaps of several tasks
        for (const auto& [text, task] : tasks_of_words) {
            if (sentence.find(text) == std::string::npos || (!told.empty() && text != words)) continue;
            told.push_back(task);
            words = text;
        }
        if (!told.empty()) return told;
        std::vector<int> found = tasks_of(diagnosis);
        int at_place = 0, last = 0, fitting = 0, last_fitting = 0;
        for (const facts::Where& where : lines) {
            const int task = task_at(where);
            const bool fits = std::find(found.begin(), found.end(), task) != found.end();
            if (task > 0 && fits && where.line >= last_fitting) fitting = task, last_fitting = where.line;
            if (task > 0 && where.line >= last) at_place = task, last = where.line;
        }
        if (fitting > 0) return {fitting};
        if (at_place == 0) return found;
        if (diagnosis != Diagnosis::uninitialised) found.clear();
        found.push_back(at_place);
        return found;
    }

    /// "Task 2, "the tail", in exercises/07_reduction/README.md"
    std::string place_of(const std::vector<int>& numbers) const {
        std::string text;
        for (const int number : numbers) {
            const auto title = titles.find(number);
            text += (text.empty() ? "Task " : " and Task ") + std::to_string(number) +
                    (title == titles.end() ? "" : ", \"" + title->second + "\",");
        }
        return (text.empty() ? "" : text + " in ") + path;
    }

    /// The same in one sentence: "see Task 2, "the tail", in exercises/07_reduction/README.md, and lectures/diagnoses/race.md"
    std::string see(const std::vector<int>& numbers, const std::string& page = "") const {
        return "see " + place_of(numbers) + (page.empty() ? "" : ", and " + page);
    }

  private:
    int task_of_line(const facts::Line& line) const {
        for (const Region& region : regions) {
            if (region.file == without_folder(line.file) && region.first <= line.line &&
                line.line <= region.last)
                return region.task;
        }
        return 0;
    }
};

}  // namespace kit::detail
