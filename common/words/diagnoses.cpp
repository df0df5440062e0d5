// The sentence of each diagnosis, for failures without further facts.
#include <words/outcome.hpp>

namespace kit::words {

const char* sentence_of(Diagnosis diagnosis) {
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
            return "NaN or infinity: memory read out of bounds or before it was written, or a division by zero";
        case Diagnosis::tail:
            return "only the end is wrong";
        case Diagnosis::first_block_only:
            return "only the beginning is right";
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
        case Diagnosis::part:
            return "a part of the work is wrong by itself: told before all that follows from it";
        case Diagnosis::sectors:
            return "the lanes of a warp ask for memory that does not lie side by side";
        case Diagnosis::bank_conflicts:
            return "the lanes of a warp ask one bank of shared memory for different words";
        case Diagnosis::divergence:
            return "the lanes of a warp go different ways";
        case Diagnosis::no_check:
            return "the case checked nothing: the test is at fault";
        case Diagnosis::wrong_value:
            return "";
    }
    return "";
}

}  // namespace kit::words
