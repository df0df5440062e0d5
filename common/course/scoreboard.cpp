// Prints the end of each ctest run: the verdicts of the exercises that were graded, the scoreboard, and the
// next step. CTest calls `begin` before the tests and `scoreboard` after them (CTestCustom.cmake).
#include <algorithm>
#include <cstdio>
#include <map>
#include <text_layout.hpp>
#include <words/progress.hpp>

#include "build.hpp"
#include "commands.hpp"
#include "hunts.hpp"
#include "judge.hpp"
#include "regions.hpp"
#include "telling.hpp"
#include "verdict.hpp"

namespace course {

namespace {

void print(const Lines& lines) {
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
}

void print_painted(const Lines& lines, const Look& look) {
    for (const std::string& line : lines)
        std::printf("%s\n", (look.colour ? kit::painted(line) : line).c_str());
}

struct Counts {
    int done = 0, other = 0, wrong = 0, open = 0, skipped = 0;

    void add(State state) {
        ++(state == State::done                              ? done
           : state == State::other                           ? other
           : state == State::skipped                         ? skipped
           : state == State::wrong || state == State::broken ? wrong
                                                             : open);
    }
    int all() const { return done + other + wrong + open + skipped; }
};

/// A screen of 24 lines, without the command and the next prompt.
constexpr std::size_t most_lines = 22;

class Scoreboard {
  public:
    Scoreboard(const Course& course, std::vector<Standing> standings)
        : course_(course), standings_(std::move(standings)) {}

    const Look& look() const { return look_; }

    void print() const {
        std::map<std::string, Counts> topics;
        Counts all;
        for (const Standing& one : standings_) topics[one.exercise->topic].add(one.state), all.add(one.state);
        Columns columns;
        columns.other = all.other > 0, columns.skipped = all.skipped > 0;
        std::printf("\n  %s  graded on the %s backend\n\n", look_.paint("1", "CUDA course").c_str(),
                    course_.backend.c_str());
        std::printf("  %-22s %-24s  %5s%s %6s %5s%s\n", "topic", "", "done", columns.other ? "  other" : "",
                    "wrong", "open", columns.skipped ? "  skipped" : "");
        for (const std::string& topic : course_.topics()) {
            if (course_.has_chosen(topic)) row(topic, topics[topic], columns);
        }
        std::printf(
            "  %s\n",
            look_.repeated("─", '-', 68 + (columns.other ? 7 : 0) + (columns.skipped ? 9 : 0)).c_str());
        row("all", all, columns);
        const HuntCounts hunts = print_hunts(columns);
        std::printf("\n");
        const Standing* next = next_to_do(standings_, nullptr);
        if (next) {
            print_next(*next, false);
            course::print(entry("grade", "ctest --preset exercises -R '" + next->exercise->pattern() + "'"));
            course::print(entry("more", next->exercise->tasks().string()));
        } else {
            print_end(all);
        }
        if (hunts.offered > 0)
            course::print(entry("hunt", course_.shown(course_.build) + "/kit_course hunt"));
        if (all.open > 0 && all.wrong == 0) {
            std::printf("\n  %s\n", kit::words::exercises_are_open(all.open).c_str());
        } else if (all.other > 0 && all.wrong == 0) {
            std::printf("\n  %s\n", kit::words::exercises_use_another_method(all.other).c_str());
        }
        std::printf("\n");
    }

    /// Prints the next step if only some exercises were graded. The first of these that is not done is the
    /// next step. `above`: the number of lines that were printed before.
    void print_next_of(const std::vector<const Exercise*>& graded, std::size_t above) const {
        Counts all;
        for (const Standing& one : standings_) all.add(one.state);
        const Standing* next = nullptr;
        for (const Standing& one : standings_) {
            const bool mine = std::find(graded.begin(), graded.end(), one.exercise) != graded.end();
            if (!next && mine && is_to_do(one)) next = &one;
        }
        if (!next) next = next_to_do(standings_, graded.empty() ? nullptr : graded.back());
        if (!next) std::printf("\n");
        if (!next) return print_end(all);
        const auto is_next = [&](const Exercise* one) { return one == next->exercise; };
        const bool just_told = std::any_of(graded.begin(), graded.end(), is_next);
        const bool has_verdict =  // which ends with the command that grades again
            just_told &&
            (next->state == State::wrong || next->state == State::broken || next->state == State::other);
        if (has_verdict && std::all_of(graded.begin(), graded.end(), is_next)) {  // and which names the line
            const Lines hint = hint_of(*next);
            if (!hint.empty() && above + 1 + hint.size() <= most_lines)
                std::printf("\n"), course::print(hint);
            return;
        }
        std::printf("\n");
        print_next(*next, just_told);
        if (!has_verdict)
            course::print(entry("grade", "ctest --preset exercises -R '" + next->exercise->pattern() + "'"));
        for (const Standing& one : standings_) {
            const bool mine = std::find(graded.begin(), graded.end(), one.exercise) != graded.end();
            if (!mine || one.state != State::done || open_hunts_of(course_, *one.exercise) == 0) continue;
            course::print(entry(
                "hunt", course_.shown(course_.build) + "/kit_course hunt " + one.exercise->short_name()));
            break;
        }
    }

  private:
    /// Returns a bar with a part for each count. Parts are proportional to the counts, and a count greater
    /// than zero has at least one cell.
    std::string bar(const Counts& counts) const {
        constexpr int cells = 24;
        const int all = std::max(1, counts.all());
        const auto share = [&](int part) { return part == 0 ? 0 : std::max(1, part * cells / all); };
        int done = share(counts.done), other = share(counts.other), wrong = share(counts.wrong),
            skipped = share(counts.skipped);
        while (done + other + wrong + skipped > cells - (counts.open > 0)) {
            int* most = &done;
            for (int* part : {&other, &wrong, &skipped}) most = *part > *most ? part : most;
            --*most;
        }
        if (counts.open == 0 && done > 0) done = cells - other - wrong - skipped;
        return look_.paint("32", look_.repeated("█", '#', done)) +
               look_.paint("36", look_.repeated("▚", '~', other)) +
               look_.paint("31", look_.repeated("▓", 'x', wrong)) +
               look_.paint("33", look_.repeated("▒", '-', skipped)) +
               look_.paint("2", look_.repeated("░", '.', cells - done - other - wrong - skipped));
    }

    /// The columns that are shown only if some row has a value in them.
    struct Columns {
        bool other = false, skipped = false;
    };

    void row(const std::string& name, const Counts& counts, Columns columns) const {
        char wrong[32], other[32];
        std::snprintf(other, sizeof other, "%7d", counts.other);
        std::snprintf(wrong, sizeof wrong, "%6d", counts.wrong);
        std::printf(
            "  %-22s %s  %5d%s %s %5d", name.c_str(), bar(counts).c_str(), counts.done,
            !columns.other ? "" : (counts.other ? look_.paint("36", other) : std::string(other)).c_str(),
            (counts.wrong ? look_.paint("31", wrong) : wrong).c_str(), counts.open);
        if (columns.skipped) std::printf(" %8d", counts.skipped);
        std::printf("\n");
    }

    /// Prints the row of the bug hunts, if there are any. The hunts of an exercise are open before it is solved.
    HuntCounts print_hunts(Columns columns) const try {
        const HuntCounts hunts = counts_of_hunts(course_);
        Counts counts;
        counts.done = hunts.solved, counts.open = hunts.all - hunts.solved;
        if (hunts.all > 0) row("bug hunts", counts, columns);
        return hunts;
    } catch (const Error& error) {
        std::printf("  %s\n", error.what());
        return {};
    }

    void print_end(const Counts& all) const {
        std::printf("  %s\n", all.skipped ? kit::words::nothing_left_here()
                                          : look_.paint("1;32", kit::words::all_are_done(all.done)).c_str());
    }

    /// Prints the next step. `just_told`: the verdict of this exercise is printed directly above.
    void print_next(const Standing& next, bool just_told) const {
        course::print(next_lines(course_, next, just_told, look_));
        course::print(hint_of(next));
    }

    /// Returns the first hint for the task of the next step; nothing if there is none.
    Lines hint_of(const Standing& next) const {
        for (const Task& task : section_of(course_, *next.exercise).tasks)
            if (task.number == next.task && !task.hints.empty()) return entry("hint", task.hints[0].plain());
        return {};
    }

    const Course& course_;
    std::vector<Standing> standings_;
    Look look_{is_watched()};
};

fs::path stamp_of(const Course& course) {
    return course.build / "results" / "run.begun";
}

}  // namespace

/// Called before the tests. Records when the tests begin. If the student has edited an exercise, builds the
/// targets that all exercises share. The first time, this takes half a minute, so a message says so.
int command_begin(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    fs::create_directories(stamp_of(course).parent_path());
    fs::remove(stamp_of(course));
    write_text(stamp_of(course), "\n");
    const bool edited =
        std::any_of(course.exercises.begin(), course.exercises.end(), [&](const Exercise& exercise) {
            return fs::exists(submitted_file(course, exercise)) && !is_untouched(course, exercise);
        });
    const fs::path done = course.build / "results" / "shared.built";
    if (!edited || fs::exists(done) || fs::exists(course.build / "libkit_grader.a")) return 0;
    std::printf("%s", kit::words::builds_the_grader(course.backend == "CPU").c_str());
    std::fflush(stdout);
    const Built built = build_target(course, "kit_first");
    if (!built.good) {
        std::printf("%s", kit::words::grader_does_not_build(built.message).c_str());
        return 1;
    }
    write_text(done, "\n");
    return 0;
}

/// Prints one line of comma-separated values for each test of an exercise: its name, the outcome, and the
/// sentence.
int command_results(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    for (const Exercise& exercise : course.exercises) {
        for (const std::string& test : tests_of(exercise)) {
            const std::optional<Verdict> verdict = read_verdict(verdict_file(course, test));
            if (!verdict) continue;
            std::printf("%s,%s,\"%s\"\n", test.c_str(), verdict->outcome.c_str(),
                        replaced(verdict->sentence, "\"", "\"\"").c_str());
        }
    }
    return 0;
}

namespace {

struct Ran {
    std::set<std::string> started;  ///< names of the tests in this run
    std::set<std::string> kept;     ///< names of the tests whose verdict is from an earlier run
};

/// Reads the log that CTest writes during the tests.
Ran tests_that_ran(const Course& course) {
    Ran ran;
    std::string name;
    for (const std::string& line :
         lines_of(read_text_if_there(course.build / "Testing/Temporary/LastTest.log.tmp"))) {
        const std::size_t at = line.find(" Testing: ");
        if (at != std::string::npos && at == line.find(' '))
            ran.started.insert(name = line.substr(at + std::string(" Testing: ").size()));
        else if (line == kept_verdict)
            ran.kept.insert(name);
    }
    return ran;
}

/// Prints, for each proof with tests in this run, how many of its tests ran. CMake lists all tests with their
/// tier, as "quick NAME".
void print_proofs(const Course& course, const Ran& ran) {
    const Lines tests = lines_of(read_text_if_there(course.build / "tests.txt"));
    for (const std::string proof : {"quick", "full", "sanitize"}) {
        std::size_t all = 0, started = 0, kept = 0;
        for (const std::string& test : tests) {
            const Lines words = words_of(test);
            if (words.size() != 2 || !(words[0] == proof || (words[0] == "quick" && proof == "full")))
                continue;
            ++all, started += ran.started.count(words[1]), kept += ran.kept.count(words[1]);
        }
        if (started == 0) continue;
        std::printf("%s proof: %zu of %zu tests ran", proof.c_str(), started - kept, all);
        if (kept > 0)
            std::printf(", and %zu %s", kept,
                        kept == 1 ? "has not changed since it passed" : "have not changed since they passed");
        std::printf("\n");
    }
}

}  // namespace

/// Prints the last screen. After a run of all exercises, this screen shows all verdicts, the scoreboard, and
/// the next step. After a run of some exercises (ctest -R), it shows one line for each that is done, then the
/// first failure, and how to continue.
int command_scoreboard(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    std::vector<Verdict> verdicts;
    std::vector<Graded> graded;
    std::size_t tests = 0;
    for (const Exercise& exercise : course.exercises) {
        if (!course.has_chosen(exercise.topic)) continue;
        for (const std::string& test : tests_of(exercise)) {
            ++tests;
            const fs::path file = verdict_file(course, test);
            const std::optional<Verdict> verdict = read_verdict(file);
            if (!verdict) continue;
            verdicts.push_back(*verdict);
            if (fs::exists(stamp_of(course)) &&
                fs::last_write_time(file) >= fs::last_write_time(stamp_of(course)))
                graded.push_back({&exercise, *verdict});
        }
    }
    write_text(course.build / "results.xml", junit_of(course, verdicts));
    const Ran ran = tests_that_ran(course);
    print_proofs(course, ran);
    const Scoreboard scoreboard(course, all_standings(course));
    const Look& look = scoreboard.look();
    if (graded.empty() && !ran.started.empty()) return 0;
    if (graded.empty()) {
        std::printf("\n  %s\n", kit::words::no_test_has_this_name(course.shown(course.build)).c_str());
    } else if (graded.size() == tests) {
        for (const Graded& one : graded) {
            print_painted(is_wrong(one.verdict) ? verdict_lines(course, one) : outcome_lines(one.verdict),
                          look);
        }
        scoreboard.print();
    } else {
        const Lines told = told_of(course, graded);
        print_painted(told, look);
        std::vector<const Exercise*> exercises;
        for (const Graded& one : graded) exercises.push_back(one.exercise);
        scoreboard.print_next_of(exercises, told.size());
    }
    return 0;
}

}  // namespace course
