#include "overview.hpp"

#include <algorithm>
#include <words/outcome.hpp>

namespace classroom {

Cell cell_of(const Entry& entry) {
    static const std::map<std::string, Cell> cells = {
        {"pass", Cell::passed}, {course::other_method, Cell::other},
        {"wrong", Cell::wrong}, {"broken", Cell::broken},
        {"open", Cell::open},   {"missing", Cell::missing}};
    const auto found = cells.find(entry.outcome);
    if (found == cells.end()) return Cell::ungraded;
    return found->second == Cell::open && entry.is_starter ? Cell::untouched : found->second;
}

Cell cell_of(const Student& student, const Exercise& exercise) {
    const auto found = student.entries.find(exercise.id());
    return found == student.entries.end() ? Cell::ungraded : cell_of(found->second);
}

const char* in_words(Cell cell) {
    static constexpr std::array<const char*, cells> words = {
        "right", "another method", "wrong", "does not compile", "open", "untouched", "missing", "not graded"};
    return words[static_cast<std::size_t>(cell)];
}

std::string style_of(Cell cell) {
    static constexpr std::array<const char*, cells> names = {"passed", "other",     "wrong",   "broken",
                                                             "open",   "untouched", "missing", "ungraded"};
    return names[static_cast<std::size_t>(cell)];
}

bool is_stuck(Cell cell) {
    return cell == Cell::wrong || cell == Cell::broken || cell == Cell::open;
}

Diagnosis diagnosis_of(const Verdict& verdict) {
    const course::CaseVerdict* const told = course::told_failure(verdict);
    if (!told) return {};
    if (told->finding)
        return {course::replaced(told->finding->kind, "_", " "), kit::page_of(told->finding->kind)};
    const std::string sentence = kit::words::sentence_of(told->diagnosis);
    // The sentence ends with advice to the student: "only the end is wrong: check the number of blocks".
    return {sentence.empty() ? "wrong values" : sentence.substr(0, sentence.find(':')), ""};
}

std::vector<const Standing*> Overview::hardest() const {
    std::vector<const Standing*> hardest;
    for (const Standing& one : exercises) {
        if (!one.stuck.empty()) hardest.push_back(&one);
    }
    std::stable_sort(hardest.begin(), hardest.end(),
                     [](const Standing* a, const Standing* b) { return a->stuck.size() > b->stuck.size(); });
    return hardest;
}

Overview overview_of(const Class& graded) {
    Overview overview;
    std::map<std::string, Frequent> frequent;
    for (const Exercise* exercise : graded.exercises) {
        Standing standing;
        standing.exercise = exercise;
        for (const Student& student : graded.students) {
            const Cell cell = cell_of(student, *exercise);
            ++standing.count[static_cast<std::size_t>(cell)];
            if (is_stuck(cell)) standing.stuck.push_back(&student);
            if (cell != Cell::wrong) continue;
            const Diagnosis diagnosis = diagnosis_of(student.entries.at(exercise->id()).verdict);
            if (diagnosis.words.empty()) continue;
            Frequent& one = frequent[diagnosis.words + "\n" + diagnosis.page];
            one.diagnosis = diagnosis;
            ++one.submissions;
            if (std::find(one.students.begin(), one.students.end(), &student) == one.students.end())
                one.students.push_back(&student);
            if (one.exercises.empty() || one.exercises.back() != exercise) one.exercises.push_back(exercise);
        }
        overview.exercises.push_back(std::move(standing));
    }
    for (auto& [words, one] : frequent) overview.diagnoses.push_back(std::move(one));
    std::stable_sort(overview.diagnoses.begin(), overview.diagnoses.end(),
                     [](const Frequent& a, const Frequent& b) { return a.submissions > b.submissions; });
    return overview;
}

}  // namespace classroom
