// Grades 07_reduction/tree_divergent: the sum of each block of kBlock values.
#include "01_error_handling/failing_calls.hpp"
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree_divergent", argc, argv);
    // Values that no block has written belong to Task 3, because a block was not launched.
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::not_written));
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::tail).has("never written"));
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::uninitialised).on("tile"));  // loaded in part
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::nan, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::exited, kit::Diagnosis::cuda_error});
    reduction_test::add_cases(grader, reduction::tree_divergent, reduction::kBlock);
    error_handling::check_failing_calls(grader, argc, argv, {"n=1009"});
    return grader.run();
}
