// The report: one line per case, what is wrong below it, and the closing RESULT line that CTest requires.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <grader/case.hpp>

namespace kit::detail {

/// The outcome as the lines below the case's name: "n=257: 1 of 2 values of `out` differs", then the details.
inline std::vector<std::string> describe(const std::string& name, const Outcome& outcome,
                                         const Readme& readme) {
    std::vector<std::string> lines;
    const char* words[] = {"PASS  ", "FAIL  ", "SKIP  "};
    std::string first = words[static_cast<int>(outcome.status)] + name;
    if (outcome.status != Status::pass) first += ": " + outcome.headline;
    lines.push_back(first);
    if (outcome.status == Status::fail) {
        for (const std::string& detail : outcome.details) lines.push_back("      " + detail);
        const std::string see = readme.see(outcome.diagnosis, outcome.page);
        lines.push_back("      " + (outcome.meaning.empty() ? see : outcome.meaning + ": " + see));
    }
    for (const std::string& note : outcome.notes) lines.push_back("      note: " + note);
    return lines;
}

inline std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += printable(line) + "\n";
    return text;
}

/// Counts the verdicts and says the last word.
class Report {
  public:
    Report(std::string topic, std::string exercise, std::uint64_t seed)
        : topic_(std::move(topic)), exercise_(std::move(exercise)), seed_(seed) {
        if (const char* token = std::getenv("KIT_TOKEN")) token_ = token;
        if (const char* stage = std::getenv("KIT_EXERCISE_STAGE")) stage_ = stage;
    }

    void header(const std::string& device) const {
        line(topic_ + "/" + exercise_ + "   device: " + device + "   seed: " + std::to_string(seed_));
    }

    void line(const std::string& text) const {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fputc('\n', stdout);
        std::fflush(stdout);
    }

    /// Counts and shows a case. Of failures that are alike the first two are shown in full, the others in a
    /// line that fits on a screen.
    void verdict(Status status, Diagnosis diagnosis, std::string text) {
        ++counts_[static_cast<int>(status)];
        if (status == Status::fail && ++shown_[diagnosis] > 2) {
            constexpr std::size_t longest = 110;
            text.erase(text.find('\n') + 1);
            if (text.size() > longest) text = text.substr(0, longest - 4) + "...\n";
            shortened_ = true;
        }
        text.pop_back();
        line(text);
    }

    /// How many cases failed with this diagnosis so far.
    int count(Diagnosis diagnosis) const {
        const auto found = shown_.find(diagnosis);
        return found == shown_.end() ? 0 : found->second;
    }

    int skip(const std::string& why) const { return result("skip: " + why, 77); }
    int open(const std::string& gap) const { return result("open: " + gap, 1); }
    int fail(const std::string& why) const { return result("fail: " + why, 1); }

    /// Passes only if at least one case ran and none failed.
    int finish() const {
        const std::size_t passed = counts_[0], failed = counts_[1], skipped = counts_[2];
        const std::string skips = skipped ? ", " + std::to_string(skipped) + " skipped" : "";
        const std::string score = std::to_string(passed) + " of " + count_of(passed + failed, "case") + skips;
        if (passed + failed + skipped == 0) return fail("no case ran");
        if (passed + failed == 0) return skip("every case was skipped, see above");
        if (failed == 0) return result("pass: " + score, 0);
        if (shortened_) line("(The program's option --case NAME shows one of the shortened cases in full.)");
        return fail(score + "     again: " + command() + "   seed " + std::to_string(seed_));
    }

  private:
    std::string command() const {
        const std::string short_topic = topic_.substr(topic_.find_first_not_of("0123456789_"));
        const bool exercise = stage_.empty() || stage_ == "exercise";
        return "ctest --preset " + std::string(exercise ? "exercises" : "solutions") + " -R " +
               (exercise           ? short_topic
                : stage_ == topic_ ? topic_
                                   : stage_ + "." + topic_) +
               "." + exercise_;
    }

    /// The token proves that the line was printed by the grader after it had started: code that runs before
    /// main, or a program that never grades, does not know it. It is no secret from code that sets out to
    /// steal it from the environment of the process: that takes an instructor's look at the source.
    int result(const std::string& text, int status) const {
        line("RESULT " + text + (token_.empty() ? "" : " [" + token_ + "]"));
        return status;
    }

    std::string topic_, exercise_;
    std::uint64_t seed_;
    std::string token_, stage_;
    std::size_t counts_[3] = {0, 0, 0};
    std::map<Diagnosis, int> shown_;
    bool shortened_ = false;
};

}  // namespace kit::detail
