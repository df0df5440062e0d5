// Formats one diagnosis for the screen, in at most fifteen lines: what happened, in which cases, the source
// lines with what each thread did there, what is missing, the task and the page. The sentences are in
// common/words.
#pragma once

#include <algorithm>
#include <grader/case.hpp>
#include <grader/cause.hpp>
#include <grader/diagnosis.hpp>
#include <text_layout.hpp>
#include <words/listing.hpp>
#include <words/run.hpp>

namespace kit::detail {

class Diagnostic {
  public:
    static constexpr std::size_t most_lines = 15;

    Diagnostic(const Group& group, const std::vector<std::string>& all_cases, int width)
        : group_(group), outcome_(group.outcome), all_cases_(all_cases), width_(width) {}

    /// Returns the lines of the screen. `see` is the lines about the task and the page.
    std::vector<std::string> lines(const std::vector<std::string>& see) const {
        const words::Told told = told_of(outcome_);
        std::vector<std::string> top, source, details, end;
        std::string what = told.what.empty() ? words::sentence_of(outcome_.diagnosis) : told.what;
        if (const std::string meaning = words::meaning_of(outcome_); !meaning.empty())
            what = words::two_sentences(what, meaning);
        add(top, "WRONG  " + what, 7);
        add(top, "       in " + words::cases_in_words(group_.cases, all_cases_, 2 * width_ - 40), 7);
        for (std::string& line : words::listing(told, width_, from_root)) source.push_back(std::move(line));
        if (!told.rest.empty()) add(source, "    " + told.rest, 4);
        for (const std::string& line : see) add(end, "    " + line, 11);
        const std::string others = other_findings();
        if (!others.empty()) add(end, "    also   " + others, 11);
        for (const std::string& detail : shown_details()) {
            const std::vector<std::string> one = wrapped(printable("    " + detail), width_, 6);
            if (top.size() + source.size() + details.size() + one.size() + end.size() > most_lines - 2) break;
            details.insert(details.end(), one.begin(), one.end());
        }
        std::size_t room = top.size() + source.size() + details.size() + end.size();
        for (const auto* part : {&source, &details, &end}) {
            if (part->empty()) continue;
            if (room < most_lines) top.emplace_back(), ++room;
            top.insert(top.end(), part->begin(), part->end());
        }
        return top;
    }

  private:
    void add(std::vector<std::string>& lines, const std::string& text, int hang) const {
        for (std::string& line : wrapped(printable(text), width_, hang)) lines.push_back(std::move(line));
    }

    bool is_finding() const { return outcome_.finding.has_value(); }

    /// Returns the details to show. A finding has no details, because its sentence says everything.
    std::vector<std::string> shown_details() const {
        return is_finding() ? std::vector<std::string>() : words::details_of(outcome_);
    }

    static std::string without_numbers(std::string text) {
        const auto is_part_of_number = [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '.'; };
        text.erase(std::remove_if(text.begin(), text.end(), is_part_of_number), text.end());
        return text;
    }

    /// Returns the other failures of the same case in short, without a CUDA error that the finding has
    /// caused, and without failures that differ only in their numbers.
    std::string other_findings() const {
        std::vector<int> lines;
        if (!is_finding()) {
            const std::string mine = without_numbers(words::headline_of(outcome_));
            const auto is_news = [&](const facts::Failure& other) {
                return other.fault != facts::Fault::kernel_error &&
                       other.fault != facts::Fault::unchecked_error &&
                       without_numbers(words::headline_of(other)) != mine;
            };
            const auto found = std::find_if(outcome_.also.begin(), outcome_.also.end(), is_news);
            return found == outcome_.also.end() ? "" : words::also_of(*found);
        }
        for (const facts::Failure& other : outcome_.also)
            if (other.finding && is_wait(other) && !is_wait(outcome_))
                return words::can_follow(other.diagnosis == Diagnosis::timeout ? told_of(other).what : "");
        const std::vector<facts::Where> mine = facts::lines_of(outcome_);
        for (const facts::Failure& other : outcome_.also) {
            if (!other.finding) continue;
            for (const facts::Where& where : facts::lines_of(other)) {
                const auto is_it = [&](const facts::Where& one) { return one.line == where.line; };
                if (std::none_of(mine.begin(), mine.end(), is_it)) lines.push_back(where.line);
            }
        }
        std::sort(lines.begin(), lines.end());
        lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        return lines.empty() ? "" : words::other_findings_at(lines);
    }

    const Group& group_;
    const facts::Outcome& outcome_;
    const std::vector<std::string>& all_cases_;
    int width_;
};

/// Returns the screen for a different method. `cases` is a text such as "all 4 cases"; `place` is the lines
/// about the task and the page.
inline std::vector<std::string> lines_of(const Method& method, const std::string& cases,
                                         const std::string& place, int width) {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text, int hang) {
        for (std::string& line : wrapped(text, width, hang)) lines.push_back(std::move(line));
    };
    add("OTHER  " + words::screen_of(method), 7);
    add("       in " + cases, 7);
    lines.emplace_back();
    add("    why    " + method.why, 11);
    add("    task   " + place, 11);
    add(std::string("    next   ") + words::next_of_method(), 11);
    return lines;
}

}  // namespace kit::detail
