// Grades 20_matrix_product/register_tile: any sizes and leading dimensions, and the loads of global and shared memory.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/products.hpp"

namespace {

using namespace matrix_product_test;

const Exercise kExercise = {matrix_product::register_tile, 1, 1, 1, 3, matrix_product::kBlockTile,
                            matrix_product::kDepth};

void count(kit::Case& test) {
    constexpr Sizes sizes = {256, 128, 24};
    const Counted counted = judge(test, kExercise, {sizes});
    demand_loads(test, kExercise, sizes);
    demand_shared_loads(
        test, counted, sizes, 4,
        "keep 8 values of A and 8 of B in registers, and use each of them 8 times" + kit::task(2));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "register_tile", argc, argv);
    grader.task(2, kit::About().fix(kit::facts::Fix::barrier));
    grader.task(1, kit::About().diagnosis(kit::Diagnosis::uninitialised));
    grader.task(2, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    for (const int task : {2, 3}) grader.task(task, {kit::Diagnosis::wrong_value});
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::nan});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::tail, kit::Diagnosis::out_of_bounds});
    add_shapes(grader, kExercise);
    grader.add("256 x 128 x 24, counted", count);
    error_handling::check_failing_calls(grader, argc, argv, {"129 x 127 x 9"});
    return grader.run();
}
