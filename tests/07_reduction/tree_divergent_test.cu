// Grades 07_reduction/tree_divergent: the sum of each block of kBlock values.
#include "07_reduction/block_sums.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("07_reduction", "tree_divergent", argc, argv);
    grader.task(kit::Diagnosis::tail, "Task 1, \"the tail\"");
    grader.task(kit::Diagnosis::nan, "Task 1, \"the tail\"");
    grader.task(kit::Diagnosis::out_of_bounds, "Task 1, \"the tail\"");
    grader.task(kit::Diagnosis::wrong_value, "Task 2, \"the tree\"");
    grader.task(kit::Diagnosis::race, "Task 2, \"the tree\"");
    grader.task(kit::Diagnosis::barrier, "Task 2, \"the tree\"");
    grader.task(kit::Diagnosis::not_written, "Task 3, \"the launch\"");
    grader.task(kit::Diagnosis::exited, "Task 3, \"the launch\"");
    grader.task(kit::Diagnosis::cuda_error, "Task 3, \"the launch\"");
    reduction_test::add_cases(grader, reduction::tree_divergent, reduction::kBlock);
    return grader.run();
}
