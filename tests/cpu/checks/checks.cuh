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
// PLANTED      every schedule must give findings of this kind only, at the lines marked `// <-` after the end of the previous case and
//              before the end of this one; each marked line must be named, and one message must contain the text
// SILENT     ordinary CUDA; no schedule may give a finding, and the conformance checks in the body must hold
// KNOWN_GAP    a mistake that the checks do not detect yet, or detect in some orders only; the report gives the cause. When they
//              detect it, the case fails and must become PLANTED
// KNOWN_ALARM  a correct program to which the checks object; when they no longer do, the case must become SILENT
//
// A GPU runs the silent programs only, because planted mistakes have undefined behaviour there.
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
    const char* finding;  ///< kind of the finding; for a known fault of the checks, its cause
    const char* says;     ///< text that a message must contain
    const char* file;
    void (*body)();
};

/// The entries of the test that runs.
std::vector<Entry> entries();

struct Registration {
    explicit Registration(const Entry& entry);
};

/// Runs one entry under each schedule, and records in `test` all deviations from the entry.
void run(const Entry& entry, kit::Case& test);

/// Runs the cases of the test's file as cpu.checks.NAME. With KIT_PLANTED in the environment, it serves agreement.sh instead: "list"
/// prints name and finding of each planted mistake. Any other value is the name of a mistake: the program runs it once and ends, so
/// that another tool can examine it.
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
