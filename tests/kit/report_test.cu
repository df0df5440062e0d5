// Tests of the report about a failed exercise: findings as JSON and on screens, a diagnosis in fifteen lines,
// lists of cases.
#include <grader/report.hpp>
#include <grader/supervisor.hpp>
#include <words/finding.hpp>

#include "unit.hpp"

namespace {

using kit::Diagnosis;
using kit::detail::Diagnostic;
using kit::detail::Group;
using kit::facts::Outcome;
using kit::words::Told;

namespace facts = kit::facts;

facts::Who thread(unsigned x) {
    facts::Who who;
    who.kind = facts::Who::Kind::thread;
    who.thread = {{x, 0, 0}, true};
    return who;
}

facts::Line line(const char* file, int number, const char* text) {
    return {file, number, text};
}

facts::Memory element(const char* name, const char* of) {
    facts::Memory memory;
    memory.kind = facts::Memory::Kind::shared;
    memory.name = of;
    memory.element = name;
    memory.position = facts::Memory::Position::inside;
    return memory;
}

/// Returns a race between two lines of one file: a thread writes at the first line, and another thread reads
/// at the second.
facts::Finding race(int written = 27, int read = 32, std::uint64_t times = 255) {
    facts::Finding race(facts::Rule::race);
    race.kernel = "tree";
    race.memory = element("tile[1]", "tile");
    facts::Access now, earlier;
    now.who = thread(1);
    now.write = true;
    now.at = line("/nowhere/tree.cu", written, "tile[t] = in[i];");
    earlier.who = thread(0);
    earlier.who.block = {{0, 0, 0}, true};
    earlier.at = line("/nowhere/tree.cu", read, "sum += tile[t + stride];");
    race.accesses = {now, earlier};
    race.place = now.at;
    race.fix = facts::Fix::barrier;
    race.times = times;
    return race;
}

/// Returns a finding at a line in a helper function, with the line of the caller.
facts::Finding beyond() {
    facts::Finding beyond(facts::Rule::out_of_bounds);
    facts::Access access;
    access.who = thread(3);
    access.who.name = "add";
    access.at = {line("a.cuh", 9, "return in[i];"), line("b.cu", 40, "v = get(in, i);")};
    beyond.accesses = {access};
    beyond.place = access.at;
    beyond.with("bytes", 4);
    beyond.memory.kind = facts::Memory::Kind::buffer;
    beyond.memory.name = "in";
    beyond.memory.element = "in[9]";
    beyond.memory.bytes = 36;
    beyond.memory.position = facts::Memory::Position::after;
    return beyond;
}

Outcome failure(const facts::Finding& finding) {
    return kit::detail::failed(kit::detail::failure_of(finding));
}

std::vector<std::string> lines_of(const Outcome& outcome, int width,
                                  const std::vector<std::string>& failed = {"n=1"},
                                  const std::vector<std::string>& all = {"n=0", "n=1"}) {
    return Diagnostic(Group{outcome, failed, {}, {}}, all, width)
        .lines({"task   Task 2, \"the tree\", in exercises/07_reduction/README.md",
                "page   lectures/diagnoses/race.md"});
}

/// Returns an outcome with a sentence by the author of the test.
Outcome failure(const kit::Said& sentence, Diagnosis diagnosis = Diagnosis::wrong_value) {
    return kit::detail::failed(kit::detail::failure_of(diagnosis, sentence));
}

Outcome values(const char* what, std::uint64_t wrong, std::uint64_t of) {
    Outcome outcome = failure("");
    outcome.fault = facts::Fault::values;
    outcome.difference.what = what, outcome.difference.wrong = wrong, outcome.difference.of = of;
    return outcome;
}

CASE("a finding with two lines") {
    const Told told = kit::words::told(race());
    test.equal("what", told.what, std::string("race on `tile[1]` (shared) in `tree`"));
    test.equal("lines", told.lines.size(), std::size_t{2});
    test.equal("the first", told.lines[0].where.line, 27);
    test.equal("its file", told.lines[0].where.file, std::string("/nowhere/tree.cu"));
    test.equal("its source", told.lines[0].where.text, std::string("tile[t] = in[i];"));
    test.equal("who", told.lines[0].who, std::string("thread (1,0,0) writes it"));
    test.equal("who else", told.lines[1].who, std::string("thread (0,0,0) of block (0,0,0) reads it"));
    test.equal(
        "the rest", told.rest,
        std::string(
            "there is no barrier between line 27 and line 32: add one, or let the threads use different "
            "elements (seen 255 times)"));
    test.equal(
        "in one line", kit::words::text_of(race()),
        std::string(
            "race on `tile[1]` (shared) in `tree`: thread (1,0,0) writes it at line 27 of "
            "tree.cu: `tile[t] = in[i];`, and thread (0,0,0) of block (0,0,0) reads it at line "
            "32 of tree.cu: `sum += tile[t + stride];`; there is no barrier between line 27 and line 32: add "
            "one, or let the threads use different elements (seen 255 times)"));
}

CASE("a finding that travels is the same") {
    for (const facts::Finding& finding : {race(), beyond()}) {
        const auto again = facts::finding_from(facts::to_json(finding));
        test.check(again.has_value(), "it is read");
        if (!again) continue;
        test.equal("its words", kit::words::text_of(*again), kit::words::text_of(finding));
        test.equal("its JSON", facts::to_json(*again), facts::to_json(finding));
    }
    for (const char* text : {"", "{}", "[]", "{\"kind\":3}", "{\"kind\":\"race\",\"fix\":\"magic\"}",
                             "{\"kind\":\"race\",\"times\":-1}", "{\"kind\":\"race\",\"accesses\":{}}"})
        test.check(!facts::finding_from(std::string(text)), text);
}

CASE("every rule has a sentence, even if all facts are missing") {
    using facts::Rule;
    for (const facts::RuleRow& row : facts::rule_rows) {
        const facts::Finding finding(facts::rule_named(row.name));
        kit::words::told(finding);
        // The facts of these findings are their accesses, or the groups of waiting threads.
        const Rule rule = finding.rule;
        if (rule == Rule::none || rule == Rule::race || rule == Rule::threads_missing ||
            rule == Rule::two_barriers)
            continue;
        test.check(kit::words::text_of(finding).size() > finding.kind.size() + 1, row.name);
    }
}

CASE("a finding with one line, and who called it") {
    const Told told = kit::words::told(beyond());
    test.equal(
        "what", told.what,
        std::string("thread (3,0,0) of `add` reads 4 bytes: out of bounds, `in[9]`, right after the end of "
                    "`in` (36 bytes). Check the index, its guard, and the size of this memory"));
    test.equal("its line", told.lines.at(0).where.line, 9);
    test.equal("its caller", told.lines.at(0).where.caller.text, std::string("v = get(in, i);"));
    const std::vector<std::string> screen = lines_of(failure(beyond()), 80);
    test.check(std::find(screen.begin(), screen.end(), "       |     called from b.cu:40  v = get(in, i);") !=
                   screen.end(),
               "shown beside the line");
}

CASE("one diagnosis") {
    Outcome outcome = failure(race()), error;
    error.fault = facts::Fault::kernel_error;
    error.error = {"cudaErrorIllegalAddress", "text"};
    outcome.also = {failure(race(40, 27)), error};
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
        "    there is no barrier between line 27 and line 32: add one, or let the threads",
        "    use different elements (seen 255 times)",
        "",
        "    task   Task 2, \"the tree\", in exercises/07_reduction/README.md",
        "    page   lectures/diagnoses/race.md",
        "    also   another finding at line 40, perhaps for the same reason: fix the",
        "           mistake above first"};
    for (std::size_t i = 0; i < std::max(lines.size(), want.size()); ++i)
        test.equal("line " + std::to_string(i + 1), i < lines.size() ? lines[i] : "",
                   i < want.size() ? want[i] : "");
}

CASE("at most fifteen lines, as wide as the screen") {
    Outcome outcome = values("out", 100, 100);
    outcome.diagnosis = Diagnosis::tail;
    outcome.because =
        "a long meaning that does not fit into one line, so that it goes on below the first one";
    for (std::uint64_t i = 0; i < 5; ++i)
        outcome.difference.elements.push_back({i, "1", "a number of some more digits than fit", false, 0});
    outcome.also = {failure("something else, of which one line must be enough for everybody")};
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

CASE("another method") {
    const kit::Method method = {"one thread for each pair", "you launched 256 threads for 300 pairs",
                                "The index comes back in every kernel.", 1};
    const std::vector<std::string> want = {
        "OTHER  right results, but not as this exercise asks. It practises one thread for",
        "       each pair; you launched 256 threads for 300 pairs.",
        "       in all 4 cases",
        "",
        "    why    The index comes back in every kernel.",
        "    task   Task 1 in README.md",
        "    next   Write this part as the task asks, and grade it again. Until then, the",
        "           exercise does not count as done."};
    const std::vector<std::string> lines =
        kit::detail::lines_of(method, "all 4 cases", "Task 1 in README.md", 80);
    for (std::size_t i = 0; i < std::max(lines.size(), want.size()); ++i)
        test.equal("line " + std::to_string(i + 1), i < lines.size() ? lines[i] : "",
                   i < want.size() ? want[i] : "");
    test.equal("colour", kit::painted(want[0]).substr(0, 12), std::string("\033[1;36mOTHER"));
    test.equal("not red", kit::painted("RESULT other: x"), std::string("\033[36mRESULT other\033[0m: x"));
}

CASE("an outcome that travels is the same") {
    Outcome outcome;
    outcome.status = kit::detail::Status::other;
    outcome.method = {"a tree", "you wrote a loop", "Steps are few.", 3, "steps"};
    outcome.count.name = "steps", outcome.tasks = {3};
    outcome.difference = {"out", 3, 9, 2, 8, 1, 4, {{2, "7", "8", false, 0.5}}};
    outcome.notes = {{facts::Note::Kind::timed, "", 0, 3, 1.5, 0.1, 2000, 0.9}};
    outcome.also = {failure("something else")};
    const Outcome again = kit::detail::received(facts::to_json(outcome));
    test.check(again.status == kit::detail::Status::other && again.method.has_value(), "another method");
    if (!again.method) return;
    test.equal("its JSON", facts::to_json(again), facts::to_json(outcome));
    test.equal("in words", kit::words::headline_of(again),
               std::string("It practises a tree; you wrote a loop."));
    test.equal("what was counted", again.method->counted, std::string("steps"));
    test.equal("a note", kit::words::text_of(again.notes.at(0)),
               std::string("1.5000 ms (spread 10%), 2000 GB/s, 90% of a copy"));
    // A worker that sends invalid data must not pass.
    for (const char* text : {"", "pass", "[]", "{\"outcome\": \"great\"}", "{\"outcome\": \"other_method\"}",
                             "{\"difference\": {\"wrong\": -1}}", "{\"also\": [3]}"})
        test.check(kit::detail::received(text).fault == facts::Fault::unreadable, text);
    test.check(!kit::detail::received("{\"outcome\": \"fail\", \"finding\": {\"kind\": \"secret\"}}").finding,
               "a kind that does not exist");
}

CASE("cases in words") {
    using kit::words::cases_in_words;
    const std::vector<std::string> all = {"n=0", "n=1", "n=255", "two calls"};
    test.equal("all", cases_in_words(all, all, 80), std::string("all 4 cases"));
    test.equal("but one", cases_in_words({"n=1", "n=255", "two calls"}, all, 80),
               std::string("all 4 cases but n=0"));
    test.equal("some", cases_in_words({"n=1", "n=255"}, all, 80), std::string("2 of 4 cases: n=1, 255"));
    test.equal("one", cases_in_words({"n=1"}, {"n=1"}, 80), std::string("case n=1"));
    test.equal("counted", kit::words::listed({"one", "two", "three", "four"}, 20),
               std::string("one, two and 2 more"));
}

CASE("the same failure in other cases") {
    const auto kind_of = [](const Outcome& outcome) { return kit::detail::key_of(outcome); };
    Outcome a = values("out", 1, 1), b = values("out", 7, 9);
    a.difference.elements = {{3, "1", "2", false, 0}};
    test.equal("other numbers", kind_of(a), kind_of(b));
    const Outcome sentence = failure("`n` is 3");
    Outcome in_other_words = sentence;
    in_other_words.sentence = "`m` is 4: the text of a sentence does not matter";
    test.equal("the same line of the test", kind_of(sentence), kind_of(in_other_words));
    test.check(kind_of(sentence) != kind_of(failure("`n` is 3")), "another line, with the same text");
    const auto of = [](const char* name, const kit::Said& rest,
                       Diagnosis diagnosis = Diagnosis::wrong_value) {
        return failure(kit::subject(name) + rest, diagnosis);
    };
    test.equal("wrong values of one subject", kind_of(of("n", " is 3")), kind_of(of("n", " must not be 4")));
    test.check(kind_of(of("n", " is 3")) != kind_of(of("m", " is 3")), "another subject");
    test.check(kind_of(of("n", " is 3", Diagnosis::part)) != kind_of(of("m", " is 3", Diagnosis::part)),
               "another subject of a part");
    const auto at = [](const kit::Said& words) { return failure(words, Diagnosis::part); };
    test.check(kind_of(at("the tree" + kit::task(1))) != kind_of(at("the tree" + kit::task(2))),
               "another task");
    test.equal("its subject", of("n", " is 3").subject, std::string("n"));
    test.equal("its text", of("n", " is 3").sentence, std::string("`n` is 3"));
    b.pattern = facts::Pattern::shifted_left;
    test.check(kind_of(a) != kind_of(b), "another pattern");
    b.pattern = facts::Pattern::none;
    b.because = "only the first 512 values count", b.written_at = {"a_test.cu", 3, ""};
    test.check(kind_of(a) != kind_of(b), "another meaning");
    test.check(kind_of(a) != kind_of(values("bins", 1, 1)), "another array");
    test.check(kind_of(failure(race())) != kind_of(failure(race(28))), "another line");
    test.equal("seen less often", kind_of(failure(race())), kind_of(failure(race(27, 32, 3))));
    facts::Finding other = race();
    other.memory = element("bins[1]", "bins");
    test.check(kind_of(failure(race())) != kind_of(failure(other)), "another variable");
}

CASE("words") {
    using kit::detail::count_of;
    test.equal("plural", count_of(2, "graph launch"), std::string("2 graph launches"));
    test.equal("one", count_of(1, "graph launch"), std::string("1 graph launch"));
    test.equal("values", count_of(0, "value"), std::string("0 values"));
    test.equal("an end of line", kit::printable("a\nb\033"), std::string("a\\nb?"));
    test.equal("colour", kit::painted("WRONG  x: y"), std::string("\033[1;31mWRONG\033[0m  x: y"));
    test.equal("no colour", kit::painted("PASS  x"), std::string("PASS  x"));
}

}  // namespace

UNIT_MAIN("report")
