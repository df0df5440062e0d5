// Grades 04_shared_memory/transpose_swizzled: any shape, and no bank conflicts in a tile without unused places.
// sanitizer.case: x
#include "04_shared_memory/transposes.hpp"

int main(int argc, char** argv) {
    kit::Grader grader("04_shared_memory", "transpose_swizzled", argc, argv);
    return shared_memory_test::grade_without_conflicts(grader, shared_memory::transpose_swizzled);
}
