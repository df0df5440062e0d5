// The harness for the examples of lectures/diagnoses: a report on a page must be the executor's output.
//
// The name of an example is the kind; a further example of the same kind has a suffix:
//
//   PLANTED("race", "race", "no barrier") { ... }   is also a case of checks.cuh, under every schedule
//   PLANTED("race/streams", "race", "...") { ... }
//   ALONE("host_access") { ... }                     ends the process, or names no line: only its report is compared
//   SILENT("race, cured") { ... }                    the cure
//
// `PROGRAM --alone NAME` runs an example like a program without the grader. For each example, a test compares the
// output with the block below the line `<!-- report: NAME -->` in lectures/diagnoses/KIND.md, ignoring line breaks.
// With KIT_WRITE_PAGES=1, the test writes the block instead. Use this to change it.
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

/// Runs the examples of the test's file as cpu.checks.NAME, or one of them: --alone NAME.
int run_all(const conformance::Test& test, int argc, char** argv);

}  // namespace pages

#define ALONE(kind)                                                              \
    static void CONFORMANCE_JOIN(example_at_line_, __LINE__)();                  \
    static const pages::Registration CONFORMANCE_JOIN(registered_at_, __LINE__)( \
        __FILE__, kind, CONFORMANCE_JOIN(example_at_line_, __LINE__));           \
    static void CONFORMANCE_JOIN(example_at_line_, __LINE__)()
#define PAGES_MAIN(name) CONFORMANCE_TEST(name, pages::run_all)
