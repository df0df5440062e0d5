#include "practice.hpp"

#include <algorithm>
#include <functional>
#include <words/progress.hpp>

#include "judge.hpp"
#include "standing.hpp"

namespace course {

namespace {

constexpr std::size_t every = 3, offered_hunts = 2, most_notes = 300;

/// The verdicts that were noted: one line "KIND TOPIC/NAME HASH" for each.
fs::path notes_of(const Course& course) {
    return course.build / "results" / "kinds.txt";
}

/// Returns the hunts to offer: those whose verdict has this diagnosis and that are not solved. Hunts in exercises that the
/// student has solved come first. Hunts in `exercise` are left out, because they would show its solution.
std::vector<const Hunt*> hunts_for(const Course& course, const std::vector<Hunt>& hunts,
                                   const Exercise& exercise, const std::string& diagnosis) {
    std::vector<const Hunt*> fitting;
    for (const Hunt& hunt : hunts) {
        if (hunt.diagnosis == diagnosis && hunt.exercise != &exercise && !read_progress(course, hunt).solved)
            fitting.push_back(&hunt);
    }
    const auto is_locked = [&](const Hunt* hunt) {
        return standing_of(course, *hunt->exercise).state != State::done;
    };
    std::stable_sort(fitting.begin(), fitting.end(), [&](const Hunt* a, const Hunt* b) {
        return std::pair(is_locked(a), a->level) < std::pair(is_locked(b), b->level);
    });
    fitting.resize(std::min(fitting.size(), offered_hunts));
    return fitting;
}

}  // namespace

Lines practice_after(const Course& course, const Exercise& exercise, const Verdict& verdict,
                     const std::string& text) {
    const CaseVerdict* const told = told_failure(verdict);
    if (!told || !told->finding) return {};
    const std::string kind = told->finding->kind, note = kind + " " + exercise.id() + " " +
                                                         std::to_string(std::hash<std::string>()(text));
    Lines notes = lines_of(read_text_if_there(notes_of(course)));
    if (std::find(notes.begin(), notes.end(), note) != notes.end()) return {};
    notes.push_back(note);
    if (notes.size() > most_notes) notes.erase(notes.begin(), notes.end() - most_notes);
    write_text(notes_of(course), text_of(notes));
    const auto is_same = [&](const std::string& line) { return begins_with(line, kind + " "); };
    const auto count = static_cast<std::size_t>(std::count_if(notes.begin(), notes.end(), is_same));
    if (count % every != 0) return {};
    std::vector<Hunt> hunts;
    try {
        hunts = all_hunts(course);
    } catch (const Error&) {  // a damaged list of hunts must not hide the verdict
    }
    Lines commands;
    for (const Hunt* hunt : hunts_for(course, hunts, exercise, kit::detail::name_of(told->diagnosis))) {
        const bool is_locked = standing_of(course, *hunt->exercise).state != State::done;
        commands.push_back(course.shown(course.build) + "/kit_course hunt " + hunt->name() +
                           (is_locked ? " --anyway" : ""));
    }
    return kit::words::practise(static_cast<int>(count), replaced(kind, "_", " "), kit::page_of(kind),
                                commands);
}

}  // namespace course
