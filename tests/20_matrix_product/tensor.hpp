// Shared by the tests of the matrix products on tensor cores: values of their types, and the demands that both exercises share.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "20_matrix_product/products.hpp"

namespace matrix_product_test {

/// The functions of the exercises, whose factors have type T.
template <class T>
using TensorProduct = void(Sizes sizes, const T* a, int lda, const T* b, int ldb, float* c, int ldc);

/// What a case calls and checks.
template <class T>
struct TensorExercise {
    TensorProduct<T>* product;
    int task_of_values, task_of_results;  ///< the tasks that compute the sums and that store them
    int depth;                            ///< elements of k that the exercise processes together
    int multiple = 1;                     ///< lda and ldb are multiples of this number, and ldc of 1 or 2

    static int rounded(int value, int multiple) { return kit::ceil_div(value, multiple) * multiple; }
    int lda(const Shape& shape) const { return rounded(shape.sizes.k + shape.more_a, multiple); }
    int ldb(const Shape& shape) const { return rounded(shape.sizes.n + shape.more_b, multiple); }
    int ldc(const Shape& shape) const { return rounded(shape.sizes.n + shape.more_c, std::min(multiple, 2)); }
};

/// The values of the factors: the range of integers, which all types have exactly, or any positive floats.
struct Values {
    int least = -9, most = 9;
    bool fractions = false;
    float padding = 1000;
};

/// Returns the nearest number with ten bits after the point; a tie is rounded away from zero.
inline float nearest_tf32(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x1000u) & ~0x1fffu;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Returns a matrix of these values. The padding is filled with values.padding.
inline std::vector<float> factor(kit::Random& random, int rows, int columns, int leading,
                                 const Values& values) {
    const std::size_t count = elements(rows, leading);
    std::vector<float> numbers = values.fractions
                                     ? kit::uniform<float>(random, count, 1.0f, 2.0f)
                                     : kit::integers<float>(random, count, values.least, values.most);
    for (std::size_t i = 0; i < count; ++i)
        if (i % static_cast<std::size_t>(leading) >= static_cast<std::size_t>(columns))
            numbers[i] = values.padding;
    return numbers;
}

template <class T>
std::vector<T> converted(const std::vector<float>& values) {
    std::vector<T> result;
    result.reserve(values.size());
    for (const float value : values) result.push_back(T(value));
    return result;
}

/// Returns the multiplications of tensor cores since the last reset; none on a GPU, which does not count them.
inline std::uint64_t tensor_multiplications() {
#ifdef KIT_CPU
    return kit::cpu::counters().tensor_multiplications;
#else
    return 0;
#endif
}

/// Requires that all products run on tensor cores.
inline void require_tensor_cores([[maybe_unused]] kit::Case& test, [[maybe_unused]] Sizes sizes,
                                 [[maybe_unused]] int task) {
#ifdef KIT_CPU
    const double all = double(sizes.m) * sizes.n * sizes.k;
    test.method("tensor cores", double(tensor_multiplications()) >= all,
                {"products on tensor cores",
                 "your kernel multiplies at least some elements with ordinary instructions",
                 "Tensor cores perform many times as many multiplications per second.", task});
#endif
}

/// Judges one product. With `counts`, also returns the requests of the warps.
template <class T>
void judge_tensor(kit::Case& test, const TensorExercise<T>& exercise, const Shape& shape,
                  const Values& values = {}, kit::Counts* counts = nullptr) {
    const Sizes sizes = shape.sizes;
    const int lda = exercise.lda(shape), ldb = exercise.ldb(shape), ldc = exercise.ldc(shape);
    const auto as = factor(test.random(), sizes.m, sizes.k, lda, values);
    const auto bs = factor(test.random(), sizes.k, sizes.n, ldb, values);
    auto a = test.input("a", converted<T>(as)), b = test.input("b", converted<T>(bs));
    auto c = test.output<float>("c", elements(sizes.m, ldc));
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    const auto run = [&] { exercise.product(sizes, a.data(), lda, b.data(), ldb, c.data(), ldc); };
    counts ? void(*counts = test.counts(run)) : test.call(run);

    std::vector<float> exact_a = as, exact_b = bs;
    if (values.fractions)
        for (auto* const matrix : {&exact_a, &exact_b})
            for (float& value : *matrix) value = nearest_tf32(value);
    const std::vector<float> want = reference(exact_a, lda, exact_b, ldb, sizes, sizes.k);
    const int whole = sizes.k / exercise.depth * exercise.depth;
    const auto mistake = [&](int a_row, int b_row, int k, const std::string& sentence) {
        test.mistake<float>(kit::Diagnosis::wrong_value, reference(as, a_row, bs, b_row, sizes, k),
                            sentence + kit::task(exercise.task_of_values));
    };
    if (whole > 0 && whole < sizes.k)
        mistake(lda, ldb, whole,
                "the sums contain only the first " + std::to_string(whole) + " of " +
                    kit::count_of(static_cast<std::size_t>(sizes.k), "product") +
                    ": k is not a multiple of the tile, so round the number of steps up");
    if constexpr (!std::is_same_v<T, float>) {
        const std::vector<T> rounded = converted<T>(want);
        test.mistake<float>(
            kit::Diagnosis::wrong_value, std::vector<float>(rounded.begin(), rounded.end()),
            "the values are those of the contract, but rounded to the type of the factors: keep the "
            "sums and the elements of C in float" +
                kit::task(exercise.task_of_results));
    }
    const std::vector<float> got = c.values();
    std::vector<float> inside;
    bool outside = false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (i % static_cast<std::size_t>(ldc) < static_cast<std::size_t>(sizes.n))
            inside.push_back(got[i]);
        else
            outside = outside || !kit::detail::is_poison(got[i]);
    }
    test.check(!outside,
               "elements between the last column of C and its leading dimension were written: store only "
               "columns below n, and multiply the row by ldc" +
                   kit::task(exercise.task_of_results),
               kit::Diagnosis::out_of_bounds);
    // A sum of fractions is truncated once for each product of tensor cores, which adds 8 or more products.
    double largest = 0;
    if (values.fractions)
        for (const float value : want) largest = std::max(largest, double(value));
    const auto tolerance =
        values.fractions ? kit::tolerance((sizes.k / 8 + 4) * 0x1p-23 * largest, 0) : kit::exact();
    test.expect("c", inside, want, tolerance,
                {static_cast<std::size_t>(sizes.m), static_cast<std::size_t>(sizes.n)});
    if (!want.empty()) test.by_kernels(kit::named_task(exercise.task_of_values));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(exercise.task_of_results));
}

}  // namespace matrix_product_test
