// The one list of what can be wrong: the grader's diagnoses with their sentences, and the kinds of findings of the executor,
// each of which has a page, lectures/diagnoses/KIND.md.
//
// Executor, grader and the course's own tools include it; a kind that is not listed here is refused where a finding is made.
#pragma once

#include <cstring>
#include <string>

namespace kit {

// X(name, words): the name in verdict files, and the sentence of the report; empty where the report says it otherwise.
#define KIT_DIAGNOSES(X)                                                                                 \
    X(open_todo, "a TODO is still open")                                                                 \
    X(cuda_error, "a CUDA call or a kernel failed")                                                      \
    X(barrier, "not all threads reach the barrier")                                                      \
    X(race, "the result differs between runs: a race, or memory read before it was written")             \
    X(out_of_bounds, "memory outside of the arrays was used")                                            \
    X(input_modified, "the input was modified")                                                          \
    X(not_written, "the output was never written")                                                       \
    X(uninitialised, "memory was read before it was written")                                            \
    X(nan, "NaN or infinity: memory read out of bounds or before it was written, or a division by zero") \
    X(tail, "only the end is wrong")                                                                     \
    X(first_block_only, "only the beginning is right")                                                   \
    X(shifted, "every value is shifted by one")                                                          \
    X(block_offset, "every value is off by one block")                                                   \
    X(transposed, "rows and columns are exchanged")                                                      \
    X(constant_output, "every value is the same")                                                        \
    X(precision, "right to within ten times the tolerance: too little precision")                        \
    X(second_call, "right at the first call, wrong at a later one: something is kept between calls")     \
    X(crash, "the host code crashed")                                                                    \
    X(timeout, "no result within the time limit: an endless loop or a deadlock")                         \
    X(exited, "the code ended the program instead of returning")                                         \
    X(part, "a part of the work is wrong by itself: told before all that follows from it")               \
    X(sectors, "the lanes of a warp ask for memory that does not lie side by side")                      \
    X(bank_conflicts, "the lanes of a warp ask one bank of shared memory for different words")           \
    X(divergence, "the lanes of a warp go different ways")                                               \
    X(no_check, "the case checked nothing: the test is at fault")                                        \
    X(wrong_value, "")

// X(kind, diagnosis): what the executor finds, and the diagnosis that a case gets for it.
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

/// The grader's verdicts. A test names the task of the README that belongs to one with Grader::task.
enum class Diagnosis {
#define KIT_NAME(name, words) name,
    KIT_DIAGNOSES(KIT_NAME)
#undef KIT_NAME
};

namespace detail {

struct DiagnosisRow {
    const char *name, *sentence;
};
constexpr DiagnosisRow diagnosis_rows[] = {
#define KIT_ROW(name, words) {#name, words},
    KIT_DIAGNOSES(KIT_ROW)
#undef KIT_ROW
};

inline const char* name_of(Diagnosis diagnosis) {
    return diagnosis_rows[static_cast<int>(diagnosis)].name;
}
inline const char* sentence(Diagnosis diagnosis) {
    return diagnosis_rows[static_cast<int>(diagnosis)].sentence;
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

/// The row of a kind of finding; null if the list above has none.
inline const FindingRow* finding_row(const char* kind) {
    for (const FindingRow& row : finding_rows) {
        if (!std::strcmp(row.kind, kind)) return &row;
    }
    return nullptr;
}

/// Exists in programs that kitcc has compiled (kitcc/main.cpp).
extern "C" const char kit_of_kitcc __attribute__((weak));

/// The page that explains findings of this kind, from the root of the course: "lectures/diagnoses/race.md". A program that kitcc has
/// compiled runs in any folder, so there it is the command that prints the page.
inline std::string page_of(const std::string& kind) {
    return &kit_of_kitcc != nullptr ? "kitcc --explain " + kind : "lectures/diagnoses/" + kind + ".md";
}

}  // namespace kit
