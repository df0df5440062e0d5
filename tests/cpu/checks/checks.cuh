// The harness for the executor's checks: kernels with one planted mistake, and kernels that look like them and must not be
// reported.
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
//   PLANTED      every schedule must give findings of this kind only. They must name each line with the mark `// <-` since the
//                previous case, and no other line. One message must contain the text
//   SILENT       correct CUDA; no schedule may give a finding, and the conformance checks in the body must hold
//   KNOWN_GAP    a mistake that the checks do not detect yet, or only in some orders; the text is the cause. If they detect
//                it, the case fails and must become PLANTED
//   KNOWN_ALARM  a correct program that the checks report; if they no longer do, the case must become SILENT
//
// A GPU runs only the SILENT programs, because planted mistakes have undefined behaviour there.
#pragma once

#include "../conformance.cuh"

namespace kit {
class Case;
}

namespace checks {

enum class Kind { planted, silent, gap, alarm };

struct Entry {
    const char* name;
    Kind kind;
    const char* finding;  ///< kind of the finding; for KNOWN_GAP and KNOWN_ALARM, the cause
    const char* says;     ///< text that one message must contain
    const char* file;
    void (*body)();
};

/// Returns the entries of the running test.
std::vector<Entry> entries();

struct Registration {
    explicit Registration(const Entry& entry);
};

/// Runs an entry under each schedule, and records all deviations from the entry in `test`.
void run(const Entry& entry, kit::Case& test);

/// Runs the cases of the test's file as cpu.checks.NAME. If the environment variable KIT_PLANTED is set, it
/// works for agreement.sh instead: "list" prints the name and the kind of each planted mistake. Any other
/// value is the name of a mistake, which runs once, so that another tool can examine it.
int run_all(const conformance::Test& test, int argc, char** argv);

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
#define CHECKS_MAIN(name) CONFORMANCE_TEST(name, checks::run_all)
