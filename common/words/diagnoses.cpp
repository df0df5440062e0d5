// The sentence of each diagnosis, for failures without further facts.
#include <words/outcome.hpp>

namespace kit::words {

const char* sentence_of(Diagnosis diagnosis) {
    switch (diagnosis) {
        case Diagnosis::open_todo:
            return "a TODO is still open: write this part first";
        case Diagnosis::cuda_error:
            return "a CUDA call or a kernel failed: check its arguments";
        case Diagnosis::barrier:
            return "not all threads reach the barrier: let all threads of the block call it";
        case Diagnosis::race:
            return "the result differs between runs: look for a race, or for memory that is read before it is written";
        case Diagnosis::out_of_bounds:
            return "your code used memory outside of the arrays: check its indices";
        case Diagnosis::input_modified:
            return "your code modified an input: write only to outputs";
        case Diagnosis::not_written:
            return "your code never wrote the output: check which thread should store it";
        case Diagnosis::uninitialised:
            return "your code read memory before it wrote it: initialize it first";
        case Diagnosis::nan:
            return "some values are NaN or infinity: look for memory that is read out of bounds or before it is written, and for divisions by zero";
        case Diagnosis::tail:
            return "only the end is wrong: check the number of blocks, the bounds of loops and the guards";
        case Diagnosis::first_block_only:
            return "only the beginning is correct: check which thread computes the first wrong value";
        case Diagnosis::shifted:
            return "the values are shifted by one: check the indices of reads and writes";
        case Diagnosis::block_offset:
            return "the values are off by one block: check how the index of the block is used";
        case Diagnosis::transposed:
            return "rows and columns are exchanged: check the order of the two indices";
        case Diagnosis::constant_output:
            return "every value is the same: check the index of the reads and writes";
        case Diagnosis::precision:
            return "the values are off by less than ten times the tolerance: compute with more precision";
        case Diagnosis::second_call:
            return "the first call is correct and a later one is wrong: reset everything that your code keeps between calls";
        case Diagnosis::crash:
            return "the host code crashed: check its pointers";
        case Diagnosis::timeout:
            return "no result within the time limit: check the conditions of loops and waits";
        case Diagnosis::exited:
            return "your code ended the program: return from the function instead";
        case Diagnosis::part:
            return "a part of the work is wrong by itself: fix it first, because other failures can follow from it";
        case Diagnosis::sectors:
            return "the lanes of a warp access memory that is not contiguous: let neighbouring lanes access neighbouring elements";
        case Diagnosis::bank_conflicts:
            return "the lanes of a warp access different words of one bank of shared memory: change the layout, or the order of the accesses";
        case Diagnosis::divergence:
            return "the lanes of a warp take different branches: give the lanes of a warp the same work";
        case Diagnosis::no_check:
            return "the case checked nothing: report this mistake of the test";
        case Diagnosis::wrong_value:
            return "";
    }
    return "";
}

}  // namespace kit::words
