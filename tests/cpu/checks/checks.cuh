// The harness for the executor's checks: kernels with one planted mistake, and near misses that must stay silent.
//
//   #include "checks.cuh"
//   __global__ void shift(int* data) {
//       data[threadIdx.x] = data[threadIdx.x + 1];  // <-
//   }
//   PLANTED("neighbours without a barrier", "race", "no barrier") {
//       Buffer<int> data(65);
//       shift<<<1, 64>>>(data);
//   }
//
// PLANTED    every schedule must give findings of this kind only, at the lines marked `// <-` between the case before
//            and the end of this one; each marked line must be named, and one message must contain the text
// SILENT     ordinary CUDA; no schedule may give a finding, and the conformance checks in the body must hold
// KNOWN_GAP  a mistake that the checks do not see yet, or see in some orders only; the report tells why. When they
//            learn it, the case fails and becomes PLANTED
// KNOWN_ALARM  a correct program to which the checks object; likewise, and it becomes SILENT
//
// A GPU runs the silent programs only: what planted mistakes do there is not defined.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "../conformance.cuh"

namespace checks {

enum class Kind { planted, silent, gap, alarm };

struct Entry {
    const char* name;
    Kind kind;
    const char* finding;  ///< the kind of finding; for a known fault of the checks, its cause
    const char* says;     ///< what a message must contain
    const char* file;
    void (*body)();
};

inline std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
}

struct Registration {
    explicit Registration(const Entry& entry) { entries().push_back(entry); }
};

/// The lines marked for this case in its source file.
inline std::set<int> marked_lines(const Entry& entry) {
    std::ifstream file(entry.file);
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

#ifdef KIT_CPU

struct Schedule {
    kit::cpu::Order order;
    unsigned seed;

    std::string name() const {
        return order == kit::cpu::Order::forward   ? "forward"
               : order == kit::cpu::Order::reverse ? "reverse"
                                                   : "random:" + std::to_string(seed);
    }
};

inline std::vector<Schedule> schedules(unsigned random) {
    std::vector<Schedule> all{{kit::cpu::Order::forward, 0}, {kit::cpu::Order::reverse, 0}};
    for (unsigned seed = 1; seed <= random; ++seed) all.push_back({kit::cpu::Order::random, seed});
    return all;
}

/// Runs the body once; what is found is the result. The device is as new afterwards.
inline std::vector<kit::cpu::Finding> run_once(const Entry& entry, const Schedule& schedule) {
    kit::cpu::take_findings();
    kit::cpu::set_schedule(schedule.order, schedule.seed);
    entry.body();
    cudaDeviceSynchronize();
    std::vector<kit::cpu::Finding> findings = kit::cpu::take_findings();
    cudaDeviceReset();
    kit::cpu::take_findings();
    return findings;
}

/// What is not as planted, in a sentence; empty if all is.
inline std::string compare(const Entry& entry, const std::set<int>& marks,
                           const std::vector<kit::cpu::Finding>& findings) {
    if (marks.empty()) return "no line is marked";
    if (findings.empty()) return "nothing was found";
    std::string all;
    for (const auto& finding : findings) {
        const std::string got =
            finding.kind + " at line " + std::to_string(finding.place.line) + ": " + finding.message;
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

inline void run_planted(const Entry& entry, kit::Case& test) {
    for (const Schedule& schedule : schedules(6)) {
        const std::string wrong = compare(entry, marked_lines(entry), run_once(entry, schedule));
        test.check(wrong.empty(), schedule.name() + ": " + wrong);
    }
}

inline void run_known(const Entry& entry, kit::Case& test) {
    bool always = true, ever = false;
    for (const Schedule& schedule : schedules(6)) {
        const bool found = !run_once(entry, schedule).empty();
        always = always && found;
        ever = ever || found;
    }
    const bool gap = entry.kind == Kind::gap;
    test.check(gap ? !always : ever,
               gap ? "this is found now: make the case PLANTED" : "no objections now: make the case SILENT");
    test.note(std::string(gap ? "known gap: " : "known false alarm: ") + entry.finding);
}

inline void run_silent(const Entry& entry, kit::Case& test) {
    for (const Schedule& schedule : schedules(20)) {
        conformance::failures().clear();
        for (const auto& finding : run_once(entry, schedule))
            test.check(false, schedule.name() + ": " + finding.message);
        for (const std::string& failure : conformance::failures())
            test.check(false, schedule.name() + ": " + failure);
    }
    test.check(true, "");
}

#else

inline void run_planted(const Entry&, kit::Case& test) {
    test.skip("what a planted mistake does on a GPU is not defined");
}

inline void run_silent(const Entry& entry, kit::Case& test) {
    conformance::failures().clear();
    entry.body();
    test.check(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
    for (const std::string& failure : conformance::failures()) test.check(false, failure);
}

inline void run_known(const Entry& entry, kit::Case& test) {
    entry.kind == Kind::alarm ? run_silent(entry, test) : run_planted(entry, test);
}

#endif

/// For agreement.sh, with KIT_PLANTED in the environment: "list" prints name and finding of each planted mistake, a name
/// makes this mistake once and ends, so that another tool may look at it.
inline bool serve_agreement() {
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

inline int run_all(const char* topic, int argc, char** argv) {
    if (serve_agreement()) return 0;
    conformance::run_as_ctest_does();
    kit::Grader grader("cpu", std::string("checks.") + topic, argc, argv);
    kit::CaseOptions options;
    options.seconds = 60;
    options.once = true;  // the schedules are chosen here
    for (const Entry& entry : entries()) {
        grader.add(
            entry.name,
            [entry](kit::Case& test) {
                test.call_unchecked([&] {
                    if (entry.kind == Kind::silent) return run_silent(entry, test);
                    entry.kind == Kind::planted ? run_planted(entry, test) : run_known(entry, test);
                });
            },
            options);
    }
    return grader.run();
}

}  // namespace checks

#define CHECKS_CASE(name, kind, finding, says)                                                           \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)();                                             \
    static const checks::Registration CONFORMANCE_JOIN(registration_at_line_, __LINE__)(                 \
        {name, checks::Kind::kind, finding, says, __FILE__, CONFORMANCE_JOIN(case_at_line_, __LINE__)}); \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)()
#define PLANTED(name, finding, says) CHECKS_CASE(name, planted, finding, says)
#define SILENT(name) CHECKS_CASE(name, silent, "", "")
#define KNOWN_GAP(name, why) CHECKS_CASE(name, gap, why, "")
#define KNOWN_ALARM(name, why) CHECKS_CASE(name, alarm, why, "")
#define CHECKS_MAIN(topic)                         \
    int main(int argc, char** argv) {              \
        return checks::run_all(topic, argc, argv); \
    }
