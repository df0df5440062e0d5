// Grades 07_reduction/tree: block sums by the converged tree, with one load per thread (v2) and with two
// (v3).
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree", argc, argv);
    grader.task(kit::Diagnosis::wrong_value, 1);
    grader.task(kit::Diagnosis::race, 1);
    grader.task(kit::Diagnosis::barrier, 1);
    grader.task(kit::Diagnosis::tail, 2);
    grader.task(kit::Diagnosis::nan, 2);
    grader.task(kit::Diagnosis::out_of_bounds, 2);
    grader.task(kit::Diagnosis::not_written, 3);
    grader.task(kit::Diagnosis::exited, 3);
    grader.task(kit::Diagnosis::cuda_error, 3);
    reduction_test::add_cases(grader, reduction::tree_converged, reduction::kBlock, "one load: ");
    reduction_test::add_cases(grader, reduction::tree, reduction::kTile, "two loads: ");
    return grader.run();
}
