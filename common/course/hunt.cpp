// kit_course hunt: gives the student a program with a mistake, in a separate file. The student repairs the
// file, and names the line and the kind of the mistake.
#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <text_layout.hpp>
#include <words/outcome.hpp>

#include "commands.hpp"
#include "hunts.hpp"
#include "judge.hpp"
#include "telling.hpp"
#include "watch/changes.hpp"

namespace course {

namespace {

/// The words after `hunt` that choose a hunt.
struct HuntChoice {
    std::string topic;                   ///< the folder of a topic; empty if the words name none
    const Exercise* exercise = nullptr;  ///< null if the words name none
    int number = 0;                      ///< number of a hunt of the exercise; 0 if the words name none
    int level = 0;                       ///< 0 if the words name none
    bool anyway = false;                 ///< whether a hunt in an exercise that is not solved may be given

    bool is_empty() const { return topic.empty() && !exercise && level == 0; }
    bool fits(const Hunt& hunt) const {
        return (topic.empty() || hunt.exercise->topic == topic) && (!exercise || hunt.exercise == exercise) &&
               (number == 0 || hunt.number == number) && (level == 0 || hunt.level == level);
    }
};

class HuntCommand {
  public:
    explicit HuntCommand(const Course& course)
        : course_(course),
          hunts_(all_hunts(course)),
          program_(course.shown(course.build) + "/kit_course hunt") {}

    int run(const Arguments& arguments) {
        const std::string word = arguments.empty() ? "" : arguments[0];
        const std::size_t count = arguments.size();
        if (word == "kinds" && count == 1) return show_kinds();
        if (hunts_.empty()) throw Error("This build folder has no bug hunts.");
        if (word == "hint" && count == 1) return show_hint();
        if (word == "test" && count == 1) return test(false);
        if (word == "verdict" && count == 1) return test(true);
        if (word == "watch" && count == 1) return watch();
        if (word == "answer") return count == 3 ? answer(arguments[1], arguments[2]) : 2;
        HuntChoice choice;
        for (std::size_t i = 0; i < count; ++i) {
            if (arguments[i] == "--anyway") {
                choice.anyway = true;
            } else if (arguments[i] == "--level") {
                if (++i == count) return 2;
                choice.level = number_of(arguments[i]);
                if (choice.level < 1 || choice.level > 3)
                    throw Error("There is no level ", arguments[i], ": the levels are 1, 2 and 3.");
            } else if (begins_with(arguments[i], "-") || choice.exercise || !choice.topic.empty()) {
                return 2;
            } else {
                add_name(choice, arguments[i]);
            }
        }
        return give(choose(choice));
    }

  private:
    // Choosing a hunt.

    /// Adds the topic, the exercise or the hunt that the word names. Throws Error if there is none.
    void add_name(HuntChoice& choice, const std::string& word) const {
        for (const Topic& topic : course_.described) {
            const std::size_t digits = topic.name.find_first_not_of("0123456789_");
            if (word == topic.name || word == topic.name.substr(std::min(digits, topic.name.size())) ||
                word == topic.name.substr(0, 2))
                choice.topic = topic.name;
        }
        if (!choice.topic.empty()) return;
        std::string name = fs::path(word).filename().string();
        if (ends_with(name, ".cu")) name.resize(name.size() - 3);
        const Lines parts = match(name, "^(.+)[.]([0-9]+)$");
        choice.exercise = &course_.named(parts.empty() ? word : parts[1]);
        if (!parts.empty()) choice.number = number_of(parts[2]);
        const auto is_it = [&](const Hunt& hunt) { return choice.fits(hunt); };
        if (std::any_of(hunts_.begin(), hunts_.end(), is_it)) return;
        choice.number = 0;
        Lines numbers;
        for (const Hunt& hunt : hunts_)
            if (choice.fits(hunt)) numbers.push_back(std::to_string(hunt.number));
        if (numbers.empty())
            throw Error("There is no bug hunt in ", choice.exercise->id(), " for the ", course_.backend,
                        " backend.");
        throw Error(choice.exercise->id(), " has no hunt ", parts[2], ". It has: ", joined(numbers, ", "),
                    ".");
    }

    bool is_solved(const Hunt& hunt) const { return read_progress(course_, hunt).solved; }

    /// Returns whether the student has solved the exercise, so that the hunt gives nothing away.
    bool is_offered(const Hunt& hunt) const {
        return standing_of(course_, *hunt.exercise).state == State::done;
    }

    /// Returns the hunt to give. Throws Error if there is none.
    const Hunt& choose(const HuntChoice& choice) const {
        if (const Hunt* current = choice.is_empty() ? find_current() : nullptr)
            if (!is_solved(*current)) return *current;
        std::vector<const Hunt*> fitting;
        for (const Hunt& hunt : hunts_)
            if (choice.fits(hunt)) fitting.push_back(&hunt);
        if (fitting.empty())
            throw Error("There is no such bug hunt. This command gives you one:\n  ", program_);
        std::stable_sort(fitting.begin(), fitting.end(),
                         [](const Hunt* a, const Hunt* b) { return a->level < b->level; });
        const Hunt* locked = nullptr;
        for (const Hunt* hunt : fitting) {
            if (is_solved(*hunt) && choice.number == 0) continue;
            const bool was_given = fs::exists(hunted_file(course_, hunt->name()));
            if (choice.anyway || was_given || is_offered(*hunt)) return *hunt;
            if (!locked) locked = hunt;
        }
        if (!locked)
            throw Error("You have solved ", fitting.size() == 1 ? "the only hunt" : "all hunts",
                        choice.is_empty() ? "." : " that you have chosen.");
        const std::string in = locked->exercise->id(),
                          command = program_ + " " + locked->name() + " --anyway";
        if (!choice.exercise)
            throw Error("No hunt is left in the exercises that you have solved. The next one is in ", in,
                        ", and shows code that solves it. Solve it first, or use --anyway:\n  ", command);
        throw Error("Hunt ", locked->name(), " shows code that solves ", in,
                    ", which you have not solved yet. Solve it first, or use --anyway:\n  ", command);
    }

    fs::path file_of_current() const { return hunts_folder(course_) / "current.txt"; }

    const Hunt* find_current() const {
        const std::string name = trimmed(read_text_if_there(file_of_current()));
        const auto found =
            std::find_if(hunts_.begin(), hunts_.end(), [&](const Hunt& hunt) { return hunt.name() == name; });
        return found == hunts_.end() ? nullptr : &*found;
    }

    const Hunt& current() const {
        if (const Hunt* hunt = find_current()) return *hunt;
        throw Error("There is no hunt to work on. This command gives you one:\n  ", program_);
    }

    // What the student sees.

    static void say(const std::string& text) {
        for (const std::string& line : kit::wrapped(text, 80)) std::printf("%s\n", line.c_str());
    }
    static void say(const char* label, const std::string& text) {
        for (const std::string& line : kit::wrapped("  " + kit::padded(label, 9) + on_one_line(text), 80, 11))
            std::printf("%s\n", line.c_str());
    }
    /// Prints a command. It stays on one line, so that it can be copied.
    static void say_command(const char* label, const std::string& command) {
        const bool fits = 11 + command.size() <= 80;
        std::printf("  %s%s%s\n", kit::padded(label, fits ? 9 : 0).c_str(), fits ? "" : "\n    ",
                    command.c_str());
    }

    std::string shown_file(const Hunt& hunt) const {
        return course_.shown(hunted_file(course_, hunt.name()));
    }

    int give(const Hunt& hunt) {
        const fs::path file = hunted_file(course_, hunt.name());
        if (!fs::exists(file)) write_text(file, text_of(hunt.program));
        write_text(course_.build / "hunt" / (hunt.name() + ".given.cu"), text_of(hunt.program));
        write_text(file_of_current(), hunt.name() + "\n");
        const std::optional<Verdict> verdict = verdict_of_given(hunt);
        const HuntProgress progress = read_progress(course_, hunt);
        std::printf("Bug hunt %s   level %d%s\n\n", hunt.name().c_str(), hunt.level,
                    progress.solved ? "   solved" : "");
        say("symptom", hunt.symptom);
        if (verdict) say_symptom(*verdict);
        say("file", shown_file(hunt));
        std::printf("\n");
        say("Repair the file, and name the line and the kind of the mistake. You may use:");
        const std::string run = course_.shown(course_.build) + "/hunt/" + hunt.name();
        if (course_.backend == "GPU") {
            say_command("memory", "compute-sanitizer " + run + " --no-fork");
            say_command("races", "compute-sanitizer --tool racecheck " + run + " --no-fork");
            say_command("debugger", "cuda-gdb --args " + run + " --no-fork");
        } else {
            say_command("counts", run + " --profile");
            say_command("debugger", "gdb --args " + run + " --no-fork");
        }
        say_command("hint", program_ + " hint");
        say_command("verdict", program_ + " verdict");
        say_command("test", program_ + " test");
        say_command("answer", program_ + " answer LINE KIND");
        say_command("kinds", program_ + " kinds");
        return 0;
    }

    /// Prints the part of a verdict that a user of the program would notice: which cases fail, and wrong
    /// values. Kind, line and task stay hidden.
    static void say_symptom(const Verdict& verdict) {
        if (verdict.outcome == "skip") return say("test", "It cannot run here: " + verdict.sentence);
        const auto fails = [](const CaseVerdict& one) { return is_told(one); };
        const auto first = std::find_if(verdict.cases.begin(), verdict.cases.end(), fails);
        if (first == verdict.cases.end()) return;
        const auto wrong = std::count_if(verdict.cases.begin(), verdict.cases.end(), fails);
        say("test", sentence(wrong, " of ", verdict.cases.size(),
                             wrong == 1 ? " cases fails. It is \"" : " cases fail. The first one is \"",
                             first->name, "\"."));
        const auto has_values = [](const CaseVerdict& one) {
            using kit::facts::Fault;
            return is_told(one) && (one.fault == Fault::values || one.fault == Fault::one_value) &&
                   !one.difference.elements.empty();
        };
        const auto one = std::find_if(verdict.cases.begin(), verdict.cases.end(), has_values);
        if (one == verdict.cases.end()) return;
        Lines values;
        for (const kit::facts::Element& element : one->difference.elements) {
            if (values.size() == 2) break;
            const std::string at =
                one->fault == kit::facts::Fault::values ? sentence("[", element.at, "]: ") : "";
            values.push_back(at + kit::words::got_of(element) + ", expected " + element.expected);
        }
        say("values", "\"" + one->name + "\": " + joined(values, "; "));
    }

    int show_kinds() const {
        for (const HuntKind& kind : hunt_kinds())
            std::printf("%s%s\n", kit::padded(kind.name, 15).c_str(), kind.means);
        return 0;
    }

    int show_hint() {
        const Hunt& hunt = current();
        HuntProgress progress = read_progress(course_, hunt);
        const int count = static_cast<int>(hunt.hints.size());
        const bool is_new = progress.hints < count;
        progress.hints = std::min(progress.hints + 1, count);
        for (int i = 0; i < progress.hints; ++i)
            say(sentence("Hint ", i + 1, " of ", count, "  ", hunt.hints[static_cast<std::size_t>(i)]));
        if (!is_new) say("There are no more hints. The verdict says more:");
        if (!is_new) say_command("verdict", program_ + " verdict");
        keep(hunt, progress);
        return 0;
    }

    void keep(const Hunt& hunt, const HuntProgress& progress) const {
        write_text(answer_file(course_, hunt.name()), text_of(progress, hunt.name()));
    }

    // Tests and answers.

    Verdict judge(const Hunt& hunt) const {
        if (!fs::exists(hunted_file(course_, hunt.name())))
            throw Error(shown_file(hunt), ": the file is missing. This command writes it again:\n  ",
                        program_, " ", hunt.name());
        return judge_hunt(course_, hunts_, hunt, program_ + " test");
    }

    bool is_unchanged(const Hunt& hunt) const {
        return read_text_if_there(hunted_file(course_, hunt.name())) == text_of(hunt.program);
    }

    /// Returns the verdict of the file as it was given; nothing if it is not known.
    std::optional<Verdict> verdict_of_given(const Hunt& hunt) const {
        const fs::path kept = verdict_file(course_, "hunt." + hunt.name() + ".given");
        if (const std::optional<Verdict> verdict = read_verdict(kept)) return verdict;
        if (!is_unchanged(hunt)) return {};
        std::printf("Building and running the program with the mistake ...\n");
        if (!fs::exists(course_.build / "libkit_grader.a"))
            say("The grader is built as well. This happens once, and takes about half a minute.");
        std::fflush(stdout);
        const Verdict verdict = judge(hunt);
        if (verdict.outcome == "broken") throw Error(verdict.output);
        if (verdict.outcome != "skip") write_verdict(kept, verdict);
        return verdict;
    }

    int test(bool with_verdict) {
        const Hunt& hunt = current();
        HuntProgress progress = read_progress(course_, hunt);
        if (!with_verdict && is_unchanged(hunt)) {
            say("The file is as it was given, so it has the mistake. Edit " + shown_file(hunt));
            return 1;
        }
        const Verdict verdict = judge(hunt);
        if (verdict.outcome == "pass" || verdict.outcome == "skip") return conclude(hunt, progress, verdict);
        if (verdict.outcome == "broken" || with_verdict) {
            std::printf("%s", verdict.output.c_str());
        } else {
            say("The test still fails.");
            say_symptom(verdict);
            say_command("verdict", program_ + " verdict");
        }
        if (with_verdict) {
            ++progress.verdicts;
            keep(hunt, progress);
        }
        return 1;
    }

    /// Says what is left to do after the test has passed.
    int conclude(const Hunt& hunt, HuntProgress progress, const Verdict& verdict) {
        if (verdict.outcome == "skip") {
            say("The test cannot run here: " + verdict.sentence);
            return 1;
        }
        say("The test passes.");
        if (!progress.is_named(hunt)) {
            say("Now name the line of the mistake, with its number in the given file, and its kind:");
            say_command("given", course_.shown(course_.build) + "/hunt/" + hunt.name() + ".given.cu");
            say_command("answer", program_ + " answer LINE KIND");
            return 1;
        }
        progress.solved = true;
        keep(hunt, progress);
        std::printf("\nSOLVED  hunt %s: line %d, %s\n\n", hunt.name().c_str(), progress.line,
                    progress.kind.c_str());
        say("mistake", hunt.what);
        say("help", sentence("hints: ", progress.hints, ", verdicts: ", progress.verdicts,
                             ", answers: ", progress.tries));
        const auto solved =
            std::count_if(hunts_.begin(), hunts_.end(), [&](const Hunt& one) { return is_solved(one); });
        say("solved", sentence(solved, " of ", hunts_.size(), " hunts"));
        say_command("next", program_);
        return 0;
    }

    int answer(const std::string& line, const std::string& kind) {
        const Hunt& hunt = current();
        HuntProgress progress = read_progress(course_, hunt);
        const int number = number_of(line), count = static_cast<int>(hunt.program.size());
        if (number < 1 || number > count)
            throw Error("\"", line, "\" is not a line: the given file has the lines 1 to ", count, ".");
        if (!is_hunt_kind(kind)) throw Error(unknown_kind(kind));
        if (progress.is_named(hunt)) {
            say("You have already named the line and the kind.");
            return progress.solved ? 0 : after_naming(hunt);
        }
        progress.line = number;
        progress.kind = kind;
        ++progress.tries;
        keep(hunt, progress);
        if (progress.is_named(hunt)) {
            say("Line and kind are right.");
            return after_naming(hunt);
        }
        const bool right_line = hunt.answers().count(number) > 0, right_kind = hunt.kind == kind;
        const std::string next = right_line                                             ? "kinds"
                                 : progress.hints < static_cast<int>(hunt.hints.size()) ? "hint"
                                                                                        : "verdict";
        if (right_line) {
            say("The line is right, and the kind is wrong. Compare it with the other kinds:");
        } else {
            say(sentence(
                right_kind ? "The kind is right, and the line is wrong." : "Line and kind are wrong.",
                " Line ", number, " of the given file is:"));
            const std::string text = trimmed(hunt.program[static_cast<std::size_t>(number - 1)]);
            std::printf("    %s\n", text.substr(0, 76).c_str());
        }
        say_command(next.c_str(), program_ + " " + next);
        return 1;
    }

    int after_naming(const Hunt& hunt) {
        if (!is_unchanged(hunt)) return test(false);
        say("Now repair " + shown_file(hunt) + ", and test it:");
        say_command("test", program_ + " test");
        return 0;
    }

    std::string unknown_kind(const std::string& kind) const {
        const auto& kinds = hunt_kinds();
        const auto near =
            std::min_element(kinds.begin(), kinds.end(), [&](const HuntKind& a, const HuntKind& b) {
                return distance(kind, a.name) < distance(kind, b.name);
            });
        const bool is_near = distance(kind, near->name) <= 3;
        return "There is no kind \"" + kind + "\"" +
               (is_near ? std::string(": did you mean ") + near->name + "?" : ".") +
               " This command lists them:\n  " + program_ + " kinds";
    }

    /// Tests the file after each save, until the hunt is solved or the student presses Ctrl+C.
    int watch() {
        const Hunt& hunt = current();
        const fs::path file = hunted_file(course_, hunt.name());
        Changes changes;
        changes.watch({file});
        say("Watching " + shown_file(hunt) + ". Ctrl+C ends.");
        for (std::string before; !is_solved(hunt);) {
            std::fflush(stdout);
            pollfd files[] = {{changes.descriptor(), POLLIN, 0}};
            if (poll(files, 1, -1) < 0 || changes.read().saved.empty()) continue;
            const std::string text = read_text_if_there(file);
            if (text.empty() || text == before) continue;
            before = text;
            std::printf("\n");
            test(false);
        }
        return 0;
    }

    const Course& course_;
    const std::vector<Hunt> hunts_;
    const std::string program_;  ///< start of each command
};

}  // namespace

int command_hunt(const Course& course, const Arguments& arguments) try {
    return HuntCommand(course).run(arguments);
} catch (const Error& error) {
    const Lines lines = lines_of(error.what());
    for (const std::string& line : kit::wrapped(lines[0], 80)) std::fprintf(stderr, "%s\n", line.c_str());
    for (std::size_t i = 1; i < lines.size(); ++i) std::fprintf(stderr, "%s\n", lines[i].c_str());
    return 1;
}

}  // namespace course
