// Grades 20_matrix_product/naive: any sizes and leading dimensions, and the sectors of a warp's loads and stores.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/products.hpp"

namespace {

const matrix_product_test::Exercise kExercise = {matrix_product::naive, 2, 2, 2, 2, 32, 16};

void sectors(kit::Case& test) {
    const kit::Counts counts = matrix_product_test::judge(test, kExercise, {{64, 96, 40}}, true).requests;
    for (const kit::Way way : {kit::Way::loads, kit::Way::stores}) test.sectors_at_most(4, counts, way);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "naive", argc, argv);
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::sectors));
    for (const int task : {1, 2}) grader.task(task, kit::About().diagnosis(kit::Diagnosis::out_of_bounds));
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::tail, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::block_offset, kit::Diagnosis::cuda_error});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::nan, kit::Diagnosis::uninitialised});
    matrix_product_test::add_shapes(grader, kExercise);
    grader.add("64 x 96 x 40, counted", sectors);
    error_handling::check_failing_calls(grader, argc, argv, {"33 x 31 x 17"});
    return grader.run();
}
