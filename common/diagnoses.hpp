// Lists every kind of mistake that the course can name: the grader's diagnoses, and the kinds of the
// executor's findings. Each kind has a page lectures/diagnoses/KIND.md, and each diagnosis has a sentence in
// common/words.
//
// The executor, the grader and the tools of the course include this file. A finding of a kind that is not in
// this list does not compile.
#pragma once

#include <cstring>
#include <string>

namespace kit {

// X(name): the grader's diagnoses. Files with verdicts contain these names.
#define KIT_DIAGNOSES(X) \
    X(open_todo)         \
    X(cuda_error)        \
    X(barrier)           \
    X(race)              \
    X(out_of_bounds)     \
    X(input_modified)    \
    X(not_written)       \
    X(uninitialised)     \
    X(nan)               \
    X(tail)              \
    X(first_block_only)  \
    X(shifted)           \
    X(block_offset)      \
    X(transposed)        \
    X(constant_output)   \
    X(precision)         \
    X(second_call)       \
    X(crash)             \
    X(timeout)           \
    X(exited)            \
    X(part)              \
    X(sectors)           \
    X(bank_conflicts)    \
    X(divergence)        \
    X(no_check)          \
    X(wrong_value)

// X(kind, diagnosis): the kinds of the executor's findings, each with the diagnosis for a case with such a
// finding.
#define KIT_FINDINGS(X)               \
    X(address, out_of_bounds)         \
    X(argument, cuda_error)           \
    X(assert, crash)                  \
    X(bank_conflicts, bank_conflicts) \
    X(barrier, barrier)               \
    X(capture, cuda_error)            \
    X(constant, out_of_bounds)        \
    X(deadlock, barrier)              \
    X(discarded, uninitialised)       \
    X(divergence, divergence)         \
    X(division, cuda_error)           \
    X(graph, cuda_error)              \
    X(host_access, out_of_bounds)     \
    X(host_api, cuda_error)           \
    X(host_pointer, out_of_bounds)    \
    X(launch, cuda_error)             \
    X(leak, cuda_error)               \
    X(memory, cuda_error)             \
    X(misaligned, out_of_bounds)      \
    X(persisting, cuda_error)         \
    X(race, race)                     \
    X(sectors, sectors)               \
    X(shared_limit, cuda_error)       \
    X(stack, crash)                   \
    X(timeout, timeout)               \
    X(trap, cuda_error)               \
    X(uninitialised, uninitialised)   \
    X(warp, barrier)

/// The kinds of mistakes in a case. Grader::task maps a diagnosis to a task of the README.
enum class Diagnosis {
#define KIT_NAME(name) name,
    KIT_DIAGNOSES(KIT_NAME)
#undef KIT_NAME
};

namespace detail {

constexpr const char* diagnosis_names[] = {
#define KIT_ROW(name) #name,
    KIT_DIAGNOSES(KIT_ROW)
#undef KIT_ROW
};

inline const char* name_of(Diagnosis diagnosis) {
    return diagnosis_names[static_cast<int>(diagnosis)];
}

}  // namespace detail

struct FindingRow {
    const char* kind;
    Diagnosis diagnosis;
};
constexpr FindingRow finding_rows[] = {
#define KIT_ROW(kind, diagnosis) {#kind, Diagnosis::diagnosis},
    KIT_FINDINGS(KIT_ROW)
#undef KIT_ROW
};

/// Returns the row of a kind of finding; null if the kind is not in the list above.
inline const FindingRow* finding_row(const char* kind) {
    for (const FindingRow& row : finding_rows) {
        if (!std::strcmp(row.kind, kind)) return &row;
    }
    return nullptr;
}

/// A symbol that is defined only in programs that kitcc has compiled (kitcc/main.cpp).
extern "C" const char kit_of_kitcc __attribute__((weak));

/// Returns the page about findings of this kind, relative to the root of the course:
/// "lectures/diagnoses/race.md". A program that kitcc has compiled can run in any folder, so for such a
/// program the function returns the command that prints the page.
inline std::string page_of(const std::string& kind) {
    return &kit_of_kitcc != nullptr ? "kitcc --explain " + kind : "lectures/diagnoses/" + kind + ".md";
}

}  // namespace kit
