// Grades 20_matrix_product/tensor_tile: ragged tiles, three types, sums in float, the rounding to tf32, and that tensor cores multiply.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "20_matrix_product/tensor.hpp"

using namespace matrix_product_test;

namespace {

constexpr int kTile =
    64;  // columns of C for which an element of A may be loaded once, and rows for an element of B

const TensorExercise<__half> kHalf = {matrix_product::tensor_half, 4, 5, 32};
const TensorExercise<__nv_bfloat16> kBfloat16 = {matrix_product::tensor_bfloat16, 4, 5, 32};
const TensorExercise<float> kTf32 = {matrix_product::tensor_tf32, 4, 5, 32};

template <class T>
void add(kit::Grader& grader, const std::string& type, const TensorExercise<T>& exercise,
         const std::vector<Shape>& shapes, const Values& values = {}, const std::string& note = "") {
    for (const Shape& shape : shapes) {
        grader.add(type + ", " + shape.name() + note, [=](kit::Case& test) {
            if (values.fractions) test.values_are_of({2});
            judge_tensor(test, exercise, shape, values);
            const Sizes sizes = shape.sizes;
            require_tensor_cores(test, sizes, 4);
            const auto times = [](int extent) { return std::size_t(kit::ceil_div(extent, kTile)); };
            test.loaded_at_most((elements(sizes.m, exercise.lda(shape)) * times(sizes.n) +
                                 elements(sizes.k, exercise.ldb(shape)) * times(sizes.m)) *
                                    sizeof(T),
                                kit::named_task(1));
        });
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("20_matrix_product", "tensor_tile", argc, argv);
    grader.task(3, kit::About().rule(kit::facts::Rule::tensor_unset));
    for (const int task : {1, 4})  // a tile without zeros, or elements of its padding
        for (const char* const tile : {"a_tile", "b_tile"})
            grader.task(task, kit::About().diagnosis(kit::Diagnosis::uninitialised).on(tile));
    grader.task(5, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("c"));
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::tail, kit::Diagnosis::nan});
    grader.task(4, {kit::Diagnosis::wrong_value, kit::Diagnosis::uninitialised});
    grader.task(5, {kit::Diagnosis::not_written});
    add(grader, "half", kHalf,
        {{{0, 5, 3}},
         {{4, 6, 0}},
         {{1, 1, 1}},
         {{64, 64, 64}},
         {{65, 63, 33}},
         {{130, 20, 40}},
         {{16, 150, 70}},
         {{24, 40, 20}, 4, 0, 0},
         {{24, 40, 20}, 0, 8, 0},
         {{24, 40, 20}, 0, 0, 12}});
    add(grader, "half", kHalf, {{{19, 37, 22}, 6, 3, 7}}, {-9, 9, false, NAN}, " with NaN");
    add(grader, "half", kHalf, {{{40, 70, 100}}}, {96, 127}, ", sums above 65504");
    add(grader, "bfloat16", kBfloat16, {{{5, 0, 3}}, {{65, 63, 33}, 1, 2, 3}});
    add(grader, "bfloat16", kBfloat16, {{{40, 70, 100}}}, {96, 127}, ", large sums");
    add(grader, "tf32", kTf32, {{{65, 63, 33}, 1, 2, 3}});
    add(grader, "tf32", kTf32, {{{40, 70, 100}}}, {0, 0, true}, ", rounded factors");
    error_handling::check_failing_calls(grader, argc, argv, {"half, 65 x 63 x 33"});
    return grader.run();
}
