// Grades 07_reduction/tree: block sums by the converged tree, with one load per thread (v2) and with two
// (v3).
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree", argc, argv);
    grader.task(kit::Diagnosis::wrong_value, "Task 1, \"the converged tree\"");
    grader.task(kit::Diagnosis::race, "Task 1, \"the converged tree\"");
    grader.task(kit::Diagnosis::barrier, "Task 1, \"the converged tree\"");
    grader.task(kit::Diagnosis::tail, "Task 2, \"two loads and the tail\"");
    grader.task(kit::Diagnosis::nan, "Task 2, \"two loads and the tail\"");
    grader.task(kit::Diagnosis::out_of_bounds, "Task 2, \"two loads and the tail\"");
    grader.task(kit::Diagnosis::not_written, "Task 3, \"the launch\"");
    grader.task(kit::Diagnosis::exited, "Task 3, \"the launch\"");
    grader.task(kit::Diagnosis::cuda_error, "Task 3, \"the launch\"");
    reduction_test::add_cases(grader, reduction::tree_converged, reduction::kBlock, "one load: ");
    reduction_test::add_cases(grader, reduction::tree, reduction::kTile, "two loads: ");
    return grader.run();
}
