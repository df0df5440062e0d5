// Sentences about the run of a test as a whole.
#include <algorithm>
#include <text_layout.hpp>
#include <words/finding.hpp>
#include <words/names.hpp>
#include <words/outcome.hpp>
#include <words/run.hpp>

namespace kit::words {

namespace {

std::string cases_of(std::size_t count) {
    return count_of(static_cast<double>(count), "cases");
}

constexpr const char* perhaps_follows = ", perhaps for the same reason: fix the mistake above first";

/// Returns a text such as "line 3" or "lines 3, 5 and 8".
std::string lines_in_words(const std::vector<int>& lines) {
    std::string text = lines.size() == 1 ? "line " : "lines ";
    for (std::size_t i = 0; i < lines.size(); ++i)
        text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
    return text;
}

/// Returns the numbers of skipped cases, which follow the other numbers.
std::string skips_of(const Cases& cases) {
    return cases.skipped ? ", " + std::to_string(cases.skipped) + " skipped" : "";
}

}  // namespace

std::string listed(const std::vector<std::string>& names, int most) {
    const auto start_of = [](const std::string& name) {
        const std::size_t last = name.find_last_not_of("0123456789");
        return last + 1 == name.size() || last == std::string::npos ? "" : name.substr(0, last + 1);
    };
    std::string text, start;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string mine = start_of(names[i]);
        const std::string shown =
            i > 0 && !mine.empty() && mine == start ? names[i].substr(mine.size()) : names[i];
        const auto rest = [&](std::size_t from) {
            return " and " + std::to_string(names.size() - from) + " more";
        };
        const int left = i + 1 == names.size() ? 0 : columns_of(rest(i + 1));
        if (i > 0 && columns_of(text) + 2 + columns_of(shown) + left > most) return text + rest(i);
        text += (i == 0 ? "" : names[i].find(',') == std::string::npos ? ", " : "; ") + shown;
        start = mine;
    }
    return text;
}

std::string cases_in_words(const std::vector<std::string>& failed, const std::vector<std::string>& all,
                           int most) {
    if (all.size() == 1) return "case " + failed[0];
    if (failed.size() == all.size()) return "all " + std::to_string(all.size()) + " cases";
    std::vector<std::string> others;
    for (const std::string& name : all) {
        if (std::find(failed.begin(), failed.end(), name) == failed.end()) others.push_back(name);
    }
    if (others.size() <= 3 && others.size() < failed.size())
        return "all " + std::to_string(all.size()) + " cases but " + listed(others, most);
    return std::to_string(failed.size()) + " of " + std::to_string(all.size()) +
           " cases: " + listed(failed, most);
}

std::string fail_otherwise(const std::vector<std::string>& cases, int most) {
    return listed(cases, most) + (cases.size() == 1
                                      ? " fails in a different way: fix the mistake above first"
                                      : " fail in a different way: fix the mistake above first");
}

std::string not_run(std::size_t cases) {
    return cases_of(cases) + " not run, because other cases did not finish: fix the mistake above first";
}

std::string also_of(const facts::Failure& other) {
    using facts::Fault;
    switch (other.fault) {
        case Fault::stated:
        case Fault::no_kernel:
        case Fault::too_many_stores:
        case Fault::too_many_loads:
            return headline_of(other);  // it contains advice
        default:
            break;
    }
    if (!other.finding) return headline_of(other) + perhaps_follows;
    const Told one = told(*other.finding, false);
    std::vector<int> lines;
    for (const ToldLine& named : one.lines) lines.push_back(named.where.line);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return one.what + (lines.empty() ? "" : " at " + lines_in_words(lines)) + perhaps_follows;
}

std::string other_findings_at(const std::vector<int>& lines) {
    const std::string text =
        (lines.size() == 1 ? "another finding at " : "other findings at ") + lines_in_words(lines);
    return text + perhaps_follows;
}

std::string can_follow(const std::string& what) {
    return (what.empty() ? "a deadlock" : what) + ", which can follow from this: fix the mistake above first";
}

std::string place_of_tasks(const std::vector<int>& tasks, const std::map<int, std::string>& titles,
                           const std::string& readme) {
    std::string text;
    for (const int task : tasks) {
        const auto title = titles.find(task);
        text += (text.empty() ? "Task " : " and Task ") + std::to_string(task) +
                (title == titles.end() ? "" : ", \"" + title->second + "\",");
    }
    return (text.empty() ? "" : text + " in ") + readme;
}

const char* label_of(facts::Status status) {
    switch (status) {
        case facts::Status::pass:
            return "PASS  ";
        case facts::Status::fail:
            return "FAIL  ";
        case facts::Status::skip:
            return "SKIP  ";
        case facts::Status::other:
            return "OTHER ";
    }
    return "";
}

std::string result_line(const std::string& outcome, const std::string& sentence) {
    return "RESULT " + outcome + ": " + sentence;
}

const char* no_case_ran() {
    return "no case ran";
}

std::string no_case_is_named(const std::string& text) {
    return "no case ran, because no name contains \"" + text + "\": --list prints the names";
}

const char* every_case_was_skipped() {
    return "every case was skipped, for the reasons above";
}

std::string todo_is_open(int number) {
    return "TODO(" + std::to_string(number) + ") is still open";
}

std::string cases_passed(const Cases& cases) {
    return std::to_string(cases.passed) + " of " + cases_of(cases.passed) + skips_of(cases);
}

std::string cases_failed(const Cases& cases) {
    return std::to_string(cases.failed) + " of " + cases_of(cases.ran()) + " failed" + skips_of(cases);
}

std::string another_method(const Cases& cases) {
    return "right in " + (cases.ran() == 1 ? "the case" : "all " + cases_of(cases.ran())) + skips_of(cases) +
           ", but not as this exercise asks";
}

const char* races_need_the_cpu() {
    return "; the CPU backend also looks for races: configure with -DKIT_BACKEND=CPU";
}

std::string help_of_test(const std::string& program) {
    return program + R"(: grades one exercise
  --case TEXT   run only the case TEXT or, if there is none, the cases whose names contain TEXT; can be repeated
  --list        print the names of the cases, and run none
  --seed N      use other input values and sizes (default: KIT_SEED, otherwise 1)
  --profile     at the end, print what the warps of each kernel did, line by line (CPU backend)
  --profile=FILE.html  write it as a page for a browser
  --once        run each case once, for profilers, instead of in several orders; KIT_SCHEDULE chooses the order
  --no-fork     run in this process, for debuggers and sanitizers; a crash or exit() then ends the grading
  --worker PROGRAM [ARGUMENT...]  judge PROGRAM, which is this test with a student's code (kit_class uses it)
  --help        print this text
The environment variable KIT_TIME_FACTOR=10 makes all time limits ten times longer.
Exit status: 0 pass, 1 fail, 2 wrong usage, 77 cannot run here.
)";
}

std::string unknown_option(const std::string& option) {
    return "unknown option \"" + option + "\": --help lists the options";
}

std::string option_needs_value(const std::string& option) {
    return option + " needs a value: --help lists the options";
}

std::string not_a_seed(const std::string& where, const std::string& text) {
    return where + " needs a whole number from 0 to 18446744073709551615, not \"" + text + "\"";
}

std::string not_a_time_factor(const std::string& text) {
    return "KIT_TIME_FACTOR needs a number above 0, not \"" + text + "\"";
}

std::string profile_needs_the_cpu(const std::string& program) {
    return "--profile needs the CPU backend, whose executor counts; on a GPU, use a profiler: ncu --set full " +
           program + " --no-fork --once";
}

}  // namespace kit::words
