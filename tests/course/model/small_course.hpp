// A course of one exercise, in its own folder, for which every rule holds.
#pragma once

#include "course.hpp"
#include "diagnoses.hpp"
#include "folder.hpp"
#include "records_sample.hpp"
#include "source.hpp"

namespace course_test {

/// The starter and the solution of its exercise.
inline const std::string starter_file = "exercises/00_first/add.cu",
                         solution_file = "solutions/00_first/add.cu";

struct SmallCourse : Folder {
    static constexpr char solution[] = R"(// 00_first/add: a sum.
//
// Build: nvcc -std=c++17 add.cu add_test.cu -o add
// Run:   ./add
//
//   v1  add: one thread per element

// v1: one thread per element.
// [kernel]
void add() {
    // TODO(1): Add. About 1 line.
    // BEGIN SOLUTION 1
    work();
    // STARTER KIT_TODO(1);
    // END SOLUTION 1
}
// [/kernel]
)";

    static constexpr char submissions[] = R"(# Submissions

== wrong a
what: x
kind: race
task: 1
at: play();
hunt: 1
hunt.level: 1
hunt.symptom: It plays.
hunt.kind: work
hunt.line: play();
hunt.hint: one
hunt.hint: two
hunt.hint: three
-- region 1
    play();

== wrong b
what: x
kind: tail
task: none
backends: cpu (a reason)
-- replace
void add() {
-- with
void add(int) {

== wrong c
what: x
kind: nan | tail
task: none | 1
-- top
int c;

== right way
what: x
-- region 1
    other_work();
)";

    static constexpr char screens[] =
        R"(# What a student sees of each submission of 00_first that does not pass. `kit_author accept` writes it.

== wrong add.a
WRONG  yes

RESULT fail: 1 of 1 case failed

== wrong add.b
WRONG  only
    here

== wrong add.c
WRONG  no
)";

    static constexpr char tasks[] = R"(# 00 First: the exercises

<!-- exercises -->

| exercise | you write | about |
|---|---|---|
| [add](#add) | a sum | 1 line |

<!-- /exercises -->

## add
### Task 1: Add
<details><summary>Hint 1 (a question)</summary>

Which element?

</details>
<details><summary>Hint 2 (a pointer)</summary>
Look at the guard.
</details>
<details>
<summary>Hint 3 (near-code)</summary>
if
</details>
)";

    static constexpr char shown_code[] = R"(
<!-- code: solutions/00_first/add.cu kernel -->
```cpp
void add() {
    // TODO(1): Add. About 1 line.
    KIT_TODO(1);
}
```

<details><summary>After you have done the exercise</summary>

```cpp
void add() {
    work();
}
```

</details>
)";

    static constexpr char readme[] = R"(# Course

<!-- topics -->

| topic | you learn | exercises |
|---|---|---|
| [00 First](lectures/00_first/README.md): [tasks](exercises/00_first/README.md), [slides](slides/00_first.md) | x | `add` |

<!-- /topics -->

```sh
cmake --preset exercises && cmake --build --preset exercises -t demo.00_first
ctest --preset exercises -R first.add
```
)";

    static constexpr char guide[] = R"(# Guide

## Reading order

| step | read |
|---|---|
| 1 | 00 |

## 14 weeks

| 1 | [00 First](00_first/README.md) | 20 | `add` |
)";

    /// Returns a deck that has all required slides.
    static std::string deck() {
        std::string text = R"(---
title: 00 First
---
<!-- _class: title -->
# **00** First

---
<!-- _class: predict -->
## Which one?
<!-- Time: 1 min. -->

---
<!-- _class: demo -->
## Run it
<!-- Time: 1 min. -->

---
<!-- _class: exercises -->
## Your turn

<!-- exercises -->

| exercise | you write | lines |
|---|---|---|
| `add` | a sum | 1 |

<!-- /exercises -->

<!-- Time: 1 min.
Say: go. -->
)";
        for (int slide = 5; slide <= 15; ++slide)
            text += "\n---\n## Point " + std::to_string(slide) + "\n<!-- Time: 1.5 min. -->\n";
        return text;
    }

    static constexpr char presets[] = R"({
"configurePresets": [{"name": "base", "hidden": true}, {"name": "exercises"}],
"buildPresets": [{"name": "exercises"}, {"name": "solutions"}], "testPresets": [{"name": "exercises"}]})";

    static constexpr char glossary[] = R"(# Glossary

| term | in one sentence | introduced in |
|---|---|---|
| word | what is said | [00](00_first/README.md) |
)";

    static constexpr char misconceptions[] = R"(# Misconceptions

| they think | evidence | the verdict says |
|---|---|---|
| one | [add.a](../tests/00_first/add.submissions) | `yes` |
| two | [add.b](../tests/00_first/add.submissions) | CPU: `only here` |
)";

    SmallCourse() {
        write(solution_file, solution);
        write(starter_file, course::Source("add.cu", solution).starter());
        write("exercises/00_first/README.md", tasks);
        write("tests/00_first/add_test.cu", "");
        write("tests/00_first/00_first.hpp",
              "/// What the host may compute: nothing.\nnamespace first {\n\nvoid add();\n\n}  // "
              "namespace first\n");
        write(course::manifest, "# Facts.\ntopic 00_first First\nlearn x\nexercise add a sum\n");
        write("tests/00_first/add.submissions", submissions);
        write("tests/00_first/00_first.screens", screens);
        write("lectures/00_first/README.md", std::string("# 00 First\n\n**Prerequisites.** A **word** of "
                                                         "C++. [try](../../exercises/00_first/README.md), "
                                                         "[web](https://example.org), `[x](y)`\n") +
                                                 shown_code);
        write("lectures/00_first/demo.cu", "");
        write("lectures/00_first/results/cpu_executor.json", cpu_record);
        write("lectures/00_first/results/cpu_executor.txt", "printed\n");
        write("lectures/misconceptions.md", misconceptions);
        write("lectures/results.md", course::read_text(course::fs::path(KIT_ROOT) / "lectures/results.md"));
        write("lectures/glossary.md", glossary);
        write("lectures/instructors_guide.md", guide);
        write("slides/00_first.md", deck());
        write("README.md", readme);
        write("CMakePresets.json", presets);
        std::string index, examples;
        for (const kit::FindingRow& row : kit::finding_rows) {
            const std::string kind = row.kind;
            write(kit::page_of(kind), "# " + kind + "\n<!-- report: " + kind + " -->\n");
            index += "[" + kind + "](" + kind + ".md)\n";
            examples += kind == "stack" ? "\nALONE(\"stack\") {"
                                        : "\nPLANTED(\"" + kind + "\", \"" + kind + "\", \"text\") {";
        }
        write("lectures/diagnoses/race.md", std::string("# race\n<!-- report: race -->\n") + shown_code);
        write("lectures/diagnoses/README.md", "# Kinds\n" + index);
        write("tests/cpu/checks/pages_test.cu", examples);
    }

    course::Course course() const {
        course::Course course;
        course.root = path;
        course.build = path / "build";
        course.read_manifest();
        return course;
    }
};

}  // namespace course_test
