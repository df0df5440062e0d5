#include "judge.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <text_layout.hpp>
#include <words/progress.hpp>

#include "build.hpp"
#include "commands.hpp"
#include "contract.hpp"
#include "expected.hpp"
#include "practice.hpp"
#include "regions.hpp"
#include "source.hpp"

namespace course {

namespace {

namespace words = kit::words;

constexpr int passed = 0, failed = 1, skipped = 77, sanitizer_found = 86;
constexpr int columns_of_kept_screens = 80;

/// Judges one test. Every path through the class ends in conclude(), which stores the verdict and prints the
/// last line.
class Judge {
  public:
    Judge(const Course& course, const Test& test) : course_(course), test_(test) {
        verdict_.test = test.name;
        exercise_ = exercise_of(course, test.name);
        entry_ = entry_of(course, test.name);
    }

    int judge() {
        if (!std::getenv("KIT_RUN_ALL")) before_ = read_verdict(verdict_file(course_, test_.name));
        keep("wrong", words::stopped_before_judged());
        if (test_.mode == "message") return judge_message();
        if (test_.mode == "exercise" && !prepare_exercise()) return status_;
        if (!fs::exists(test_.command[0]))
            return conclude(failed, "wrong",
                            "there is no program " + course_.shown(test_.command[0]) +
                                ": build it first (cmake --build)");
        if (test_.mode == "submission" && has_no_entry_here()) return status_;
        if (test_.mode == "wrong") {
            const Lines backends = header_values(test_.submission, "backends");
            if (!backends.empty() && seen_by_other(backends[0], course_.shown(test_.submission)))
                return status_;
        }
        if (test_.mode == "sanitize_wrong") return judge_sanitized_wrong();
        const bool sanitized = is_tool(test_.mode);
        std::vector<std::string> command = test_.command;
        std::map<std::string, std::string> environment;
        if (sanitized && !add_sanitizer(command, environment)) return status_;
        if (!grade(command, environment)) return status_;
        if (verdict_.outcome == "skip") return conclude(skipped, "skip", verdict_.sentence);
        if (sanitized) return judge_sanitized();
        if (test_.mode == "open") {
            if (verdict_.outcome != "open")
                return conclude(failed, "wrong", "a starter must be reported as open");
            return conclude(passed, "pass", "reported as open, as a starter must be");
        }
        if (test_.mode == "submission") return judge_submission();
        if (test_.mode == "wrong") return judge_wrong();
        if (begins_with(test_.name, "solution.") && verdict_.outcome == "pass" && backend() == "cpu")
            return judge_demands();
        if (test_.mode == "exercise" && verdict_.outcome == "wrong") say_practice();
        return conclude(verdict_.outcome == "pass" ? passed : failed, verdict_.outcome, verdict_.sentence,
                        false);
    }

  private:
    static bool is_tool(const std::string& mode) {
        return mode == "memcheck" || mode == "racecheck" || mode == "initcheck" || mode == "synccheck";
    }

    void keep(const std::string& outcome, const std::string& sentence) {
        verdict_.outcome = outcome;
        verdict_.sentence = sentence;
        write_verdict(verdict_file(course_, test_.name), verdict_);
    }

    /// Stores the verdict, and prints the last line unless the grader has printed it. Returns the exit
    /// status.
    int conclude(int status, const std::string& outcome, const std::string& sentence, bool print = true,
                 const std::string& again = "") {
        const std::string word = status == passed ? "pass" : status == skipped ? "skip" : word_of(outcome);
        if (print) {
            verdict_.again = again;
            say(text_of(kit::closing_lines("RESULT " + word + ": " + sentence, again, columns_of_screen())));
        }
        verdict_.inputs = status == passed ? inputs_ : "";
        keep(outcome, sentence);
        return status_ = status;
    }

    void say_warnings() {
        if (warnings_.empty()) return;
        say(words::compiler_warns());
        for (const std::string& line : warnings_)
            say(text_of(kit::wrapped("  " + line, columns_of_screen(), 4)));
        say("\n");
    }

    /// Shows what to practise, if the student has got verdicts of this kind several times.
    void say_practice() {
        Lines lines;
        for (const std::string& line :
             practice_after(course_, *exercise_, verdict_, read_text(test_.submission)))
            for (const std::string& part : kit::wrapped(line, columns_of_screen(), 0)) lines.push_back(part);
        if (!lines.empty()) say("\n" + text_of(lines));
    }

    void say(const std::string& text) {
        verdict_.output += text;
        std::fwrite(text.data(), 1, text.size(), stdout);
    }

    // Programs that must print certain messages.

    int judge_message() {
        const Run done = run(test_.command);
        say(done.output);
        const std::vector<std::string> lines = lines_of(done.output);
        const bool skips =
            done.status == skipped && !lines.empty() && begins_with(lines.back(), "RESULT skip: ");
        if (skips && test_.status != "77")
            return conclude(skipped, "skip", lines.back().substr(std::string("RESULT skip: ").size()), false);
        if (begins_with(test_.status, "not") ? done.status == 0 : std::to_string(done.status) != test_.status)
            return conclude(
                failed, "wrong",
                "the exit status is " + std::to_string(done.status) + ", but it must be " + test_.status);
        const std::string said = on_one_line(done.output);  // CMake wraps its messages into lines
        for (const std::string& text : test_.expected) {
            if (contains(said, text)) continue;
            say("missing: " + text + "\n");
            return conclude(failed, "wrong", "the output lacks a text that it must have");
        }
        return conclude(passed, "pass", "the program ended and printed all expected texts");
    }

    // Exercises of a student.

    /// Builds the exercise. Returns false if the judging ends here, for example because the exercise does not
    /// compile.
    bool prepare_exercise() {
        const std::string again = "ctest --preset exercises -R '" + exercise_->pattern() + "'";
        if (!fs::exists(test_.submission)) {
            say(words::there_is_no_file(course_.shown(test_.submission)));
            conclude(failed, "broken", words::no_file_to_grade(), true, again);
            return false;
        }
        if (is_untouched(course_, *exercise_)) {
            verdict_.gap = 1;
            conclude(failed, "open", words::file_is_unchanged());
            return false;
        }
        const Built built = build_target(course_, test_.target);
        // The compiler does not print warnings for a file that is up to date, so the warnings of its last
        // compilation are stored.
        const fs::path warnings = verdict_file(course_, test_.name).replace_extension(".warnings");
        if (built.compiled) write_text(warnings, text_of(built.warnings));
        if (built.good) {
            warnings_ = lines_of(read_text_if_there(warnings));
            return true;
        }
        say(words::compiler_says(course_.shown(test_.submission), built.message));
        conclude(failed, "broken", words::does_not_compile(), true, again);
        return false;
    }

    // A run of the grader.

    /// Runs the program, shows its output and reads its verdict. Returns false if that ends the judging: the
    /// program has not written a valid verdict, or the verdict of an earlier run is still valid.
    bool grade(const std::vector<std::string>& command, std::map<std::string, std::string> environment) {
        environment["KIT_EXERCISE_STAGE"] = test_.name.substr(0, test_.name.find('.'));
        const bool by_student = test_.mode == "exercise";
        environment["KIT_AGAIN"] = by_student ? exercise_->pattern() : test_.name + "$";
        if (by_student) environment["KIT_SUBMISSION"] = test_.submission.string();
        if (exercise_) {
            environment["KIT_TASKS"] = titles_of_tasks(course_, *exercise_);
            environment["KIT_REGIONS"] = places_of_tasks(course_, *exercise_, test_.submission);
        }
        environment["COLUMNS"] = std::to_string(entry_ ? columns_of_kept_screens : columns_of_screen());
        inputs_ = inputs_of(course_, test_, environment);
        if (show_verdict_before()) return false;
        const fs::path file = verdict_file(course_, test_.name).string() + ".run";
        std::error_code ignored;
        fs::remove(file, ignored);
        const std::string token = random_token();
        environment["KIT_VERDICT"] = file.string();
        environment["KIT_TOKEN"] = token;
        const Run done = run(command, environment);
        std::optional<Verdict> verdict = read_verdict(file);
        fs::remove(file, ignored);
        const bool true_one = verdict && verdict->token == token;
        if (true_one) {
            verdict->test = test_.name;
            verdict->token.clear();
            verdict_ = *verdict;
            if (verdict_.outcome == "fail") verdict_.outcome = "wrong";
        }
        verdict_.seconds = done.seconds;
        if (!true_one || verdict_.outcome == "wrong") say_warnings();
        say(without_forgeries(done.output, true_one));
        if (!true_one) {
            conclude(failed, "wrong", words::ended_without_verdict(done.status));
            return false;
        }
        if (done.status != verdict_.status && !(is_tool(test_.mode) && done.status == sanitizer_found)) {
            conclude(failed, "wrong",
                     words::status_contradicts(verdict_.outcome, verdict_.sentence, done.status));
            return false;
        }
        return true;
    }

    /// Shows the verdict of an earlier run, and returns true, if the test has passed and nothing has changed
    /// since. A test that failed, was stopped or is open always runs again, so a time-out on a busy machine
    /// is never repeated from the file.
    bool show_verdict_before() {
        if (inputs_.empty() || !before_ || before_->inputs != inputs_) return false;
        verdict_ = *before_;
        std::printf("%s\n\n%s", kept_verdict, verdict_.output.c_str());
        conclude(passed, verdict_.outcome, verdict_.sentence, false);
        return true;
    }

    // Submissions with a known verdict.

    std::string backend() const { return course_.backend == "GPU" ? "gpu" : "cpu"; }

    /// Returns whether the submission has no entry for this backend, so that there is nothing to run.
    bool has_no_entry_here() {
        if (!entry_) {
            conclude(failed, "wrong", "no *.submissions file has an entry for this test");
            return true;
        }
        return seen_by_other(entry_->value("backends"), exercise_->submissions().string());
    }

    /// Returns whether only the other backend can judge the submission. `only` is a text such as "cpu (why)",
    /// or empty.
    bool seen_by_other(const std::string& only, const std::string& file) {
        const std::string other = only.substr(0, only.find(' '));
        if (only.empty() || other == backend()) return false;
        conclude(skipped, "skip", "only the " + other + " backend can see this (see " + file + ")");
        return true;
    }

    /// Shows the differences as lines that begin with - and +.
    int refuse(const Lines& changes, const std::string& sentence) {
        for (const std::string& line : changes) say(line + "\n");
        return conclude(failed, "wrong", sentence);
    }

    /// Judges a submission. The author of its entry has stated the facts. The screen is compared with the
    /// screen that the author accepted last.
    int judge_submission() {
        const Facts facts = facts_of(verdict_, test_.submission);
        const Lines other = differences(*entry_, facts, backend());
        if (!other.empty()) return refuse(other, "this is not the verdict that its entry states");
        if (facts.kind == "passed") return conclude(passed, "pass", "passed, as stated");
        if (backend() == "cpu" && entry_->value("screen").empty()) {
            const Lines changes = changed_lines(
                read_screens(course_, exercise_->topic).of(*exercise_, *entry_), screen_of(verdict_));
            if (!changes.empty())
                return refuse(changes, "the screen differs from the accepted one. If it is good: " +
                                           course_.shown(course_.build) + "/kit_author accept " + test_.name);
        }
        return conclude(
            passed, "pass",
            facts.kind == other_method ? "right by another method, as stated" : "rejected, as stated");
    }

    /// Judges a wrong program of the kit's own tests. The header of the program states facts that the verdict
    /// must contain.
    int judge_wrong() {
        if (verdict_.outcome != "wrong") return conclude(failed, "wrong", "this program was not rejected");
        Lines wanted = header_values(test_.submission, "diagnosis");
        for (const std::string& text : header_values(test_.submission, "diagnosis." + backend()))
            wanted.push_back(text);
        if (wanted.empty())
            return conclude(failed, "wrong", "the program names no diagnosis (// diagnosis: fault: values)");
        const std::set<std::string> facts = named_facts(verdict_);
        for (const std::string& fact : wanted) {
            if (!facts.count(fact))
                return refuse({"- " + fact, "+ " + joined({facts.begin(), facts.end()}, ", ")},
                              "rejected for a different reason");
        }
        return conclude(passed, "pass", "rejected, with the right diagnosis");
    }

    /// Requires that the contract's list contains exactly the demands of this solution's test.
    int judge_demands() {
        std::set<std::string> demands;
        for (const CaseVerdict& one : verdict_.cases) demands.insert(one.demands.begin(), one.demands.end());
        const Lines complaints = complaints_about_counted(course_, *exercise_, demands);
        if (!complaints.empty()) return conclude(failed, "wrong", complaints[0]);
        return conclude(passed, "pass", verdict_.sentence, false);
    }

    // Runs under compute-sanitizer.

    /// Returns the path of compute-sanitizer; empty if it is not installed, in which case the test is
    /// skipped.
    std::string sanitizer() {
        const char* path = std::getenv("PATH");
        for (const std::string& folder :
             words_of(replaced(std::string(path ? path : "") + ":/usr/local/cuda/bin", ":", " "))) {
            if (fs::exists(folder + "/compute-sanitizer")) return folder + "/compute-sanitizer";
        }
        conclude(skipped, "skip",
                 "compute-sanitizer is not installed (it comes with the CUDA toolkit: cuda-sanitizer)");
        return "";
    }

    bool excluded(const std::string& tool) {
        std::vector<std::string> reasons =
            entry_ ? entry_->values("sanitizer.all") : header_values(test_.submission, "sanitizer.all");
        for (const std::string& reason : header_values(test_.submission, "sanitizer." + tool))
            reasons.push_back(reason);
        if (reasons.empty()) return false;
        conclude(skipped, "skip", tool + " is not run here: " + joined(reasons, " "));
        return true;
    }

    /// Makes the program run under the tool. All cases run in one process, because the tool does not see CUDA
    /// in a child process. Cases that cause an error on purpose are left out (// sanitizer.case: TEXT selects
    /// the other cases). Time limits are longer, because the tools are slow.
    bool add_sanitizer(std::vector<std::string>& command, std::map<std::string, std::string>& environment) {
        if (excluded(test_.mode)) return false;
        const std::string tool = sanitizer();
        if (tool.empty()) return false;
        for (const std::string& only : header_values(test_.submission, "sanitizer.case")) {
            command.insert(command.end(), {"--case", only});
        }
        command.push_back("--no-fork");
        command.insert(command.begin(),
                       {tool, "--tool", test_.mode, "--error-exitcode", std::to_string(sanitizer_found)});
        environment["KIT_TIME_FACTOR"] = "20";
        return true;
    }

    int judge_sanitized() {
        bool reported = false, clean = true;
        for (const std::string& line : lines_of(verdict_.output)) {
            if (!begins_with(line, "=========") || !contains(line, "SUMMARY: ")) continue;
            reported = true;
            clean = clean && (contains(line, "SUMMARY: 0 errors") ||
                              contains(line, "SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"));
        }
        if (!reported) return conclude(failed, "wrong", test_.mode + " did not report");
        if (verdict_.outcome != "pass") return conclude(failed, "wrong", "does not pass under " + test_.mode);
        if (clean) return conclude(passed, "pass", "clean under " + test_.mode);
        for (const std::string& line :
             told_of_sanitizer(findings_of_sanitizer(verdict_.output, test_.submission)))
            say(line + "\n");
        return conclude(failed, "wrong", test_.mode + " found errors");
    }

    /// Judges a wrong submission under all four tools. The tools must find the kinds of mistakes that the
    /// submission's entry states.
    int judge_sanitized_wrong() {
        if (excluded("compute-sanitizer")) return status_;
        const std::string tool = sanitizer();
        if (tool.empty()) return status_;
        std::string output;
        for (const char* check : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
            output += run({"timeout", "200", tool, "--tool", check, test_.command[0], "--no-fork"},
                          {{"KIT_TIME_FACTOR", "20"}})
                          .output;
        }
        const std::vector<kit::facts::Finding> findings = findings_of_sanitizer(output, test_.submission);
        say(text_of(told_of_sanitizer(findings)));
        if (findings.empty()) {
            say(output.substr(output.size() > 2000 ? output.size() - 2000 : 0));
            return conclude(failed, "wrong", "no tool has found an error");
        }
        std::set<std::string> kinds, texts;
        for (const kit::facts::Finding& finding : findings) {
            kinds.insert(finding.kind);
            for (const kit::facts::Where& where : lines_of(finding)) texts.insert(where.text);
        }
        const auto is_missing = [&](const std::string& key, const std::set<std::string>& found) {
            const Lines stated = entry_ ? entry_->values(key) : Lines();
            for (const std::string& value : stated)
                if (!found.count(value)) say("- " + key + ": " + value + "\n");
            return !std::all_of(stated.begin(), stated.end(),
                                [&](const std::string& value) { return found.count(value) > 0; });
        };
        const bool no_kind = is_missing("sanitizer.finds", kinds),
                   no_line = is_missing("sanitizer.at", texts);
        if (no_kind || no_line)
            return conclude(failed, "wrong", "the tools found other errors than its entry states");
        return conclude(passed, "pass", "found, as stated");
    }

    const Course& course_;
    const Test& test_;
    const Exercise* exercise_ = nullptr;
    std::optional<Entry> entry_;     ///< the entry of a submission with a known verdict
    std::optional<Verdict> before_;  ///< the verdict of an earlier run; empty if every test must run
    std::string inputs_;             ///< the result of inputs_of()
    Verdict verdict_;
    Lines warnings_;  ///< compiler warnings about the student's file
    int status_ = failed;
};

}  // namespace

int command_judge(const Course& course, const Arguments& arguments) {
    Test test;
    std::size_t i = 0;
    for (; i < arguments.size() && arguments[i] != "--"; i += 2) {
        const std::string& option = arguments[i];
        if (i + 1 >= arguments.size()) return 2;
        const std::string& value = arguments[i + 1];
        if (option == "--name") {
            test.name = value;
        } else if (option == "--mode") {
            test.mode = value;
        } else if (option == "--submission") {
            test.submission = value;
        } else if (option == "--target") {
            test.target = value;
        } else if (option == "--status") {
            test.status = value;
        } else if (option == "--expect") {
            test.expected.push_back(value);
        } else {
            return 2;
        }
    }
    test.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1, arguments.size())),
                        arguments.end());
    if (test.name.empty() || test.mode.empty() || test.command.empty()) return 2;
    return Judge(course, test).judge();
}

}  // namespace course
