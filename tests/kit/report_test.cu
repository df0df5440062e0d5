// Tests of what a failed exercise shows: sentences taken apart, one diagnosis on fifteen lines, cases that are listed, tasks that
// are found by place.
#include <grader/report.hpp>

#include "unit.hpp"

namespace {

using kit::Diagnosis;
using kit::detail::Diagnostic;
using kit::detail::Group;
using kit::detail::Outcome;
using kit::detail::Told;

const std::string race =
    "race on `tile[1]` (shared) in `tree`: thread (1,0,0) writes it at line 27 of tree.cu: `tile[t] = "
    "in[i];`, and "
    "thread (0,0,0) of block (0,0,0) reads it at line 32 of tree.cu: `sum += tile[t + stride];`; no barrier "
    "between line 27 and "
    "line 32 (seen 255 times)";

std::vector<std::string> lines_of(const Outcome& outcome, int width,
                                  const std::vector<std::string>& failed = {"n=1"},
                                  const std::vector<std::string>& all = {"n=0", "n=1"}) {
    return Diagnostic(Group{outcome, failed, {}, {}}, all, width)
        .lines({"task   Task 2, \"the tree\", in exercises/07_reduction/README.md",
                "page   lectures/diagnoses/race.md"});
}

Outcome failure(const std::string& headline, const std::string& page = "") {
    Outcome outcome;
    outcome.status = kit::detail::Status::fail;
    outcome.headline = headline;
    outcome.page = page;
    return outcome;
}

CASE("a sentence with two lines") {
    const Told told = kit::detail::take_apart(race);
    test.equal("what", told.what, std::string("race on `tile[1]` (shared) in `tree`"));
    test.equal("lines", told.lines.size(), std::size_t{2});
    test.equal("the first", told.lines[0].line, 27);
    test.equal("its file", told.lines[0].file, std::string("tree.cu"));
    test.equal("its source", told.lines[0].source, std::string("tile[t] = in[i];"));
    test.equal("who", told.lines[0].who, std::string("thread (1,0,0) writes it"));
    test.equal("who else", told.lines[1].who, std::string("thread (0,0,0) of block (0,0,0) reads it"));
    test.equal("the rest", told.rest, std::string("no barrier between line 27 and line 32 (seen 255 times)"));
}

CASE("a sentence with one line") {
    const Told told = kit::detail::take_apart(
        "thread (3,0,0) of `add` reads 4 bytes at line 9 of add.cu: `c[i] = a[i];`: out of bounds, right "
        "after `a`");
    test.equal("what", told.what,
               std::string("thread (3,0,0) of `add` reads 4 bytes: out of bounds, right after `a`"));
    test.equal("line", told.lines.at(0).line, 9);
    const Told launch = kit::detail::take_apart(
        "the launch of `k` was refused: too many (line 5 of a.cuh: `k<<<1, 2>>>();`)");
    test.equal("in brackets", launch.what, std::string("the launch of `k` was refused: too many"));
    test.equal("of a header", launch.lines.at(0).file, std::string("a.cuh"));
    const Told check = kit::detail::take_apart("exercises/a/b.cu:58: CUDA error cudaErrorX (text) from f(x)");
    test.equal("of CUDA_CHECK", check.what, std::string("CUDA error cudaErrorX (text) from f(x)"));
    test.equal("its line", check.lines.at(0).line, 58);
}

CASE("a line in a helper, and who called it") {
    const Told race = kit::detail::take_apart(
        "race on `sums[1]` (shared) in `k`: thread (1,0,0) writes it at line 7 of a.cu: `sums[w] = v;`, "
        "called "
        "from line 40 of b.cu: `v = block_sum(v);`, and thread (0,0,0) of block (0,0,0) reads it at line 9 "
        "of "
        "a.cu: `v = sums[0];`; no barrier between line 7 and line 9");
    test.equal("lines", race.lines.size(), std::size_t{2});
    test.equal("what", race.what, std::string("race on `sums[1]` (shared) in `k`"));
    test.equal("who", race.lines.at(1).who, std::string("thread (0,0,0) of block (0,0,0) reads it"));
    test.equal("callers", race.lines.at(0).callers.size(), std::size_t{1});
    test.equal("caller's file", race.lines.at(0).callers.at(0).file, std::string("b.cu"));
    test.equal("caller's line", race.lines.at(0).callers.at(0).line, 40);
    test.check(race.lines.at(1).callers.empty(), "the other has none");
    test.equal("rest", race.rest, std::string("no barrier between line 7 and line 9"));

    const std::string one =
        "thread (3,0,0) of `add` reads 4 bytes at line 9 of a.cuh: `return in[i];`, called from line 40 of "
        "b.cu: "
        "`v = get(in, i);`: out of bounds, `in[9]`, right after the end of `in` (36 bytes)";
    const Told told = kit::detail::take_apart(one);
    test.equal(
        "one line", told.what,
        std::string("thread (3,0,0) of `add` reads 4 bytes: out of bounds, `in[9]`, right after the end of "
                    "`in` (36 bytes)"));
    test.equal("and its caller", told.lines.at(0).callers.at(0).source, std::string("v = get(in, i);"));
    kit::detail::Readme readme{"README.md",           {}, {}, {{1, "the sum"}, {2, "the guard"}},
                               {{"b.cu", 38, 41, 2}}, ""};
    test.check(readme.tasks_for(kit::Diagnosis::out_of_bounds, one) == std::vector<int>{2},
               "the caller's task");
    readme.regions.push_back({"a.cuh", 9, 9, 1});
    test.check(readme.tasks_for(kit::Diagnosis::out_of_bounds, one) == std::vector<int>{1},
               "the helper's own");
    const std::vector<std::string> lines = lines_of(failure(one, "lectures/diagnoses/address.md"), 80);
    test.check(std::find(lines.begin(), lines.end(), "       |     called from b.cu:40  v = get(in, i);") !=
                   lines.end(),
               "shown beside the line");
}

CASE("a sentence that ends at its line") {
    const Told told = kit::detail::take_apart(
        "`k` did not end within 3 s: thread (0,0,0) of `k` was at line 7 of a.cu: `x;`");
    test.equal("what", told.what, std::string("`k` did not end within 3 s"));
    test.equal("who", told.lines.at(0).who, std::string("thread (0,0,0) of `k` was here"));
}

CASE("sentences without a line") {
    for (const char* text :
         {"1 of 2 values of `out` differs", "line 3 of the output lacks a name", "line 4", ""}) {
        test.equal("whole", kit::detail::take_apart(text).what, std::string(text));
        test.check(kit::detail::take_apart(text).lines.empty(), text);
    }
}

CASE("one diagnosis") {
    Outcome outcome = failure(race, "lectures/diagnoses/race.md");
    outcome.file = "/nowhere/tree.cu";
    outcome.details = {
        "also: race at line 40 of tree.cu: `x`, and more at line 27 of tree.cu: `y`; no barrier",
        "also: CUDA error cudaErrorIllegalAddress (text) while the kernels ran"};
    const std::vector<std::string> lines = lines_of(outcome, 80);
    const std::vector<std::string> want = {
        "WRONG  race on `tile[1]` (shared) in `tree`",
        "       in 1 of 2 cases: n=1",
        "",
        "    /nowhere/tree.cu:27",
        "    27 | tile[t] = in[i];",
        "       |     thread (1,0,0) writes it",
        "    32 | sum += tile[t + stride];",
        "       |     thread (0,0,0) of block (0,0,0) reads it",
        "    no barrier between line 27 and line 32 (seen 255 times)",
        "",
        "    task   Task 2, \"the tree\", in exercises/07_reduction/README.md",
        "    page   lectures/diagnoses/race.md",
        "    also   another finding at line 40, perhaps for the same reason"};
    for (std::size_t i = 0; i < std::max(lines.size(), want.size()); ++i)
        test.equal("line " + std::to_string(i + 1), i < lines.size() ? lines[i] : "",
                   i < want.size() ? want[i] : "");
}

CASE("at most fifteen lines, as wide as the screen") {
    Outcome outcome = failure("100 of 100 values of `out` differ");
    outcome.diagnosis = Diagnosis::tail;
    outcome.meaning =
        "a long meaning that does not fit into one line, so that it goes on below the first one";
    for (int i = 0; i < 5; ++i)
        outcome.details.push_back("at [" + std::to_string(i) +
                                  "]: got 1, expected a number of some more digits than fit");
    outcome.details.push_back("also: something else, of which one line must be enough for everybody");
    std::vector<std::string> cases, all = {"right"};
    for (int i = 0; i < 40; ++i)
        cases.push_back("a rather long name, n=" + std::to_string(1000 * i + i * i) + "!");
    all.insert(all.end(), cases.begin(), cases.end());
    all.insert(all.end(), {"right too", "right as well", "right again"});
    for (const int width : {40, 60, 80, 100}) {
        const std::vector<std::string> lines = lines_of(outcome, width, cases, all);
        test.check(lines.size() <= 15, std::to_string(lines.size()) + " lines");
        for (const std::string& line : lines) {
            const std::size_t word = line.find_last_of(' ');
            const bool one_word = line.find_first_not_of(' ') > word || word == std::string::npos;
            test.check(kit::columns_of(line) <= width || one_word, line);
            test.check(line.find("...") == std::string::npos, line);
        }
    }
}

CASE("cases in words") {
    using kit::detail::cases_in_words;
    const std::vector<std::string> all = {"n=0", "n=1", "n=255", "two calls"};
    test.equal("all", cases_in_words(all, all, 80), std::string("all 4 cases"));
    test.equal("but one", cases_in_words({"n=1", "n=255", "two calls"}, all, 80),
               std::string("all 4 cases but n=0"));
    test.equal("some", cases_in_words({"n=1", "n=255"}, all, 80), std::string("2 of 4 cases: n=1, 255"));
    test.equal("one", cases_in_words({"n=1"}, {"n=1"}, 80), std::string("case n=1"));
    test.equal("counted", kit::detail::listed({"one", "two", "three", "four"}, 20),
               std::string("one, two and 2 more"));
}

CASE("the same failure in other cases") {
    using kit::detail::kind_of;
    Outcome a = failure("1 of 1 value of `out` differs"), b = failure("7 of 9 values of `out` differ");
    test.equal("other numbers", kind_of(a), kind_of(b));
    b.meaning = "only the first 512 values count";
    test.check(kind_of(a) != kind_of(b), "another meaning");
    test.check(kind_of(a) != kind_of(failure("1 of 1 value of `bins` differs")), "another array");
    std::string other_line = race, seen = race;
    other_line.replace(other_line.find("line 27"), 7, "line 28");
    seen.replace(seen.find("255 times"), 9, "3 times");
    const std::string page = "lectures/diagnoses/race.md";
    test.check(kind_of(failure(race, page)) != kind_of(failure(other_line, page)), "another line");
    test.equal("seen less often", kind_of(failure(race, page)), kind_of(failure(seen, page)));
}

CASE("the task is found by place") {
    kit::detail::Readme readme;
    readme.tasks[Diagnosis::race] = {1};
    readme.regions = {{"tree.cu", 20, 28, 2}, {"tree.cu", 30, 33, 3}};
    using Tasks = std::vector<int>;
    const auto is = [&](const char* what, const Tasks& got, const Tasks& want) {
        test.check(got == want, what);
    };
    is("no line: the kind", readme.tasks_for(Diagnosis::race, "the result differs"), {1});
    is("two lines: the later one", readme.tasks_for(Diagnosis::race, race), {3});
    readme.tasks[Diagnosis::race] = {2};
    is("two lines: the one of that kind", readme.tasks_for(Diagnosis::race, race), {2});
    is("one line", readme.tasks_for(Diagnosis::out_of_bounds, "reads at line 31 of tree.cu: `x`"), {3});
    is("a line of no task", readme.tasks_for(Diagnosis::race, "reads at line 50 of tree.cu: `x`"), {2});
    is("another file", readme.tasks_for(Diagnosis::race, "reads at line 31 of other.cu: `x`"), {2});
    is("two suspects", readme.tasks_for(Diagnosis::uninitialised, "reads at line 31 of tree.cu: `x`"), {3});
    readme.tasks[Diagnosis::uninitialised] = {1};
    is("who writes, who reads",
       readme.tasks_for(Diagnosis::uninitialised, "reads at line 31 of tree.cu: `x`"), {1, 3});
    readme.tasks_of_words.push_back({"a child can use", 5});
    is("words",
       readme.tasks_for(Diagnosis::race, "at line 31 of tree.cu: `x`: a child can use global memory"), {5});
    is("the sentence names one", readme.tasks_for(Diagnosis::race, "reads at line 31 of tree.cu (Task 4)"),
       {4});
    is("a reported line", readme.tasks_for(Diagnosis::race, "refused", {"tree.cu", 25, "", ""}), {2});
}

CASE("words") {
    using kit::detail::count_of;
    test.equal("plural", count_of(2, "graph launch"), std::string("2 graph launches"));
    test.equal("one", count_of(1, "graph launch"), std::string("1 graph launch"));
    test.equal("values", count_of(0, "value"), std::string("0 values"));
    test.equal("an end of line", kit::detail::printable("a\nb\033"), std::string("a\\nb?"));
    test.equal("colour", kit::painted("WRONG  x: y"), std::string("\033[1;31mWRONG\033[0m  x: y"));
    test.equal("no colour", kit::painted("PASS  x"), std::string("PASS  x"));
}

CASE("the cause is told before its consequences") {
    using kit::detail::telling_group;
    const std::string page = "lectures/diagnoses/race.md";
    Group found{failure(race, page), {"n=1", "n=2"}, {}, {}},
        values{failure("out[1] differs"), {"n=3"}, {}, {}};
    found.outcome.diagnosis = Diagnosis::race;
    test.equal("a race explains values", telling_group({values, found}).cases[0], std::string("n=1"));
    found.outcome.about_places = true;
    test.equal("a wrong index explains a race", telling_group({found, values}).cases[0], std::string("n=3"));
    test.equal("a race alone", telling_group({found}).cases[0], std::string("n=1"));
    Group crash{failure("a crash"), {"n=0"}, {}, {}};
    crash.outcome.diagnosis = Diagnosis::crash;
    test.equal("what came first", telling_group({crash, found, values}).cases[0], std::string("n=0"));
}

}  // namespace

UNIT_MAIN("report")
