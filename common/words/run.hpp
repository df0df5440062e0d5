// Sentences about the run of a test as a whole: which cases have failed, how the run ended, where to read on,
// and what the command line accepts.
#pragma once

#include <facts/outcome.hpp>
#include <map>
#include <string>
#include <vector>

namespace kit::words {

/// How many cases of a run have each result.
struct Cases {
    std::size_t passed = 0, failed = 0, skipped = 0, other = 0;

    std::size_t ran() const { return passed + failed + other; }
};

// Lists of cases.

/// Returns a list such as "n=1, 255, 256 and two calls". Names that differ only in the number at the end are
/// joined: the words before the number are written once. Names that do not fit into `most` columns are
/// counted.
std::string listed(const std::vector<std::string>& names, int most);

/// Returns which of the cases that ran have failed: "all 12 cases", "all 12 cases but n=0", "3 of 12 cases:
/// n=1, 255, 257".
std::string cases_in_words(const std::vector<std::string>& failed, const std::vector<std::string>& all,
                           int most);

/// Returns a line about the cases whose failure differs from that of the explained case.
std::string fail_otherwise(const std::vector<std::string>& cases, int most);
std::string not_run(std::size_t cases);

// Further lines about a failure.

/// Returns a line about a further failure in the same case. It ends in advice.
std::string also_of(const facts::Failure& other);
/// Returns a line about other findings in the same case, at these source lines.
std::string other_findings_at(const std::vector<int>& lines);
/// Returns a line about a wait that the failure may have caused. `what` is the name of the time-out; empty
/// for a deadlock.
std::string can_follow(const std::string& what);
/// Returns the place of tasks: "Task 2, "the tail", in exercises/07_reduction/README.md". `titles` has the
/// titles that are known.
std::string place_of_tasks(const std::vector<int>& tasks, const std::map<int, std::string>& titles,
                           const std::string& readme);

// The end of a run.

/// Returns the first word of a case's line, padded with blanks: "PASS  ".
const char* label_of(facts::Status status);
std::string result_line(const std::string& outcome, const std::string& sentence);
const char* no_case_ran();
/// `text` is the value of the option --case.
std::string no_case_is_named(const std::string& text);
const char* every_case_was_skipped();
std::string todo_is_open(int number);
std::string cases_passed(const Cases& cases);
std::string cases_failed(const Cases& cases);
std::string another_method(const Cases& cases);
/// Returns the end of a line that says which check is missing if a test passes on a GPU.
const char* races_need_the_cpu();

// The command line.

std::string help_of_test(const std::string& program);
std::string unknown_option(const std::string& option);
std::string option_needs_value(const std::string& option);
std::string not_a_seed(const std::string& where, const std::string& text);
std::string not_a_time_factor(const std::string& text);
std::string profile_needs_the_cpu(const std::string& program);

}  // namespace kit::words
