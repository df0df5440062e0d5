// The harness for the examples of lectures/diagnoses: a report on a page must be the output of the executor.
//
// The name of an example is its kind; further examples of the same kind have a suffix:
//
//   PLANTED("race", "race", "no barrier") { ... }   also a case of checks.cuh, which runs under every schedule
//   PLANTED("race/streams", "race", "...") { ... }
//   ALONE("host_access") { ... }                    ends the process or names no line, so only its report is compared
//   SILENT("race, cured") { ... }                   the corrected program
//
// `PROGRAM --alone NAME` runs an example like a program without the grader. For each example, a test compares
// the output with the block below the line `<!-- report: NAME -->` in lectures/diagnoses/KIND.md, without
// regard to line breaks. With KIT_WRITE_PAGES=1, the test writes this block. Use that to change a page.
#pragma once

#include <fstream>

#include "checks.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace pages {

struct Registration {
    Registration(const char* file, const char* kind, void (*body)());
};

/// Runs the examples of the test's file as cpu.checks.NAME, or with --alone NAME only one of them.
int run_all(const conformance::Test& test, int argc, char** argv);

}  // namespace pages

#define ALONE(kind)                                                              \
    static void CONFORMANCE_JOIN(example_at_line_, __LINE__)();                  \
    static const pages::Registration CONFORMANCE_JOIN(registered_at_, __LINE__)( \
        __FILE__, kind, CONFORMANCE_JOIN(example_at_line_, __LINE__));           \
    static void CONFORMANCE_JOIN(example_at_line_, __LINE__)()
#define PAGES_MAIN(name) CONFORMANCE_TEST(name, pages::run_all)
