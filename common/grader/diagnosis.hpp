// What can be wrong, and how the report says it.
#pragma once

#include <map>
#include <string>

namespace kit {

/// The grader's verdicts. A test names the task of the README that belongs to one with Grader::task.
enum class Diagnosis {
    open_todo,         ///< a gap of the starter was reached
    cuda_error,        ///< a CUDA call, a launch or a kernel failed
    barrier,           ///< a barrier or a warp operation that some threads never reach
    race,              ///< the result depends on the order of threads
    out_of_bounds,     ///< a guard zone was written, or the executor saw a wild address
    input_modified,    ///< an input differs from its pristine copy
    not_written,       ///< the output still holds the poison
    uninitialised,     ///< memory was read that nobody has written
    nan,               ///< NaN or infinity where a number belongs
    tail,              ///< only the ragged end is wrong
    first_block_only,  ///< only the first block is right
    shifted,           ///< right values, one place off
    block_offset,      ///< right values, one block off
    transposed,        ///< rows and columns exchanged
    constant_output,   ///< all zeros, or the same value everywhere
    precision,         ///< right to within ten times the tolerance
    second_call,       ///< right at the first call, wrong later
    crash,             ///< the host code crashed or threw
    timeout,           ///< no answer within the time limit
    exited,            ///< the code ended the program
    no_check,          ///< the case compared nothing: a mistake in the test
    wrong_value,       ///< none of the above
};

namespace detail {

inline const char* sentence(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::open_todo:
            return "a TODO is still open";
        case Diagnosis::cuda_error:
            return "a CUDA call or a kernel failed";
        case Diagnosis::barrier:
            return "not all threads reach the barrier";
        case Diagnosis::race:
            return "the result differs between runs: a race, or memory read before it was written";
        case Diagnosis::out_of_bounds:
            return "memory outside of the arrays was used";
        case Diagnosis::input_modified:
            return "the input was modified";
        case Diagnosis::not_written:
            return "the output was never written";
        case Diagnosis::uninitialised:
            return "memory was read before it was written";
        case Diagnosis::nan:
            return "NaN or infinity: memory read out of bounds or before it was written, or a division by "
                   "zero";
        case Diagnosis::tail:
            return "only the ragged last block is wrong";
        case Diagnosis::first_block_only:
            return "every block but the first is wrong";
        case Diagnosis::shifted:
            return "every value is shifted by one";
        case Diagnosis::block_offset:
            return "every value is off by one block";
        case Diagnosis::transposed:
            return "rows and columns are exchanged";
        case Diagnosis::constant_output:
            return "every value is the same";
        case Diagnosis::precision:
            return "right to within ten times the tolerance: too little precision";
        case Diagnosis::second_call:
            return "right at the first call, wrong at a later one: something is kept between calls";
        case Diagnosis::crash:
            return "the host code crashed";
        case Diagnosis::timeout:
            return "no result within the time limit: an endless loop or a deadlock";
        case Diagnosis::exited:
            return "the code ended the program instead of returning";
        case Diagnosis::no_check:
            return "the case checked nothing: the test is at fault";
        case Diagnosis::wrong_value:
            return "";
    }
    return "";
}

/// Mistakes that show in the values; for these a repeated run can tell more.
inline bool about_values(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::not_written:
        case Diagnosis::nan:
        case Diagnosis::tail:
        case Diagnosis::first_block_only:
        case Diagnosis::shifted:
        case Diagnosis::block_offset:
        case Diagnosis::transposed:
        case Diagnosis::constant_output:
        case Diagnosis::precision:
        case Diagnosis::wrong_value:
            return true;
        default:
            return false;
    }
}

/// Where the student reads on: the task named for this diagnosis, otherwise the README as a whole; and the page about
/// what the executor found, if it found something.
struct Readme {
    std::string path;
    std::map<Diagnosis, std::string> tasks;

    std::string see(Diagnosis diagnosis, const std::string& page = "") const {
        const auto task = tasks.find(diagnosis);
        return "see " + (task == tasks.end() ? path : task->second + ", in " + path) +
               (page.empty() ? "" : ", and " + page);
    }
};

}  // namespace detail
}  // namespace kit
