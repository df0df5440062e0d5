// Writes the report: one line for each case, details about failures, and the final line RESULT; and the same
// as JSON.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <grader/cause.hpp>
#include <grader/diagnostic.hpp>
#include <json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <text_layout.hpp>

namespace kit::detail {

/// Returns the lines of an environment variable; none if the variable is not set.
inline std::vector<std::string> lines_of_variable(const char* name) {
    std::vector<std::string> lines;
    const char* value = std::getenv(name);
    std::istringstream text(value ? value : "");
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// Writes the verdict of a run as data. Replaces the file atomically, so that no reader sees half a verdict.
inline void write_verdict(const std::string& path, const std::string& verdict) {
    const std::string part = path + ".part", text = verdict + "\n";
    std::FILE* file = std::fopen(part.c_str(), "w");
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (!file || std::fclose(file) != 0 || !written || std::rename(part.c_str(), path.c_str()) != 0)
        std::fprintf(stderr, "%s: the verdict cannot be written there\n", path.c_str());
}

/// Counts the verdicts and prints the result. Its settings come from the environment, from the program that judges the run:
/// KIT_VERDICT    the file for the data
/// KIT_TOKEN      proves that the grader wrote it
/// KIT_TASKS      the titles of the tasks, "2 the tail" on a line each
/// KIT_SUBMISSION the path of the graded file
/// KIT_REGIONS    where the tasks are in it, "tree.cu 18 24 2" on a line each: first and last line, task; "given" if the starter has them
/// KIT_AGAIN      the argument of ctest -R that runs this test again
class Report {
  public:
    /// Creates a report. Without a seed, the seed is secret.
    Report(std::string topic, std::string exercise, std::optional<std::uint64_t> seed, Readme& readme)
        : topic_(std::move(topic)),
          exercise_(std::move(exercise)),
          seed_(seed),
          readme_(readme),
          width_(width_of(STDOUT_FILENO)) {
        if (const char* path = std::getenv("KIT_VERDICT")) path_ = path;
        if (const char* token = std::getenv("KIT_TOKEN")) token_ = token;
        if (const char* stage = std::getenv("KIT_EXERCISE_STAGE")) stage_ = stage;
        if (const char* again = std::getenv("KIT_AGAIN")) again_ = again;
        if (const char* path = std::getenv("KIT_SUBMISSION")) readme_.submission = path;
        for (const std::string& line : lines_of_variable("KIT_TASKS")) {
            const std::size_t space = line.find(' ');
            if (space != std::string::npos) readme_.titles[std::atoi(line.c_str())] = line.substr(space + 1);
        }
        for (const std::string& line : lines_of_variable("KIT_REGIONS")) {
            std::istringstream words(line);
            Region region;
            std::string given;
            if (words >> region.file >> region.first >> region.last >> region.task) {
                region.given = static_cast<bool>(words >> given);
                readme_.tasks.regions.push_back(region);
            }
        }
        colour_ = !is_judged() && wants_colour(isatty(STDOUT_FILENO) == 1);
    }

    void header(const std::string& device) {
        device_ = device;
        line(topic_ + "/" + exercise_ + "   " + device + (seed_ ? "   seed " + std::to_string(*seed_) : ""));
    }

    void line(const std::string& text) const {
        const std::string shown = colour_ ? painted(text) : text;
        std::fwrite(shown.data(), 1, shown.size(), stdout);
        std::fputc('\n', stdout);
        std::fflush(stdout);
    }

    /// Counts a case. `output` is what the student's code printed. The end of the report shows each failure once, with all
    /// the cases that it is found in. The output has a line for each case immediately.
    void verdict(const std::string& name, const facts::Outcome& as_it_came, double seconds,
                 const std::vector<std::string>& output = {}) {
        const facts::Outcome outcome = cause_first(as_it_came);
        ++number_of(outcome.status);
        record(name, outcome, seconds);
        if (outcome.status != Status::skip) names_.push_back(name);
        if (outcome.status == Status::fail) group_of(name, outcome, output);
        const bool skipped = outcome.status == Status::skip;
        const bool hidden = is_judged() || (hides_passed_ && outcome.status == Status::pass);
        if (!hidden || skipped) {
            const std::string text =
                words::label_of(outcome.status) + name + (skipped ? ": " + words::headline_of(outcome) : "");
            for (const std::string& part : wrapped(printable(text), width_, 6)) line(part);
        }
        if (outcome.status == Status::other) others_.push_back({outcome, {name}, outcome.tasks, {}});
        if (outcome.status == Status::fail) return;
        for (const facts::Note& note : outcome.notes) {
            const bool of_the_run = note.kind == facts::Note::Kind::not_tried;
            const std::string remark = (of_the_run ? "" : name + ": ") + words::text_of(note);
            if (of_the_run && std::count(remarks_.begin(), remarks_.end(), remark) > 0) continue;
            if (is_judged())
                remarks_.push_back(remark);  // for the end, if all is well
            else
                tell_remark(remark);
        }
        show_output(output);
    }

    /// Counts a case that is not run, because earlier cases did not finish.
    void not_run(const std::string& name, const facts::Outcome& outcome) {
        ++cases_.failed;
        record(name, outcome, 0);
        names_.push_back(name);
        ++not_run_;
    }

    /// Adds a line that does not belong to a case.
    void note(const std::string& text) {
        data_.notes.push_back(text);
        line("note: " + text);
    }

    bool has_failed() const { return cases_.failed > 0; }

    int skip(const std::string& why) { return result("skip", why, 77); }
    int fail(const std::string& why, const std::string& again = "") {
        tell_failures();
        return result("fail", why, 1, again);
    }

    /// Notes that this case has reached a gap of the starter.
    int open(const std::string& name, int number, const facts::Line& at) {
        facts::Outcome outcome;
        outcome.status = Status::fail;
        outcome.diagnosis = Diagnosis::open_todo;
        outcome.fault = facts::Fault::gap;
        outcome.at = at;
        outcome.tasks = {number};
        record(name, outcome, 0);
        const std::string gap = words::headline_of(outcome), place = readme_.place_of({number});
        for (const std::string& text : wrapped("OPEN   " + gap, width_, 7)) line(text);
        for (const std::string& text : wrapped("    task   " + place, width_, 11)) line(text);
        data_.gap = number;
        return result("open", words::todo_is_open(number), 1);
    }

    /// Returns the exit status: success only if at least one case ran and none failed.
    int finish() {
        if (cases_.ran() + cases_.skipped == 0) return fail(words::no_case_ran());
        if (cases_.ran() == 0) return skip(words::every_case_was_skipped());
        if (cases_.failed > 0) return fail(words::cases_failed(cases_), command());
        for (const std::string& remark : remarks_) tell_remark(remark);
        if (cases_.other > 0) return tell_other();
        return result("pass", words::cases_passed(cases_) + on_a_gpu(), 0);
    }

    /// Prints the first failure in full, and for others only their cases, because they may be consequences.
    void tell_failures() {
        if (groups_.empty()) return;
        const Group& first = Causes(groups_).nearest();
        data_.told = first.cases[0];
        std::vector<std::string> see = {"task   " + readme_.place_of(first.tasks)};
        if (first.outcome.finding) see.push_back("page   " + page_of(first.outcome.finding->kind));
        show_output(first.output);
        line("");
        for (const std::string& text : Diagnostic(first, names_, width_).lines(see)) line(text);
        std::vector<std::string> others;
        for (const Group& group : groups_) {
            if (&group != &first) others.insert(others.end(), group.cases.begin(), group.cases.end());
        }
        if (!others.empty()) {
            const std::string text = "    more   " + words::fail_otherwise(others, width_);
            for (const std::string& part : wrapped(printable(text), width_, 11)) line(part);
        }
        if (not_run_ > 0) line("    more   " + words::not_run(not_run_));
        line("");
        groups_.clear();
    }

    /// Prints no line for a case that passes.
    void hide_passed() { hides_passed_ = true; }

  private:
    bool is_judged() const { return !path_.empty(); }

    std::size_t& number_of(Status status) {
        switch (status) {
            case Status::pass:
                return cases_.passed;
            case Status::skip:
                return cases_.skipped;
            case Status::other:
                return cases_.other;
            case Status::fail:
                break;
        }
        return cases_.failed;
    }

    /// Explains the method of the first case with right results by a different method.
    int tell_other() {
        const facts::Outcome& first = others_[0].outcome;
        std::vector<std::string> cases;
        for (const Group& other : others_) cases.insert(cases.end(), other.cases.begin(), other.cases.end());
        data_.told = cases[0];
        line("");
        for (const std::string& text :
             lines_of(*first.method, words::cases_in_words(cases, names_, 2 * width_ - 40),
                      readme_.place_of(first.tasks), width_))
            line(printable(text));
        line("");
        return result(facts::other_method, words::another_method(cases_), 1, command());
    }

    void tell_remark(const std::string& remark) const {
        for (const std::string& part : wrapped(printable("      " + remark), width_)) line(part);
    }

    std::vector<int> tasks_for(const facts::Outcome& outcome) const { return readme_.tasks_for(outcome); }

    void group_of(const std::string& name, const facts::Outcome& outcome,
                  const std::vector<std::string>& output) {
        const std::string kind = key_of(outcome);
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            if (kinds_[i] != kind) continue;
            groups_[i].cases.push_back(name);
            return;
        }
        groups_.push_back({outcome, {name}, tasks_for(outcome), output});
        kinds_.push_back(kind);
    }

    /// Prints the output of the student's code once, marked so that it cannot be mistaken for the grader's words.
    void show_output(const std::vector<std::string>& output) {
        if (output.empty() || output == output_before_) return;
        output_before_ = output;
        for (const std::string& text : output) line("  | " + printable(text));
    }

    void record(const std::string& name, const facts::Outcome& outcome, double seconds) {
        facts::CaseVerdict one;
        static_cast<facts::Outcome&>(one) = outcome;
        one.name = name, one.seconds = seconds;
        if (outcome.status == Status::fail) one.tasks = tasks_for(outcome);
        if (outcome.status == Status::fail && !readme_.tasks.regions.empty())
            one.edit = Tasks(readme_.tasks).line_to_edit(outcome, one.tasks);
        data_.cases.push_back(std::move(one));
    }

    /// Returns a reminder that a GPU does not reveal every mistake; empty on the CPU backend.
    std::string on_a_gpu() const {
#ifndef KIT_CPU
        if (stage_ == "exercise") return words::races_need_the_cpu();
#endif
        return "";
    }

    /// Returns the command that runs this test again, and no other test.
    std::string command() const {
        const std::string short_topic = topic_.substr(topic_.find_first_not_of("0123456789_"));
        const bool exercise = stage_.empty() || stage_ == "exercise";
        const std::string which = again_.empty() ? short_topic + "." + exercise_ + "$" : again_;
        return (seed_.value_or(1) == 1 ? "" : "KIT_SEED=" + std::to_string(*seed_) + " ") +
               "ctest --preset " + (exercise ? "exercises" : "proof") + " -R '" + which + "'";
    }

    /// The token proves that the grader wrote the verdict after it had started. Code that runs before main(), or a program
    /// that never grades, does not know the token. Code that reads the environment of the process can get the token, so an
    /// instructor must still read the source.
    int result(const char* outcome, const std::string& sentence, int status, const std::string& again = "") {
        const std::string shown = outcome == std::string(facts::other_method) ? "other" : outcome;
        for (const std::string& text : closing_lines(words::result_line(shown, sentence), again, width_))
            line(text);
        if (path_.empty()) return status;
        data_.token = token_;
        data_.outcome = outcome, data_.sentence = sentence, data_.again = again, data_.status = status;
        data_.device = device_;
        if (seed_) data_.seed = std::to_string(*seed_);
        data_.passed = static_cast<int>(cases_.passed), data_.failed = static_cast<int>(cases_.failed);
        data_.skipped = static_cast<int>(cases_.skipped);
        write_verdict(path_, facts::to_json(data_));
        return status;
    }

    std::string topic_, exercise_;
    std::optional<std::uint64_t> seed_;
    Readme& readme_;
    int width_;
    bool colour_ = false;
    bool hides_passed_ = false;
    std::string path_, token_, stage_, again_, device_;
    words::Cases cases_;
    std::size_t not_run_ = 0;
    std::vector<std::string> names_;  ///< names of the cases that ran
    std::vector<Group> groups_;
    std::vector<Group> others_;       ///< a group for each case with a different method
    std::vector<std::string> kinds_;  ///< kinds of the groups
    std::vector<std::string> output_before_, remarks_;
    facts::Verdict data_;
};

}  // namespace kit::detail
