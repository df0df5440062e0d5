// Grades 04_shared_memory/transpose_naive: any shape, tall and wide, whole tiles and ragged ones.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "04_shared_memory/transposes.hpp"

int main(int argc, char** argv) {
    using namespace shared_memory_test;
    using shared_memory::transpose_naive;
    kit::Grader grader("04_shared_memory", "transpose_naive", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value, kit::Diagnosis::transposed,
                    kit::Diagnosis::not_written});
    grader.task(2, {kit::Diagnosis::not_written, kit::Diagnosis::tail, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::cuda_error});
    add_shapes(grader, transpose_naive, kit::named_task(1));

#ifndef KIT_CPU
    add_times(grader, transpose_naive);
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"5 x 3"});
    return grader.run();
}
