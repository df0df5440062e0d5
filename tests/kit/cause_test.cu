// Tests of the rules in grader/cause.hpp and grader/task.hpp, with one case per rule: which failure a verdict
// explains, and to which task it points.
#include <grader/cause.hpp>
#include <grader/task.hpp>

#include "unit.hpp"

namespace {

using kit::About;
using kit::Diagnosis;
using kit::detail::Causes;
using kit::detail::Group;
using kit::detail::TaskMap;
using kit::facts::Access;
using kit::facts::Finding;
using kit::facts::Fix;
using kit::facts::Line;
using kit::facts::Memory;
using kit::facts::Outcome;
using kit::facts::Rule;
using kit::facts::Where;
using kit::facts::Who;
using Tasks = std::vector<int>;

Outcome values(Diagnosis diagnosis = Diagnosis::wrong_value) {
    Outcome outcome = kit::detail::failed(kit::detail::failure_of(kit::facts::Fault::values, diagnosis));
    outcome.difference.what = "out";
    outcome.difference.wrong = 3, outcome.difference.of = 9;
    return outcome;
}

Outcome found(const Finding& finding) {
    return kit::detail::failed(kit::detail::failure_of(finding));
}

Line line(int number, const char* file = "tree.cu") {
    return {file, number, "x"};
}

Finding race(int running, int earlier, Fix fix = Fix::barrier, const char* memory = "tile") {
    Finding finding(Rule::race);
    finding.memory.kind = Memory::Kind::shared;
    finding.memory.name = memory;
    finding.fix = fix;
    Access now, before;
    now.at = line(running), before.at = line(earlier);
    now.write = true;
    finding.accesses = {now, before};
    finding.place = now.at;
    return finding;
}

Finding at(Rule rule, int number, const char* memory = "tile") {
    Finding finding(rule);
    finding.at = line(number);
    finding.place = finding.at;
    finding.memory.name = memory;
    return finding;
}

/// Failures, each with the number of its cases.
struct Failures {
    std::vector<Group> groups;

    Failures& add(const char* name, const Outcome& outcome, std::size_t cases = 1) {
        groups.push_back({outcome, std::vector<std::string>(cases, name), {}, {}});
        return *this;
    }
    std::string cause() const { return Causes(groups).nearest().cases[0]; }
};

CASE("C1: leaks come last") {
    const Failures all = Failures().add("leak", found(at(Rule::leak, 3)), 9).add("values", values());
    test.equal("values first", all.cause(), std::string("values"));
    test.equal("a leak alone", Failures().add("leak", found(at(Rule::leak, 3))).cause(), std::string("leak"));
}

CASE("C2: a case made for one part comes first") {
    Failures all;
    all.add("race", found(race(1, 2)), 9).add("part", values(Diagnosis::part));
    test.equal("before a race", all.cause(), std::string("part"));
    Failures parts;
    parts.add("first part", values(Diagnosis::part)).add("second part", values(Diagnosis::part), 9);
    test.equal("the first of two", parts.cause(), std::string("first part"));
}

CASE("C3: a crash in the first case that fails") {
    const Outcome crash = values(Diagnosis::crash);
    Failures first, later;
    first.add("crash", crash).add("race", found(race(1, 2)), 9);
    later.add("values", values()).add("crash", crash, 9);
    test.equal("comes first", first.cause(), std::string("crash"));
    test.equal("comes last if it is not the first failure", later.cause(), std::string("values"));
}

CASE("C4: what the executor has found explains values") {
    Failures all;
    all.add("values", values(), 9).add("race", found(race(1, 2)));
    test.equal("race", all.cause(), std::string("race"));
    Finding one_place = race(1, 1, Fix::own_place, "queue");
    Failures index, queue;
    queue.add("race", found(one_place), 9).add("values", values());
    test.equal("a race in a queue explains values", queue.cause(), std::string("race"));
    one_place.memory.kind = Memory::Kind::buffer;
    index.add("race", found(one_place), 9).add("values", values());
    test.equal("a wrong index explains a race", index.cause(), std::string("values"));
    test.equal("without wrong values", Failures().add("race", found(race(1, 1, Fix::own_place))).cause(),
               std::string("race"));
}

CASE("C5: waiting is an effect") {
    const Outcome endless = found(at(Rule::endless_kernel, 7)),
                  deadlock = found(at(Rule::threads_missing, 7));
    Failures of_race, of_values, of_deadlock, hidden;
    of_race.add("endless", endless, 9).add("race", found(race(1, 2)));
    of_values.add("endless", endless, 9).add("values", values());
    of_deadlock.add("deadlock", deadlock, 9).add("uninitialised", found(at(Rule::unwritten, 7)));
    hidden.add("endless", endless, 9).add("deadlock", deadlock);
    test.equal("of a race", of_race.cause(), std::string("race"));
    test.equal("of wrong values", of_values.cause(), std::string("values"));
    test.equal("of a read without a value", of_deadlock.cause(), std::string("uninitialised"));
    test.equal("of threads that cannot meet", hidden.cause(), std::string("deadlock"));
    test.equal("alone", Failures().add("endless", endless).cause(), std::string("endless"));
    Outcome both = endless;
    both.also = {found(race(1, 2)), values()};
    const Outcome cause = kit::detail::cause_first(both);
    test.check(cause.finding->rule == Rule::race, "of a race in the same case");
    test.check(cause.also.size() == 2 && cause.also[0].finding->rule == Rule::endless_kernel,
               "and the wait is another finding");
}

CASE("C8: a count that is too small follows from wrong values") {
    const Outcome wrong = values();
    const kit::facts::Failure few = kit::detail::failure_of(Diagnosis::wrong_value, "the host did it"),
                              part = kit::detail::failure_of(Diagnosis::part, "the tail is missing");
    using kit::detail::follows_from_values;
    test.check(follows_from_values(wrong, few, kit::at_least(0, 8)), "fewer than demanded");
    test.check(follows_from_values(wrong, few, kit::exactly(7, 8)), "fewer than exactly");
    test.check(!follows_from_values(wrong, few, kit::exactly(9, 8)), "more than exactly");
    test.check(!follows_from_values(wrong, few, kit::at_most(9, 8)), "more than the limit");
    test.check(!follows_from_values(wrong, part, kit::at_least(0, 8)), "a case that is made for it");
    test.check(!follows_from_values(found(race(1, 2)), few, kit::at_least(0, 8)), "a race");
    test.check(!follows_from_values(Outcome(), few, kit::at_least(0, 8)), "right values");
}

CASE("C6: a failure that its case explains is nearer") {
    Outcome explained = found(at(Rule::out_of_bounds, 7));
    explained.because = "the head is wrong";
    Failures all;
    all.add("unexplained", found(at(Rule::out_of_bounds, 8)), 9).add("explained", explained);
    test.equal("explained", all.cause(), std::string("explained"));
    Failures other;
    other.add("unexplained", found(at(Rule::out_of_bounds, 8, "in")), 9).add("explained", explained);
    test.equal("other memory", other.cause(), std::string("unexplained"));
}

CASE("C7: the most cases, then the first") {
    Failures most, first;
    most.add("one", values()).add("nine", values(Diagnosis::tail), 9);
    first.add("first", values()).add("second", values(Diagnosis::tail));
    test.equal("most", most.cause(), std::string("nine"));
    test.equal("first", first.cause(), std::string("first"));
}

/// Returns a map in which task 1 is the lines 20 to 24, task 2 the barrier in line 26, and task 3 the lines
/// 28 to 33.
TaskMap map_of(Diagnosis diagnosis = Diagnosis::no_check, const Tasks& tasks = {}) {
    TaskMap map;
    map.regions = {{"tree.cu", 20, 24, 1}, {"tree.cu", 26, 26, 2}, {"tree.cu", 28, 33, 3}};
    if (!tasks.empty()) map.by_diagnosis[diagnosis] = tasks;
    return map;
}

Tasks tasks_of(const Outcome& outcome, const TaskMap& map) {
    return kit::detail::Tasks(map).of(outcome);
}

CASE("T1: the test names the tasks") {
    const TaskMap map = map_of(Diagnosis::wrong_value, {3});
    Outcome outcome = values();
    outcome.because = "the head is wrong (Task 1)";
    test.check(tasks_of(outcome, map) == Tasks{3}, "nobody reads them from the text");
    outcome.tasks = {2};
    test.check(tasks_of(outcome, map) == Tasks{2}, "as a number");
}

CASE("T1: sentences that point to tasks") {
    const kit::Said one = "the head is wrong" + kit::task(1);
    test.equal("its text", one.text, std::string("the head is wrong (Task 1)"));
    test.check(one.tasks == Tasks{1}, "its task");
    const kit::Said two = std::string("either") + kit::task(2, 1) + ", or " + one;
    test.equal("several, in their order", two.text,
               std::string("either (Task 2 or Task 1), or the head is wrong (Task 1)"));
    test.check(two.tasks == Tasks{2, 1}, "each once");
    test.equal("named", kit::named_task(3).text, std::string("Task 3"));
    test.check(kit::Said("no task").tasks.empty() && kit::Said().empty(), "none");
    test.check(kit::detail::failure_of(Diagnosis::wrong_value, two).tasks == Tasks{2, 1}, "of a failure");
}

CASE("T2: the map by facts") {
    TaskMap map = map_of(Diagnosis::race, {3});
    const auto is = [&](const char* what, const About& about, const Outcome& outcome, bool fits = true) {
        map.by_facts = {{about, 7}};
        test.check((tasks_of(outcome, map) == Tasks{7}) == fits, what);
    };
    is("rule", About().rule(Rule::race), found(race(21, 31)));
    is("another rule", About().rule(Rule::unwritten), found(race(21, 31)), false);
    is("fix", About::writers_half(), found(race(21, 31, Fix::release)));
    is("one of two fixes", About::writers_half(), found(race(21, 31, Fix::wider_release)));
    is("two facts of which one is missing", About().rule(Rule::race).on("sums"), found(race(21, 31)), false);
    is("memory", About().on("tile"), found(race(21, 31)));
    is("a part of it", About().on("tile"), found(race(21, 31, Fix::barrier, "tile.next")));
    is("a longer name", About().on("tile"), found(race(21, 31, Fix::barrier, "tiles")), false);
    is("an output", About().output("out").values(9), values());
    is("a finding is no output", About().output("tile"), found(race(21, 31)), false);
    Outcome written = values(Diagnosis::out_of_bounds);
    written.fault = kit::facts::Fault::written_before;
    is("bytes before an output", About().position(Memory::Position::before), written);
    is("bytes after it", About().position(Memory::Position::after), written, false);
    Outcome demand = values();
    demand.count.name = "loads";
    is("a demand", About().demand("loads"), demand);
    Finding copy = race(21, 31, Fix::stream, "slot");
    copy.accesses[1].who.kind = Who::Kind::call;
    copy.accesses[1].who.name = "cudaMemcpyAsync";
    is("who reads", About().read_by("cudaMemcpyAsync"), found(copy));
    is("who writes", About().written_by("cudaMemcpyAsync"), found(copy), false);
    Finding work = race(40, 40, Fix::stream);
    work.queued.resize(2);
    work.queued[0].line = 21, work.queued[1].line = 41, work.queued[1].caller = 31;
    is("the later piece of work", About().later_in(3), found(work));
    is("the earlier piece of work", About().later_in(1), found(work), false);
    is("lines of two tasks", About().between(3, 1), found(race(21, 31)));
    is("lines of other tasks", About().between(1, 2), found(race(21, 31)), false);
    map.by_facts = {{About().rule(Rule::race), 2}, {About().on("tile"), 3}, {About().rule(Rule::race), 1}};
    test.check(tasks_of(found(race(21, 31)), map) == Tasks{2, 1}, "the first facts that fit, of both tasks");
    map.by_facts = {{About().rule(Rule::race), 0}};
    test.check(tasks_of(found(race(21, 31)), map).empty(), "given code: no task");
}

CASE("T3: a missing order belongs between the two lines") {
    test.check(tasks_of(found(race(21, 31)), map_of(Diagnosis::race, {2})) == Tasks{2}, "as the map says");
    test.check(tasks_of(found(race(31, 21)), map_of()) == Tasks{2}, "the only task between");
    test.check(tasks_of(found(race(21, 31)), map_of(Diagnosis::race, {3})) == Tasks{3},
               "none between: the line that the map has");
    test.check(tasks_of(found(race(26, 21)), map_of()) == Tasks{1, 2},
               "nothing between: the end of one or the beginning of the other");
    test.check(tasks_of(found(race(31, 40)), map_of()) == Tasks{3},
               "a line that is given: the task of the other");
    test.check(tasks_of(found(race(21, 22)), map_of()) == Tasks{1}, "both lines in one task");
    test.check(tasks_of(found(race(21, 31)), map_of(Diagnosis::race, {4})) == Tasks{4}, "the map alone");
    Finding work = race(40, 40, Fix::stream);
    work.accesses[0].queued = line(21), work.accesses[1].queued = line(22);
    Finding of_pes = race(21, 31, Fix::signal);
    of_pes.accesses[0].queued = of_pes.accesses[1].queued = line(40);
    test.check(tasks_of(found(of_pes), map_of()) == Tasks{2}, "PEs: the lines of the kernel");
    test.check(tasks_of(found(work), map_of()).empty(), "queued work: the lines say nothing");
    work.queued.resize(2);
    work.queued[1].line = 31;
    test.check(tasks_of(found(work), map_of()) == Tasks{3}, "before the later piece of work");
    work.accesses[1].queued = Where(line(40), line(31));
    test.check(tasks_of(found(work), map_of()) == Tasks{2}, "between the lines that queue it");
}

CASE("T4: the lines") {
    test.check(tasks_of(found(at(Rule::out_of_bounds, 31)), map_of()) == Tasks{3}, "one line");
    test.check(tasks_of(found(race(21, 31, Fix::one_put)), map_of(Diagnosis::race, {1})) == Tasks{1},
               "of two, the one that the map has");
    Finding one_is_atomic = race(21, 31, Fix::second_atomic);
    one_is_atomic.accesses[1].atomic = true;
    test.check(tasks_of(found(one_is_atomic), map_of()) == Tasks{1}, "the access that is not atomic");
    one_is_atomic.fix = Fix::wider_scope, one_is_atomic.accesses[0].atomic = true;
    one_is_atomic.accesses[1].narrow = true;
    test.check(tasks_of(found(one_is_atomic), map_of()) == Tasks{3}, "the access whose scope is too narrow");
    Finding helper = at(Rule::out_of_bounds, 9);
    helper.at = Where(line(9, "a.cuh"), line(22));
    test.check(tasks_of(found(helper), map_of()) == Tasks{1}, "the caller's task");
    TaskMap map = map_of();
    map.regions.push_back({"a.cuh", 9, 9, 5});
    test.check(tasks_of(found(helper), map) == Tasks{5}, "the helper's own");
    const TaskMap who_writes = map_of(Diagnosis::uninitialised, {1});
    test.check(tasks_of(found(at(Rule::unwritten, 31)), who_writes) == Tasks{1, 3}, "who writes, who reads");
    Outcome reported = values(Diagnosis::cuda_error);
    reported.at = {"tree.cu", 25, ""};
    test.check(tasks_of(reported, map_of()).empty(), "a line of no task");
    reported.at.line = 26;
    test.check(tasks_of(reported, map_of()) == Tasks{2}, "a line that is no finding's");
}

CASE("T5: the map by diagnoses") {
    const TaskMap map = map_of(Diagnosis::wrong_value, {2, 3});
    test.check(tasks_of(values(), map) == Tasks{2, 3}, "no line");
    test.check(tasks_of(values(Diagnosis::tail), map).empty(), "nothing known: no task");
    test.check(
        tasks_of(found(at(Rule::out_of_bounds, 40)), map_of(Diagnosis::out_of_bounds, {2})) == Tasks{2},
        "a line of no task");
}

CASE("the line to edit is one of the task") {
    TaskMap map = map_of();
    map.regions.push_back({"tree.cu", 34, 40, 3, true});
    const kit::detail::Tasks tasks(map);
    test.equal("a line that the failure names", tasks.line_to_edit(found(race(31, 21)), {1}), 21);
    test.equal("an order is missing within a task: the region between the lines",
               tasks.line_to_edit(found(race(24, 21)), {1}), 22);
    test.equal("a line that is given", tasks.line_to_edit(found(at(Rule::out_of_bounds, 36)), {3}), 28);
    Finding helper = at(Rule::out_of_bounds, 9);
    helper.at = Where(line(9, "a.cuh"), line(22));
    test.equal("the caller of a helper", tasks.line_to_edit(found(helper), {1}), 22);
    test.equal("no line: where the task begins", tasks.line_to_edit(values(), {2}), 26);
    test.equal("no task", tasks.line_to_edit(found(race(31, 21)), {}), 0);
}

}  // namespace

UNIT_MAIN("cause")
