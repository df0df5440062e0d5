// Grades 07_reduction/tree: block sums by the converged tree, with one load per thread (v2) and with two
// (v3).
#include "01_error_handling/failing_calls.hpp"
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree", argc, argv);
    // Values that no block has written belong to Task 3, because a block was not launched.
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::not_written));
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::tail).has("never written"));
    // A block too many: given code writes the sum.
    grader.task(3, kit::About().on("block_sums").diagnosis(kit::Diagnosis::out_of_bounds));
    grader.task(1, {kit::Diagnosis::wrong_value, kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::tail, kit::Diagnosis::nan,
                    kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::uninitialised, kit::Diagnosis::not_written, kit::Diagnosis::exited,
                    kit::Diagnosis::cuda_error});
    reduction_test::add_cases(grader, reduction::tree_converged, reduction::kBlock, "one load: ");
    reduction_test::add_cases(grader, reduction::tree, reduction::kTile, "two loads: ");
    error_handling::check_failing_calls(grader, argc, argv, {"one load: n=1009", "two loads: n=1009"});
    return grader.run();
}
