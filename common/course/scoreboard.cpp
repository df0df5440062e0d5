// What a student sees at the end of every ctest: the verdicts of what was graded just now, the scoreboard, and what to do next.
// CTest calls `begin` before the tests and `scoreboard` after them (CTestCustom.cmake).
#include <algorithm>
#include <cstdio>
#include <map>
#include <text_layout.hpp>

#include "build.hpp"
#include "commands.hpp"
#include "judge.hpp"
#include "junit.hpp"
#include "markdown.hpp"
#include "standing.hpp"

namespace course {

namespace {

/// Colours and blocks, where the reader's terminal has them.
struct Look {
    bool colour = false, blocks = false;

    Look() {
        colour = kit::wants_colour(is_watched());
        for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
            if (variable(name).empty()) continue;
            blocks = contains(variable(name), "UTF") || contains(variable(name), "utf");
            break;
        }
    }

    static std::string variable(const char* name) {
        const char* value = std::getenv(name);
        return value ? value : "";
    }
    std::string paint(const char* code, const std::string& text) const {
        return colour && !text.empty() ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
    }
    std::string repeated(const char* block, char plain, int count) const {
        std::string text;
        for (int i = 0; i < count; ++i) text += blocks ? std::string(block) : std::string(1, plain);
        return text;
    }
};

struct Counts {
    int done = 0, wrong = 0, open = 0, skipped = 0;

    void add(State state) {
        ++(state == State::done                              ? done
           : state == State::skipped                         ? skipped
           : state == State::wrong || state == State::broken ? wrong
                                                             : open);
    }
    int all() const { return done + wrong + open + skipped; }
};

class Scoreboard {
  public:
    Scoreboard(const Course& course, std::vector<Standing> standings)
        : course_(course), standings_(std::move(standings)) {}

    void print() const {
        std::map<std::string, Counts> topics;
        Counts all;
        for (const Standing& one : standings_) topics[one.exercise->topic].add(one.state), all.add(one.state);
        const bool skips = all.skipped > 0;
        std::printf("\n  %s  graded on the %s backend\n\n", look_.paint("1", "CUDA course").c_str(),
                    course_.backend.c_str());
        std::printf("  %-22s %-24s  %5s %6s %5s%s\n", "topic", "", "done", "wrong", "open",
                    skips ? "  skipped" : "");
        for (const std::string& topic : course_.topics()) {
            if (course_.has_chosen(topic)) row(topic, topics[topic], skips);
        }
        std::printf("  %s\n", look_.repeated("─", '-', 68 + (skips ? 9 : 0)).c_str());
        row("all", all, skips);
        std::printf("\n");
        const Standing* next = next_to_do(nullptr);
        if (next) {
            print_next(*next, false);
            entry("grade", "ctest --preset exercises -R '" + next->exercise->pattern() + "'");
            entry("more", next->exercise->tasks().string());
        } else {
            print_end(all);
        }
        if (all.open > 0 && all.wrong == 0) {
            std::printf(
                "\n  The exit status is not 0: %d exercise%s still open, and an open exercise is not done.\n",
                all.open, all.open == 1 ? " is" : "s are");
        }
        std::printf("\n");
    }

    /// After some exercises only: these stay the next ones until they are done.
    void print_next_of(const std::vector<const Exercise*>& graded) const {
        Counts all;
        for (const Standing& one : standings_) all.add(one.state);
        const Standing* next = nullptr;
        for (const Standing& one : standings_) {
            const bool mine = std::find(graded.begin(), graded.end(), one.exercise) != graded.end();
            if (!next && mine && is_to_do(one)) next = &one;
        }
        if (!next) next = next_to_do(graded.empty() ? nullptr : graded.back());
        std::printf("\n");
        if (!next) return print_end(all);
        const bool just_told = std::find(graded.begin(), graded.end(), next->exercise) != graded.end();
        print_next(*next, just_told);
        if (!just_told || (next->state != State::wrong &&
                           next->state != State::broken))  // a verdict ends with that command
            entry("grade", "ctest --preset exercises -R '" + next->exercise->pattern() + "'");
    }

  private:
    /// One cell at least for everything that is not zero; the rest in proportion.
    std::string bar(const Counts& counts) const {
        constexpr int cells = 24;
        const int all = std::max(1, counts.all());
        const auto share = [&](int part) { return part == 0 ? 0 : std::max(1, part * cells / all); };
        int done = share(counts.done), wrong = share(counts.wrong), skipped = share(counts.skipped);
        while (done + wrong + skipped > cells - (counts.open > 0))
            --(done >= wrong && done >= skipped ? done : wrong >= skipped ? wrong : skipped);
        if (counts.open == 0 && done > 0) done = cells - wrong - skipped;
        return look_.paint("32", look_.repeated("█", '#', done)) +
               look_.paint("31", look_.repeated("▓", 'x', wrong)) +
               look_.paint("33", look_.repeated("▒", '-', skipped)) +
               look_.paint("2", look_.repeated("░", '.', cells - done - wrong - skipped));
    }

    void row(const std::string& name, const Counts& counts, bool skips) const {
        char wrong[32];
        std::snprintf(wrong, sizeof wrong, "%6d", counts.wrong);
        std::printf("  %-22s %s  %5d %s %5d", name.c_str(), bar(counts).c_str(), counts.done,
                    (counts.wrong ? look_.paint("31", wrong) : wrong).c_str(), counts.open);
        if (skips) std::printf(" %8d", counts.skipped);
        std::printf("\n");
    }

    /// Text behind a label, broken at 78 columns.
    static void entry(const char* label, const std::string& text) {
        char start[32];
        std::snprintf(start, sizeof start, "        %-7s", label);
        std::string line = start;
        for (const std::string& word : words_of(text)) {
            if (line.size() + 1 + word.size() > 78) {
                std::printf("%s\n", line.c_str());
                line = std::string(15, ' ');
            }
            line += " " + word;
        }
        std::printf("%s\n", line.c_str());
    }

    static bool is_to_do(const Standing& one) {
        return one.state != State::done && one.state != State::skipped;
    }

    /// The first one that is not done, behind this exercise if there is one; null: none is left.
    const Standing* next_to_do(const Exercise* behind) const {
        const Standing* first = nullptr;
        bool passed = behind == nullptr;
        for (const Standing& one : standings_) {
            if (is_to_do(one) && passed) return &one;
            if (is_to_do(one) && !first) first = &one;
            passed = passed || one.exercise == behind;
        }
        return first;
    }

    void print_end(const Counts& all) const {
        std::printf(
            "  %s\n",
            all.skipped
                ? "Nothing is left that this machine can grade."
                : look_.paint("1;32", "All " + std::to_string(all.done) + " exercises are done.").c_str());
    }

    /// `just_told`: its verdict stands directly above.
    void print_next(const Standing& next, bool just_told) const {
        const Exercise& exercise = *next.exercise;
        const std::string state = next.state == State::open && next.task > 0
                                      ? "TODO(" + std::to_string(next.task) + ") is open"
                                  : next.state == State::open   ? "is open"
                                  : next.state == State::wrong  ? "is wrong"
                                  : next.state == State::broken ? "does not compile"
                                  : next.state == State::edited ? "was edited since it was graded"
                                                                : "was not graded yet";
        std::printf("  %s, %s\n", look_.paint("1", "Next: " + exercise.id()).c_str(), state.c_str());
        if (next.state == State::wrong && !just_told) entry("wrong", next.what);
        entry("edit", next.edit);
        for (const Section& section :
             sections_of(Markdown(read_text_if_there(course_.root / exercise.tasks())))) {
            if (section.name != exercise.name) continue;
            for (const Task& task : section.tasks) {
                if (task.number != next.task) continue;
                if (next.state != State::wrong)  // its verdict has named the task
                    entry("task", "Task " + std::to_string(task.number) +
                                      (task.title.empty() ? "" : ": " + task.title));
                if (!task.hints.empty()) entry("hint", task.hints[0].plain);
            }
        }
    }

    const Course& course_;
    std::vector<Standing> standings_;
    Look look_;
};

fs::path stamp_of(const Course& course) {
    return course.build / "results" / "run.begun";
}

}  // namespace

/// Before the tests: notes when they began, and builds what all exercises share if one of them has been edited, with a word
/// about it: the first time that takes half a minute.
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
    std::printf("Building what all exercises share, once%s ...\n",
                course.backend == "CPU" ? " (about half a minute)" : "");
    std::fflush(stdout);
    const Built built = build_target(course, "kit_shared");
    if (!built.good) {
        std::printf("It cannot be built, so no exercise can be graded. The compiler says:\n\n%s\n",
                    built.message.c_str());
        return 1;
    }
    write_text(done, "\n");
    return 0;
}

/// One line of comma-separated values per test of an exercise: its name, the outcome, the sentence.
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

/// A test of an exercise that was run just now.
struct Graded {
    const Exercise* exercise;
    Verdict verdict;
};

bool is_wrong(const Verdict& verdict) {
    return verdict.outcome != "pass" && verdict.outcome != "skip";
}

/// The whole verdict. Of an exercise that nobody has touched the next lines say all.
void print_verdict(const Course& course, const Graded& one, const Look& look) {
    if (one.verdict.outcome == "open" && is_untouched(course, *one.exercise)) return;
    std::printf("\n");
    for (const std::string& line : lines_of(one.verdict.output))
        std::printf("%s\n", (look.colour ? kit::painted(line) : line).c_str());
}

/// In one line.
void print_outcome(const Graded& one, const Look& look) {
    std::string before;
    for (const std::string& line :
         lines_of(one.verdict.output)) {  // what the student's code printed is wanted, once
        if (!is_wrong(one.verdict) && begins_with(line, "  | ") && line != before)
            std::printf("%s\n", line.c_str());
        before = line;
    }
    const std::string word =
        is_wrong(one.verdict) ? (one.verdict.outcome == "open" ? "open" : "fail") : one.verdict.outcome;
    const std::string sentence = one.verdict.sentence.substr(0, one.verdict.sentence.find("     again: "));
    const std::string line = "RESULT " + word + ": " + sentence + "   " + one.verdict.test;
    std::printf("%s\n", (look.colour ? kit::painted(line) : line).c_str());
}

/// CTest writes the log of a run as it goes.
bool other_tests_ran(const Course& course) {
    const fs::path log = course.build / "Testing/Temporary/LastTest.log.tmp";
    return fs::exists(log) && read_text(log).find(" Testing: ") != std::string::npos;
}

}  // namespace

/// The last screen. After everything: all verdicts, the scoreboard, what to do next. After some exercises (ctest -R): in a line
/// each which are done, then the first failure, and how to go on with it.
int command_scoreboard(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    std::vector<Standing> standings;
    std::vector<Verdict> verdicts;
    std::vector<Graded> graded;
    std::size_t tests = 0;
    for (const Exercise& exercise : course.exercises) {
        if (!course.has_chosen(exercise.topic)) continue;
        standings.push_back(standing_of(course, exercise));
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
    const Scoreboard scoreboard(course, standings);
    const Look look;
    if (graded.empty() && other_tests_ran(course)) return 0;
    if (graded.empty()) {
        std::printf(
            "\n  No exercise was graded: no test has such a name. Names are like \"reduction.tree\":\n  "
            "ctest --test-dir %s -N -L exercise\n",
            course.shown(course.build).c_str());
    } else if (graded.size() == tests) {
        for (const Graded& one : graded) {
            is_wrong(one.verdict) ? print_verdict(course, one, look) : print_outcome(one, look);
        }
        scoreboard.print();
    } else {
        const auto is_failure = [](const Graded& one) { return is_wrong(one.verdict); };
        const auto first = std::find_if(graded.begin(), graded.end(), is_failure);
        if (graded.size() > 1 || first == graded.end()) std::printf("\n");
        std::vector<const Exercise*> exercises;
        for (auto one = graded.begin(); one != graded.end(); ++one) {
            exercises.push_back(one->exercise);
            if (one != first) print_outcome(*one, look);
        }
        if (first != graded.end()) print_verdict(course, *first, look);
        scoreboard.print_next_of(exercises);
    }
    return 0;
}

}  // namespace course
