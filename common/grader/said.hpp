// What a test says about a mistake: its sentence, and the facts that go with it. No code reads facts from the text.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kit {

struct Said {
    std::string text;
    std::vector<int> tasks;  ///< numbers of the README's tasks that the sentence names
    std::string subject;     ///< the variable or member that the sentence is about, if subject() names it
    const char* file = "";
    int line = 0;  ///< the line of the test that has the sentence

    Said() = default;
    Said(const char* sentence, const char* in = __builtin_FILE(), int at = __builtin_LINE())
        : text(sentence), file(in), line(at) {}
    Said(std::string sentence, const char* in = __builtin_FILE(), int at = __builtin_LINE())
        : text(std::move(sentence)), file(in), line(at) {}

    bool empty() const { return text.empty(); }
    /// Appends to the sentence. Subject and line of the first part remain.
    Said& operator+=(const Said& more) {
        text += more.text;
        if (subject.empty()) subject = more.subject;
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

/// Returns "`name`", and makes it the subject of the sentence: wrong values of one subject are one mistake, whichever sentence reports them.
inline Said subject(const std::string& name, const char* in = __builtin_FILE(), int at = __builtin_LINE()) {
    Said said("`" + name + "`", in, at);
    said.subject = name;
    return said;
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
