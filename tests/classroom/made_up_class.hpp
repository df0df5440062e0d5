// An invented class, and a course of three exercises in its own folder, for all tests of results.
#pragma once

#include "classroom.hpp"
#include "folder.hpp"

namespace classroom_test {

using classroom::Class;
using classroom::Entry;
using classroom::Exercise;
using classroom::Lines;
using classroom::Student;
using classroom::Verdict;
using course::contains;

/// Returns how many times `part` occurs in the text.
inline std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
    return count;
}

/// Returns a solution with this number of tasks; its starter has a gap for each.
inline std::string solution_of(int tasks) {
    std::string text = "// A header.\n\n";
    for (int task = 1; task <= tasks; ++task) {
        const std::string number = std::to_string(task);
        text += "void part" + number + "() {\n    // TODO(" + number + "): Do it.\n    // BEGIN SOLUTION " +
                number + "\n    work(" + number + ");\n    // END SOLUTION " + number + "\n}\n";
    }
    return text;
}

inline course::CaseVerdict case_of(const std::string& name, const std::string& outcome,
                                   kit::Diagnosis diagnosis = kit::Diagnosis::wrong_value,
                                   std::vector<int> tasks = {}) {
    course::CaseVerdict one;
    one.name = name, one.diagnosis = diagnosis, one.tasks = std::move(tasks);
    if (outcome == "fail") one.status = course::Status::fail;
    if (outcome == "skip") one.status = course::Status::skip;
    if (outcome == course::other_method) one.status = course::Status::other;
    return one;
}

/// Returns a case with a race, as the executor reports it.
inline course::CaseVerdict race_in(const std::string& name, std::vector<int> tasks) {
    course::CaseVerdict one = case_of(name, "fail", kit::Diagnosis::race, std::move(tasks));
    one.finding = kit::facts::Finding(kit::facts::Rule::race);
    return one;
}

/// A class for which 07_reduction/tree has three tasks, 07_reduction/fast two, and 08_scan/compact one.
struct MadeUpClass : course_test::Folder {
    course::Course course;
    Class graded;

    MadeUpClass() {
        course.root = path / "kit";
        course.build = path / "build";
        course.exercises = {
            {"07_reduction", "tree", {}}, {"07_reduction", "fast", {}}, {"08_scan", "compact", {}}};
        write("kit/solutions/07_reduction/tree.cu", solution_of(3));
        write("kit/solutions/07_reduction/fast.cu", solution_of(2));
        write("kit/solutions/08_scan/compact.cu", solution_of(1));
        write("kit/exercises/07_reduction/README.md",
              "# Tasks\n\n## tree\n### Task 1: The tree\n### Task 2: The tail\n### Task 3: The launch\n\n"
              "## fast\n### Task 1: Fast\n### Task 2: Faster\n");
        write("kit/exercises/08_scan/README.md", "# Tasks\n\n## compact\n### Task 1: Keep what counts\n");
        graded.course = &course;
        for (const Exercise& exercise : course.exercises) graded.exercises.push_back(&exercise);
    }

    const Exercise& exercise(const std::string& id) const { return course.exercise(id); }

    /// Adds a student, whose exercises are missing until the test hands them in.
    Student& add(const std::string& id, const std::string& name = "") {
        Student student;
        student.id = id;
        student.name = name.empty() ? id : name;
        for (const Exercise* exercise : graded.exercises) {
            Entry& entry = student.entries[exercise->id()];
            entry.outcome = "missing";
            entry.sentence = "nothing was handed in";
        }
        graded.students.push_back(student);
        return graded.students.back();
    }

    /// Hands in a text for the student, with this outcome.
    Entry& hand_in(Student& student, const std::string& id, const std::string& outcome,
                   const std::string& text = "// mine\n") {
        Entry& entry = student.entries.at(id);
        entry = Entry();
        write("out/students/" + student.id + "/" + id + ".cu", text);
        entry.file = path / "out/students" / student.id / (id + ".cu");
        entry.content = classroom::name_of_content(text);
        entry.outcome = outcome;
        entry.sentence = outcome == "pass" ? "2 of 2 cases" : outcome;
        entry.verdict.outcome = outcome;
        entry.verdict.test = "exercise." + course::replaced(id, "/", ".");
        entry.verdict.sentence = entry.sentence;
        return entry;
    }

    /// Hands in a wrong submission, whose verdict has these cases.
    Entry& hand_in_wrong(Student& student, const std::string& id, std::vector<course::CaseVerdict> cases) {
        Entry& entry = hand_in(student, id, "wrong");
        for (const course::CaseVerdict& one : cases) {
            entry.verdict.passed += one.status == course::Status::pass;
            entry.verdict.failed += one.status == course::Status::fail;
        }
        entry.verdict.cases = std::move(cases);
        entry.verdict.output = "WRONG  something\n";
        return entry;
    }
};

}  // namespace classroom_test
