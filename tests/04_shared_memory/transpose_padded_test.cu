// Grades 04_shared_memory/transpose_padded: any shape, and no bank conflicts, neither in the load nor in the store.
// sanitizer.case: x
#include "04_shared_memory/transposes.hpp"

int main(int argc, char** argv) {
    using namespace shared_memory_test;
    using shared_memory::transpose_padded;
    kit::Grader grader("04_shared_memory", "transpose_padded", argc, argv);
    grader.task(1, {kit::Diagnosis::bank_conflicts});
    grader.task(1, "shared load");
    grader.task(1, "shared store");
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    grader.task(3, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value, kit::Diagnosis::transposed,
                    kit::Diagnosis::not_written, kit::Diagnosis::tail});
    grader.task(2, "no barrier between line");
    add_shapes(grader, transpose_padded);
    add_counts(grader, transpose_padded, {4, 1});
#ifndef KIT_CPU
    add_times(grader, transpose_padded);
#endif
    return grader.run();
}
