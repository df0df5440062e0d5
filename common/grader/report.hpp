// The report: one line per case, what is wrong below it, and the closing RESULT line; and the same as data.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <grader/case.hpp>
#include <grader/verdict.hpp>
#include <set>
#include <sstream>

namespace kit::detail {

/// The lines of an environment variable; none without it.
inline std::vector<std::string> lines_of_variable(const char* name) {
    std::vector<std::string> lines;
    const char* value = std::getenv(name);
    std::istringstream text(value ? value : "");
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// Counts the verdicts and says the last word. What it reads from the environment comes from whoever judges the run:
/// KIT_VERDICT, the file for the data; KIT_TOKEN, which proves that the grader wrote it; KIT_TASKS, the titles of the tasks,
/// "2 the tail" on a line each; KIT_UNTIL, texts of which each must have been said before the run may end early.
class Report {
  public:
    Report(std::string topic, std::string exercise, std::uint64_t seed, Readme& readme)
        : topic_(std::move(topic)), exercise_(std::move(exercise)), seed_(seed), readme_(readme) {
        if (const char* path = std::getenv("KIT_VERDICT")) path_ = path;
        if (const char* token = std::getenv("KIT_TOKEN")) token_ = token;
        if (const char* stage = std::getenv("KIT_EXERCISE_STAGE")) stage_ = stage;
        for (const std::string& line : lines_of_variable("KIT_TASKS")) {
            const std::size_t space = line.find(' ');
            if (space != std::string::npos) readme_.titles[std::atoi(line.c_str())] = line.substr(space + 1);
        }
        for (const std::string& text : lines_of_variable("KIT_UNTIL")) unsaid_.insert(text);
        may_stop_ = !unsaid_.empty();
    }

    void header(const std::string& device) {
        device_ = device;
        line(topic_ + "/" + exercise_ + "   device: " + device + "   seed: " + std::to_string(seed_));
    }

    void line(const std::string& text) const {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fputc('\n', stdout);
        std::fflush(stdout);
    }

    /// Counts and shows a case. Of failures that are alike the first two are shown in full, the others in a
    /// line that fits on a screen.
    void verdict(const std::string& name, const Outcome& outcome, double seconds) {
        ++counts_[static_cast<int>(outcome.status)];
        std::vector<std::string> lines = describe(name, outcome);
        record(name, outcome, seconds);
        for (auto text = unsaid_.begin(); text != unsaid_.end();)
            text = said(lines, *text) ? unsaid_.erase(text) : std::next(text);
        if (outcome.status == Status::fail && ++shown_[outcome.diagnosis] > 2) {
            constexpr std::size_t longest = 110;
            lines.resize(1);
            if (lines[0].size() > longest) lines[0] = lines[0].substr(0, longest - 4) + "...";
            shortened_ = true;
        }
        for (const std::string& text : lines) line(text);
    }

    /// A line of the report that belongs to no case.
    void note(const std::string& text) {
        notes_.push_back(text);
        line("note: " + text);
    }

    /// Every text that was asked for has been said of a case that failed: nothing new will come.
    bool may_stop() const { return may_stop_ && unsaid_.empty(); }

    /// How many cases failed with this diagnosis so far.
    int count(Diagnosis diagnosis) const {
        const auto found = shown_.find(diagnosis);
        return found == shown_.end() ? 0 : found->second;
    }

    int skip(const std::string& why) { return result("skip", why, 77); }
    int fail(const std::string& why) { return result("fail", why, 1); }

    /// A gap of the starter was reached in this case.
    int open(const std::string& name, int number, const std::string& gap) {
        Outcome outcome;
        outcome.status = Status::fail;
        outcome.diagnosis = Diagnosis::open_todo;
        outcome.headline = gap;
        record(name, outcome, 0);
        line("OPEN  " + name + ": " + gap);
        line("      " + readme_.see(Diagnosis::open_todo));
        gap_ = number;
        return result("open", gap.substr(0, gap.find(": ")), 1);
    }

    /// Passes only if at least one case ran and none failed.
    int finish() {
        const std::size_t passed = counts_[0], failed = counts_[1], skipped = counts_[2];
        const std::string skips = skipped ? ", " + std::to_string(skipped) + " skipped" : "";
        const std::string score = std::to_string(passed) + " of " + count_of(passed + failed, "case") + skips;
        if (passed + failed + skipped == 0) return fail("no case ran");
        if (passed + failed == 0) return skip("every case was skipped, see above");
        if (failed == 0) return result("pass", score, 0);
        if (may_stop()) line("(Stopped here: all that the judge asked for has been said.)");
        if (shortened_) line("(The program's option --case NAME shows one of the shortened cases in full.)");
        return fail(score + "     again: " + command() + "   seed " + std::to_string(seed_));
    }

  private:
    /// The outcome as the lines below the case's name: "n=257: 1 of 2 values of `out` differs", then the details.
    std::vector<std::string> describe(const std::string& name, const Outcome& outcome) const {
        std::vector<std::string> lines;
        const char* words[] = {"PASS  ", "FAIL  ", "SKIP  "};
        std::string first = words[static_cast<int>(outcome.status)] + name;
        if (outcome.status != Status::pass) first += ": " + outcome.headline;
        lines.push_back(first);
        if (outcome.status == Status::fail) {
            for (const std::string& detail : outcome.details) lines.push_back("      " + detail);
            const std::string see = readme_.see(outcome.diagnosis, outcome.page);
            lines.push_back("      " + (outcome.meaning.empty() ? see : outcome.meaning + ": " + see));
        }
        for (const std::string& note : outcome.notes) lines.push_back("      note: " + note);
        for (std::string& line : lines) line = printable(line);
        return lines;
    }

    static bool said(const std::vector<std::string>& lines, const std::string& text) {
        for (const std::string& line : lines) {
            if (line.find(text) != std::string::npos) return true;
        }
        return false;
    }

    void record(const std::string& name, const Outcome& outcome, double seconds) {
        const char* words[] = {"pass", "fail", "skip"};
        Json one;
        one.member("name", name)
            .member("outcome", words[static_cast<int>(outcome.status)])
            .member("seconds", seconds);
        if (outcome.status == Status::fail) {
            one.member("diagnosis", name_of(outcome.diagnosis))
                .member("tasks", readme_.tasks_of(outcome.diagnosis));
            one.member("see", readme_.see(outcome.diagnosis, outcome.page));
            if (!outcome.meaning.empty()) one.member("meaning", outcome.meaning);
            if (!outcome.page.empty()) one.member("page", outcome.page);
            if (outcome.line) one.member("file", outcome.file).member("line", outcome.line);
        }
        if (outcome.status != Status::pass)
            one.member("headline", outcome.headline).member("details", outcome.details);
        if (!outcome.notes.empty()) one.member("notes", outcome.notes);
        cases_.push_back(one);
    }

    std::string command() const {
        const std::string short_topic = topic_.substr(topic_.find_first_not_of("0123456789_"));
        const bool exercise = stage_.empty() || stage_ == "exercise";
        return "ctest --preset " + std::string(exercise ? "exercises" : "solutions") + " -R " +
               (exercise           ? short_topic
                : stage_ == topic_ ? topic_
                                   : stage_ + "." + topic_) +
               "." + exercise_;
    }

    /// The token proves that the grader wrote the verdict after it had started: code that runs before main, or a program
    /// that never grades, does not know it. It is no secret from code that sets out to steal it from the environment of
    /// the process: that takes an instructor's look at the source.
    int result(const char* outcome, const std::string& sentence, int status) {
        line(std::string("RESULT ") + outcome + ": " + sentence);
        if (path_.empty()) return status;
        Json verdict;
        verdict.member("schema", 1)
            .member("token", token_)
            .member("topic", topic_)
            .member("exercise", exercise_);
        verdict.member("outcome", outcome).member("sentence", sentence).member("status", status);
        verdict.member("device", device_).member("seed", std::to_string(seed_));
        verdict.member("passed", static_cast<double>(counts_[0]))
            .member("failed", static_cast<double>(counts_[1]));
        verdict.member("skipped", static_cast<double>(counts_[2]));
        if (gap_) verdict.member("gap", gap_);
        if (!notes_.empty()) verdict.member("notes", notes_);
        write_verdict(path_, verdict.member("cases", cases_));
        return status;
    }

    std::string topic_, exercise_;
    std::uint64_t seed_;
    Readme& readme_;
    std::string path_, token_, stage_, device_;
    std::set<std::string> unsaid_;
    bool may_stop_ = false;
    std::size_t counts_[3] = {0, 0, 0};
    std::map<Diagnosis, int> shown_;
    std::vector<Json> cases_;
    std::vector<std::string> notes_;
    int gap_ = 0;
    bool shortened_ = false;
};

}  // namespace kit::detail
