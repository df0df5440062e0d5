// Grades 20_matrix_product/tiled: any sizes and leading dimensions, the barriers between two steps, and the loads of global memory.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/products.hpp"

namespace {

using matrix_product::kTile;
using namespace matrix_product_test;

const Exercise kExercise = {matrix_product::tiled, 1, 1, 1, 3, kTile, kTile};

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "tiled", argc, argv);
    grader.task(2, kit::About().fix(kit::facts::Fix::barrier));
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::uninitialised));
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::wrong_value});
    grader.task(1, {kit::Diagnosis::nan, kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::tail, kit::Diagnosis::out_of_bounds});
    add_shapes(grader, kExercise,
               [](kit::Case& test, Sizes sizes, const Counted&) { demand_loads(test, kExercise, sizes); });
    error_handling::check_failing_calls(grader, argc, argv, {"33 x 31 x 33"});
    return grader.run();
}
