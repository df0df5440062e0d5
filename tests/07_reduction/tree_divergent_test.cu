// Grades 07_reduction/tree_divergent: the sum of each block of kBlock values.
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree_divergent", argc, argv);
    grader.task(kit::Diagnosis::tail, 1);
    grader.task(kit::Diagnosis::nan, 1);
    grader.task(kit::Diagnosis::out_of_bounds, 1);
    grader.task(kit::Diagnosis::wrong_value, 2);
    grader.task(kit::Diagnosis::race, 2);
    grader.task(kit::Diagnosis::barrier, 2);
    grader.task(kit::Diagnosis::not_written, 3);
    grader.task(kit::Diagnosis::exited, 3);
    grader.task(kit::Diagnosis::cuda_error, 3);
    reduction_test::add_cases(grader, reduction::tree_divergent, reduction::kBlock);
    return grader.run();
}
