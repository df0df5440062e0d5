// Grades 04_shared_memory/transpose_tiled: any shape, the barrier, and whole sectors on both sides.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "04_shared_memory/transposes.hpp"

int main(int argc, char** argv) {
    using namespace shared_memory_test;
    using shared_memory::transpose_tiled;
    kit::Grader grader("04_shared_memory", "transpose_tiled", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised});
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(3, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value, kit::Diagnosis::transposed,
                    kit::Diagnosis::not_written, kit::Diagnosis::tail});
    grader.task(2, kit::About().fix(kit::facts::Fix::barrier));
    // Threads have left before the barrier, or go around it.
    for (const int task : {1, 2}) grader.task(task, kit::About().rule(kit::facts::Rule::threads_missing));
    add_shapes(grader, transpose_tiled, kit::named_task(3));
    add_counts(grader, transpose_tiled, [](kit::Case& test, const kit::Counts& counts, kit::Way way) {
        test.sectors_at_most(4, counts, way);
    });
#ifndef KIT_CPU
    add_times(grader, transpose_tiled);
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"5 x 3"});
    return grader.run();
}
