// The sentences about the run of a test as a whole: which cases have a failure, how the run ended, where to read on, and what the command
// line accepts.
#pragma once

#include <facts/outcome.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::words {

/// How many cases ended in which way.
struct Cases {
    std::size_t passed = 0, failed = 0, skipped = 0, other = 0;

    std::size_t ran() const { return passed + failed + other; }
};

// ---- which cases ----

/// "n=1, 255, 256 and two calls": names that differ in their last number only share the words before it. What does not fit into
/// `most` columns is counted.
std::string listed(const std::vector<std::string>& names, int most);

/// The cases of a failure among all that ran: "all 12 cases", "all 12 cases but n=0", "3 of 12 cases: n=1, 255, 257".
std::string cases_in_words(const std::vector<std::string>& failed, const std::vector<std::string>& all,
                           int most);

/// Cases that fail in another way than the one that is explained.
std::string fail_otherwise(const std::vector<std::string>& cases, int most);
std::string not_run(std::size_t cases);

// ---- what a screen says about a failure besides its sentence ----

/// Lines of other findings in the same case.
std::string other_findings_at(const std::vector<int>& lines);
/// A wait of threads that can follow from the failure. `what`: the time-out; empty for a deadlock.
std::string can_follow(const std::string& what);
/// "Task 2, "the tail", in exercises/07_reduction/README.md". `titles`: those that are known.
std::string place_of_tasks(const std::vector<int>& tasks, const std::map<int, std::string>& titles,
                           const std::string& readme);

// ---- how the run ended ----

/// "PASS  ": what the line of a case begins with.
const char* label_of(facts::Status status);
std::string result_line(const std::string& outcome, const std::string& sentence);
const char* no_case_ran();
/// `text`: of the option --case.
std::string no_case_is_named(const std::string& text);
const char* every_case_was_skipped();
/// `runs_again`: the command that runs this test again.
std::string cases_passed(const Cases& cases);
std::string cases_failed(const Cases& cases, const std::string& runs_again);
std::string another_method(const Cases& cases, const std::string& runs_again);
/// What a pass on a GPU does not show.
const char* races_need_the_cpu();

// ---- the command line ----

std::string help_of_test(const std::string& program);
std::string unknown_option(const std::string& option);
std::string option_needs_value(const std::string& option);
std::string not_a_seed(const std::string& where, const std::string& text);
std::string not_a_time_factor(const std::string& text);
std::string profile_needs_the_cpu(const std::string& program);

}  // namespace kit::words
