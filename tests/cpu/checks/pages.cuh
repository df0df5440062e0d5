// The harness for the examples of lectures/diagnoses: what a page shows as a report is what the executor prints.
//
// An example has the kind as its name, a further one of the kind something behind it:
//
//   PLANTED("race", "race", "no barrier") { ... }    also held by checks.cuh, under every schedule
//   PLANTED("race/streams", "race", "...") { ... }
//   ALONE("host_access") { ... }                     ends the process, or names no line: only its report is compared
//   SILENT("race, cured") { ... }                    the cure
//
// `PROGRAM --alone NAME` runs an example as a program without the grader would. For each a test compares what it
// prints with the block below the line `<!-- report: NAME -->` in lectures/diagnoses/KIND.md, but for line breaks.
// With KIT_WRITE_PAGES=1 the test writes the block instead: the way to change it.
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
