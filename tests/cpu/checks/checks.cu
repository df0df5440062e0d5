// The common part of the harness for the executor's checks: runs the schedules and compares the findings.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <source_path.hpp>

#ifdef KIT_CPU
#include <words/finding.hpp>
#endif

#include "checks.cuh"
#include "grader.cuh"

namespace checks {

namespace {

#ifdef KIT_CPU

/// Returns the lines of the source file that are marked for this case.
std::set<int> marked_lines(const Entry& entry) {
    std::ifstream file(kit::source_path(entry.file));
    std::set<int> marks;
    bool in_case = false, wanted = false;
    const std::string quoted = '"' + std::string(entry.name) + '"';
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.find("// <-") != std::string::npos) marks.insert(number);
        if (line.rfind("PLANTED(", 0) == 0 || line.rfind("SILENT(", 0) == 0 || line.rfind("KNOWN_", 0) == 0) {
            in_case = true;
            wanted = line.find(quoted) != std::string::npos;
        } else if (in_case && line == "}") {
            if (wanted) return marks;
            marks.clear();
            in_case = false;
        }
    }
    return {};
}

struct Schedule {
    kit::cpu::Order order;
    unsigned seed;

    std::string name() const {
        return order == kit::cpu::Order::forward   ? "forward"
               : order == kit::cpu::Order::reverse ? "reverse"
                                                   : "random:" + std::to_string(seed);
    }
};

std::vector<Schedule> schedules(unsigned random) {
    std::vector<Schedule> all{{kit::cpu::Order::forward, 0}, {kit::cpu::Order::reverse, 0}};
    for (unsigned seed = 1; seed <= random; ++seed) all.push_back({kit::cpu::Order::random, seed});
    return all;
}

/// Returns the schedules for an entry. A kernel in *_long_test.cu takes up to a second, so it gets fewer
/// random orders. Such a kernel tests counters that overflow in every order.
std::vector<Schedule> schedules_of(const Entry& entry, unsigned random) {
    const bool is_long = std::string(entry.file).find("_long_test.cu") != std::string::npos;
    return schedules(is_long ? 2 : random);
}

/// Runs the body once, returns the findings, and resets the device.
std::vector<kit::cpu::Finding> run_once(const Entry& entry, const Schedule& schedule) {
    kit::cpu::take_findings();
    kit::cpu::set_schedule(schedule.order, schedule.seed);
    entry.body();
    cudaDeviceSynchronize();
    std::vector<kit::cpu::Finding> findings = kit::cpu::take_findings();
    cudaDeviceReset();
    kit::cpu::take_findings();
    return findings;
}

std::string words_of(const kit::cpu::Finding& finding) {
    return conformance::without_namespace(kit::words::text_of(finding));
}

/// Returns how the findings deviate from the planted mistake; empty if they do not.
std::string compare(const Entry& entry, const std::set<int>& marks,
                    const std::vector<kit::cpu::Finding>& findings) {
    if (marks.empty()) return "no line is marked";
    if (findings.empty()) return "nothing was found";
    std::string all;
    for (const auto& finding : findings) {
        const std::string got =
            finding.kind + " at line " + std::to_string(finding.place.line) + ": " + words_of(finding);
        if (finding.kind != entry.finding) return "expected " + std::string(entry.finding) + ", found " + got;
        if (!marks.count(finding.place.line)) return "not at a marked line: " + got;
        all += got + "\n";
    }
    for (int mark : marks)
        if (all.find("line " + std::to_string(mark)) == std::string::npos)
            return "line " + std::to_string(mark) + " is not named: " + all;
    if (all.find(entry.says) == std::string::npos)
        return "does not say \"" + std::string(entry.says) + "\": " + all;
    return "";
}

void run_planted(const Entry& entry, kit::Case& test) {
    for (const Schedule& schedule : schedules_of(entry, 6)) {
        const std::string wrong = compare(entry, marked_lines(entry), run_once(entry, schedule));
        test.check(wrong.empty(), schedule.name() + ": " + wrong);
    }
}

void run_known(const Entry& entry, kit::Case& test) {
    bool always = true, ever = false;
    for (const Schedule& schedule : schedules_of(entry, 6)) {
        const bool found = !run_once(entry, schedule).empty();
        always = always && found;
        ever = ever || found;
    }
    const bool gap = entry.kind == Kind::gap;
    test.check(gap ? !always : ever,
               gap ? "this is found now: make the case PLANTED" : "no objections now: make the case SILENT");
    test.note(std::string(gap ? "known gap: " : "known false alarm: ") + entry.finding);
}

void run_silent(const Entry& entry, kit::Case& test) {
    for (const Schedule& schedule : schedules_of(entry, 20)) {
        conformance::failures().clear();
        for (const auto& finding : run_once(entry, schedule))
            test.check(false, schedule.name() + ": " + words_of(finding));
        for (const std::string& failure : conformance::failures())
            test.check(false, schedule.name() + ": " + failure);
    }
    test.check(true, "");
}

#else

void run_planted(const Entry&, kit::Case& test) {
    test.skip("what a planted mistake does on a GPU is not defined");
}

void run_silent(const Entry& entry, kit::Case& test) {
    conformance::failures().clear();
    entry.body();
    test.check(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
    for (const std::string& failure : conformance::failures()) test.check(false, failure);
}

void run_known(const Entry& entry, kit::Case& test) {
    entry.kind == Kind::alarm ? run_silent(entry, test) : run_planted(entry, test);
}

#endif

/// Does what the environment variable KIT_PLANTED requests. Returns false if the variable requests nothing.
bool serve_agreement() {
    const char* const wanted = std::getenv("KIT_PLANTED");
    if (!wanted) return false;
    for (const Entry& entry : entries()) {
        if (entry.kind != Kind::planted) continue;
        if (std::string(wanted) == "list") std::printf("%s\t%s\n", entry.name, entry.finding);
        if (std::string(wanted) != entry.name) continue;
        entry.body();
        cudaDeviceSynchronize();
    }
    return true;
}

/// Returns all entries of this program. The entries register themselves before main() starts, so the list
/// must be created by a function.
std::vector<Entry>& all_entries() {
    static std::vector<Entry> all;
    return all;
}

}  // namespace

std::vector<Entry> entries() {
    std::vector<Entry> chosen;
    for (const Entry& entry : all_entries())
        if (conformance::is_chosen(entry.file)) chosen.push_back(entry);
    return chosen;
}

Registration::Registration(const Entry& entry) {
    all_entries().push_back(entry);
}

void run(const Entry& entry, kit::Case& test) {
    if (entry.kind == Kind::silent) return run_silent(entry, test);
    entry.kind == Kind::planted ? run_planted(entry, test) : run_known(entry, test);
}

int run_all(const conformance::Test& test, int argc, char** argv) {
    if (serve_agreement()) return 0;
    conformance::run_as_ctest_does();
    kit::Grader grader("cpu", std::string("checks.") + test.name, argc, argv);
    kit::CaseOptions options;
    options.seconds = 60;
    options.once = true;  // this harness chooses the schedules itself
    for (const Entry& entry : entries()) {
        grader.add(
            entry.name, [entry](kit::Case& test) { test.call_unchecked([&] { run(entry, test); }); },
            options);
    }
    return grader.run();
}

}  // namespace checks
