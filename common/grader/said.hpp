// What a test says about a mistake: its sentence, and the tasks that the sentence points to. No code reads the tasks from the text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kit {

struct Said {
    std::string text;
    std::vector<int> tasks;  ///< of the README

    Said() = default;
    Said(const char* sentence) : text(sentence) {}
    Said(std::string sentence) : text(std::move(sentence)) {}

    bool empty() const { return text.empty(); }
    Said& operator+=(const Said& more) {
        text += more.text;
        for (const int task : more.tasks) {
            if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) tasks.push_back(task);
        }
        return *this;
    }
};

inline Said operator+(Said sentence, const Said& more) {
    sentence += more;
    return sentence;
}

/// Returns "Task 1", which points to this task.
inline Said named_task(int task) {
    Said said("Task " + std::to_string(task));
    said.tasks = {task};
    return said;
}

/// Returns " (Task 1)", which ends a sentence.
inline Said task(int task) {
    return " (" + named_task(task) + ")";
}
/// Returns " (Task 1 or Task 2)".
inline Said task(int one, int other) {
    return " (" + named_task(one) + " or " + named_task(other) + ")";
}

}  // namespace kit
