// Grades 04_shared_memory/transpose_padded: any shape, and no bank conflicts, neither in the load nor in the store.
// sanitizer.case: x
#include "04_shared_memory/transposes.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "transpose_padded", argc, argv);
    return shared_memory_test::grade_without_conflicts(grader, shared_memory::transpose_padded);
}
