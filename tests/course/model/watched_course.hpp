// A course of three exercises for the tests of `watch`, with a script that replaces ctest: a file with
// "right" passes, one with "loop" is right by a different method, one with "race" is wrong in task 2, and
// others are open. With "slow", the run takes half a minute.
#pragma once

#include "judge.hpp"
#include "small_course.hpp"
#include "telling.hpp"

namespace course_test {

struct WatchedCourse : Folder {
    static constexpr char tasks[] = R"(# First

## add
### Task 1: load
<details><summary>Hint 1 (a question)</summary>

Which element?
</details>

### Task 2: add
<details><summary>Hint 1 (a question)</summary>

Who waits for whom?
</details>
<details><summary>Hint 2 (a pointer)</summary>

Look at the barrier.
</details>
<details><summary>Hint 3 (near-code)</summary>

```text
for each step:
    wait
```
</details>

### Explain
1. Predict the time of `n = 1`.
2. Why not zero?

## subtract
### Task 1: subtract
<details><summary>Hint 1 (a question)</summary>

Less?
</details>
)";

    static constexpr char ctest[] = R"(#!/bin/sh
# ctest --test-dir BUILD -Q -R '^exercise[.]TOPIC[.]NAME([.]|$)'
name=${5#*first\[.\]}
name=${name%%(*}
source=FOLDER/submitted/00_first/$name.cu verdict=FOLDER/build/results/exercise.00_first.$name
says() { grep -q "$1" "$source"; }
write() { printf "%s\n" "$1" >"$verdict.part" && mv "$verdict.part" "$verdict.json"; }
echo "$name $COLUMNS $KIT_RUN_ALL" >>FOLDER/calls
if says slow; then
    write "{\"test\": \"exercise.00_first.$name\", \"outcome\": \"wrong\", \"sentence\": \"stopped\"}"
    sleep 30 &
    echo $! >FOLDER/sleeper
    wait
fi
outcome=open cases='[]' output='OPEN   TODO(1) is still open'
says right && outcome=pass output='RESULT pass: 2 of 2 cases'
says loop && outcome=other_method output='OTHER  right results\nRESULT other: right in all 2 cases' \
    cases='[{"name": "n=1", "outcome": "other_method", "what": "It practises a tree.", "tasks": [2]}]'
says race && outcome=wrong output='WRONG  race on `tile`\nRESULT fail: 1 of 2 cases failed' \
    cases='[{"name": "n=1", "outcome": "fail", "fault": "stated", "sentence": "race on `tile`", "tasks": [2]}]'
write "{\"test\": \"exercise.00_first.$name\", \"outcome\": \"$outcome\", \"sentence\": \"2 of 2 cases\", \"output\": \"$output\",
\"cases\": $cases}"
)";

    course::Course course;

    WatchedCourse() {
        const std::string solution = SmallCourse::solution;
        for (const std::string name : {"start", "add", "subtract"}) {
            write("solutions/00_first/" + name + ".cu", solution);
            write("submitted/00_first/" + name + ".cu", course::Source("a.cu", solution).starter());
        }
        write("exercises/00_first/README.md", tasks);
        write("course.txt", "root " + path.string() + "\nbuild " + path.string() + "/build\nsubmitted " +
                                path.string() + "/submitted\nbackend CPU\nchosen \n");
        write(course::manifest,
              "topic 00_first First\nexercise start x\nexercise add x\nexercise subtract x\n");
        write("bin/ctest", course::replaced(ctest, "FOLDER", path.string()));
        course::fs::permissions(path / "bin/ctest", course::fs::perms::owner_all);
        write("calls", "");
        write("build/results/run.begun", "");
        course = course::Course::read(path / "course.txt");
    }

    std::string submitted(const std::string& name) const { return "submitted/00_first/" + name + ".cu"; }
    course::fs::path file(const std::string& name) const { return path / submitted(name); }
    /// Writes the file in place, as some editors do. write() writes a new file and renames it, as other editors do.
    void save_in_place(const std::string& name, const std::string& text) const {
        std::FILE* file = std::fopen((path / submitted(name)).c_str(), "w");
        if (!file) throw course::Error(name, ": cannot be written");
        std::fputs(text.c_str(), file);
        std::fclose(file);
    }
    /// Creates the files that ctest would have left.
    std::vector<course::Graded> grade(const std::string& name, const std::string& text) const {
        write(submitted(name), text);
        const course::Exercise& exercise = course.named(name);
        const std::string names = "^exercise[.]00_first[.]" + name + "([.]|$)";
        course::run({(path / "bin/ctest").string(), "--test-dir", "build", "-Q", "-R", names});
        const std::string test = course::tests_of(exercise)[0];
        return {{&exercise, course::read_verdict(course::verdict_file(course, test)).value()}};
    }
};

}  // namespace course_test
