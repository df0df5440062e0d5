// The outcome of a case as data: values that differ, counts and limits, CUDA errors, and how a process ended.
// The graded program, the judge and all readers of verdicts exchange outcomes as JSON (facts/json.hpp).
// common/words has the sentences.
#pragma once

#include <diagnoses.hpp>
#include <facts/finding.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kit::facts {

// X(fault): what has gone wrong. The comment names the member of Failure that has the facts.
#define KIT_FAULTS(X)                                                                     \
    X(none)         /* only the diagnosis is known */                                     \
    X(other_method) /* nothing: the results are right, by the `method` of the outcome */  \
    X(stated)       /* `sentence`: by the author of the test */                           \
    X(finding)      /* `finding`: by the executor, or by compute-sanitizer */             \
    /* `difference` */                                                                    \
    X(values)         /* elements of an array differ */                                   \
    X(one_value)      /* a single value does */                                           \
    X(size)           /* an array has `wrong` elements instead of `of` */                 \
    X(written_after)  /* `wrong` bytes were written after the end of the array */         \
    X(written_before) /* or before its beginning */                                       \
    X(input_modified) /* an input has changed, first at `first` */                        \
    /* `count` */                                                                         \
    X(all_on_host)     /* no case has run a kernel, although the contract asks for one */ \
    X(no_kernel)       /* the host did the work of the kernels */                         \
    X(too_many_stores) /* more bytes were stored than the results have */                 \
    X(too_many_loads)  /* more bytes were loaded than are needed */                       \
    /* `error` */                                                                         \
    X(kernel_error)    /* a kernel failed */                                              \
    X(unchecked_error) /* a launch or a call failed, and the code did not look */         \
    X(test_error)      /* a call of the test itself failed */                             \
    X(checked_error)   /* CUDA_CHECK has ended the program, at `at` */                    \
    /* `end` */                                                                           \
    X(late)        /* no result within `seconds` */                                       \
    X(exited)      /* with `status`, instead of returning */                              \
    X(crashed)     /* by signal `status` */                                               \
    X(threw)       /* an exception; `error`: its text */                                  \
    X(test_threw)  /* likewise, out of the test itself */                                 \
    X(judge_ended) /* the judge, not the code: `fault` of its `end` says how */           \
    /* no further facts */                                                                \
    X(not_run)          /* because cases before it came to no end */                      \
    X(work_is_repeated) /* not run: smaller cases show that */                            \
    X(gap)              /* a TODO of the starter, at `at`; `tasks`: its number */         \
    X(too_many_results) /* a worker has returned more than there are */                   \
    X(not_returned)     /* a worker has not returned `what` of `difference` */            \
    X(unreadable)       /* a worker has sent something else than an outcome */            \
    X(no_check)         /* the test has compared nothing */                               \
    X(expects_nan)      /* the test, at `difference.first` */                             \
    X(zeros_would_pass) /* the tolerance of the test is too wide */

// X(pattern): how the wrong results are related to the correct ones.
#define KIT_PATTERNS(X)                                                    \
    X(none)                                                                \
    X(never_written)                                                       \
    X(some_never_written) /* `unwritten` of them */                        \
    X(end)                /* from `first` to the last one */               \
    X(beginning_is_right) /* up to `first` */                              \
    X(shifted_left)       /* at [i] stands what belongs at [i + 1] */      \
    X(shifted_right)                                                       \
    X(block_offset) /* by `block` elements */                              \
    X(transposed)                                                          \
    X(not_finite)                                                          \
    X(zero)     /* the only value is 0 */                                  \
    X(constant) /* every value is that of the first element */             \
    X(imprecise)                                                           \
    X(of_call_before)   /* the result of the call before */                \
    X(when_timed)       /* right when called once */                       \
    X(at_later_call)    /* right at the first call */                      \
    X(between_runs)     /* it differs from run to run */                   \
    X(order_of_threads) /* threads in another order give another result */ \
    X(as_diagnosed)     /* what the sentence of the diagnosis `mistake` says */

enum class Fault {
#define KIT_NAME(name) name,
    KIT_FAULTS(KIT_NAME)
#undef KIT_NAME
};
enum class Pattern {
#define KIT_NAME(name) name,
    KIT_PATTERNS(KIT_NAME)
#undef KIT_NAME
};

const char* name_of(Fault fault);
const char* name_of(Pattern pattern);

/// An element of an output that differs. Its values are texts, whatever their type is.
struct Element {
    std::uint64_t at = 0;
    std::string got, expected;
    bool unwritten = false;  ///< whether no thread has written the element
    double tolerance = 0;
};

/// The elements of an output that differ from the expected ones.
struct Difference {
    std::string what;  ///< name of the output, or of a single value
    std::uint64_t wrong = 0, of = 0;
    std::uint64_t first = 0, last = 0;  ///< indexes of the first and the last element that differ
    std::uint64_t unwritten = 0;        ///< number of wrong elements that no thread has written
    std::uint64_t block = 0;            ///< number of elements per block, if the pattern is about blocks
    std::vector<Element> elements;      ///< the first few elements that differ
};

/// A number that a test has counted, and the limit that it demands.
struct Count {
    enum class Bound { at_most, at_least, exactly };

    std::string name;  ///< in words of the contract, "barriers"
    double actual = 0, required = 0;
    Bound bound = Bound::at_most;
    bool is_known = false;  ///< whether the numbers are known; otherwise the test has checked a condition

    bool holds() const {
        return bound == Bound::at_most    ? actual <= required
               : bound == Bound::at_least ? actual >= required
                                          : actual == required;
    }
};

/// An error of the CUDA runtime, or an exception, which has only a text.
struct RuntimeError {
    std::string name;       ///< "cudaErrorInvalidValue"
    std::string text;       ///< "invalid argument"
    std::string call = {};  ///< the call that returned it, as in the source, if CUDA_CHECK reports the error
};

/// The end of a process, or a function that did not return.
struct End {
    Fault fault = Fault::none;  ///< late, exited, crashed
    int status = 0;             ///< exit status, or number of the signal
    std::string signal;         ///< "Segmentation fault"
    double seconds = 0;         ///< the time limit
};

struct Failure {
    Fault fault = Fault::none;
    Diagnosis diagnosis = Diagnosis::wrong_value;
    std::optional<Finding> finding;
    Difference difference;
    Pattern pattern = Pattern::none;
    std::optional<Diagnosis> mistake;  ///< diagnosis of a known wrong result without a sentence of the test
    Count count;                       ///< name and numbers of the demand that failed
    RuntimeError error;
    End end;               ///< also set if a finding ended the process
    Line at;               ///< the line to look at first, if the finding does not name one
    std::string sentence;  ///< by the author of the test
    std::string subject;   ///< the variable or member that the author's words are about, if they name one
    Line written_at;       ///< the line of the test that has the author's words
    std::vector<std::string>
        lines;  ///< lines below the sentence, written by the author of the test, such as a picture of the counts
    std::string because;     ///< the meaning of the failure, in words of the author of the test
    std::vector<int> tasks;  ///< tasks of the README, if the test names them
};

/// A line below the verdict, which a case that passes can also have.
struct Note {
    enum class Kind { stated, timed_on_cpu, timed, time_not_valid, program_passes, not_tried };

    Kind kind = Kind::stated;
    std::string
        text;  ///< a text by the author of the test, the reason why a time is not valid, or the unit of `bits`
    int bits = 0;   ///< not_tried: no case has more than 2^bits elements, although the contract allows more
    int times = 0;  ///< number of measurements
    double milliseconds = 0, spread = 0, gb_per_s = 0, of_copy = 0;
};

/// What the test says about a submission with right results that does not use the method which the exercise
/// practises.
struct Method {
    std::string practises;  ///< what the exercise practises, as a noun: "one thread for each pair"
    std::string
        did;  ///< what the submission did instead, as a clause: "one of your threads adds 40 of 300 pairs"
    std::string why;           ///< one or two sentences that say why the exercise requires the method
    int task = 0;              ///< task of the README to which the method belongs
    std::string counted = {};  ///< name of the demand, which Case::method sets
};

/// other: right results, but not as the exercise asks.
enum class Status { pass, fail, skip, other };

/// The result of a case. Its first failure is the important one, because further failures are usually
/// consequences.
struct Outcome : Failure {
    Status status = Status::pass;
    std::vector<Failure> also;  ///< further failures of the same run, at most a few
    std::vector<Note> notes;
    std::vector<std::string> demands;  ///< names of all demands that the test has checked, as in the contract
    std::optional<Method>
        method;            ///< the method of the submission, if it is not the one that the exercise practises
    bool on_host = false;  ///< whether the student's function ran without a kernel
    bool ends_process = false;   ///< whether no further case can be graded in this process
    std::optional<int> crossed;  ///< number of results that the judge has compared, if there is a worker
                                 ///< (wall.hpp)
};

/// Returns the line that the student should look at first; its number is 0 if it is unknown.
Line first_line_of(const Failure& failure);

/// Returns the lines that a failure names; if it names none, the line to look at first.
std::vector<Where> lines_of(const Failure& failure);

bool is_empty(const Difference& difference);
bool is_empty(const Count& count);
bool is_empty(const RuntimeError& error);
bool is_empty(const End& end);

}  // namespace kit::facts
