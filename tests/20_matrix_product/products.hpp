// Shared by the tests of the matrix products in floats: the shapes, the reference, and the demands that several exercises share.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "20_matrix_product/20_matrix_product.hpp"
#include "grader.cuh"

namespace matrix_product_test {

using matrix_product::Sizes;

/// The functions of the exercises: C = A B with leading dimensions.
using Product = void(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

/// A product, and the distance between the rows of each matrix.
struct Shape {
    Sizes sizes;
    int more_a = 0, more_b = 0, more_c = 0;  ///< elements between the last column and the leading dimension

    int lda() const { return sizes.k + more_a; }
    int ldb() const { return sizes.n + more_b; }
    int ldc() const { return sizes.n + more_c; }
    std::string name() const {
        return std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " + std::to_string(sizes.k) +
               (more_a ? ", A padded" : "") + (more_b ? ", B padded" : "") + (more_c ? ", C padded" : "");
    }
};

inline std::size_t count_of(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Returns the product of matrices with these leading dimensions, as m x n elements. Only the first `k` products are summed.
inline std::vector<float> reference(const std::vector<float>& a, int lda, const std::vector<float>& b,
                                    int ldb, Sizes sizes, int k) {
    std::vector<float> c;
    c.reserve(count_of(sizes.m, sizes.n));
    std::vector<double> row(static_cast<std::size_t>(sizes.n));
    for (int r = 0; r < sizes.m; ++r) {
        row.assign(row.size(), 0);
        for (int i = 0; i < k; ++i) {
            const double factor = a[count_of(r, lda) + static_cast<std::size_t>(i)];
            const float* const from = b.data() + count_of(i, ldb);
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += factor * from[j];
        }
        for (const double sum : row) c.push_back(static_cast<float>(sum));
    }
    return c;
}

/// Returns a matrix of small integers, so that every sum of products is exact. The padding is filled with `padding`.
inline std::vector<float> matrix(kit::Random& random, int rows, int columns, int more, float padding) {
    std::vector<float> values = kit::integers<float>(random, count_of(rows, columns + more), -9, 9);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i % static_cast<std::size_t>(columns + more) >= static_cast<std::size_t>(columns))
            values[i] = padding;
    return values;
}

/// What an exercise demands besides the values. `tile`: elements of k that a block processes together; 0 if it has no tiles.
struct Exercise {
    Product* product;
    int task_of_values;
    int tile = 0;
};

/// Judges one product. With `counts`, also returns the requests of the warps.
inline void judge(kit::Case& test, const Exercise& exercise, const Shape& shape,
                  kit::Counts* counts = nullptr, float padding = 1000) {
    const Sizes sizes = shape.sizes;
    const auto as = matrix(test.random(), sizes.m, sizes.k, shape.more_a, padding);
    const auto bs = matrix(test.random(), sizes.k, sizes.n, shape.more_b, padding);
    const std::vector<float> want = reference(as, shape.lda(), bs, shape.ldb(), sizes, sizes.k);
    auto a = test.input("a", as), b = test.input("b", bs);
    auto c = test.output<float>("c", count_of(sizes.m, shape.ldc()));
    const auto run = [&] {
        exercise.product(sizes, a.data(), shape.lda(), b.data(), shape.ldb(), c.data(), shape.ldc());
    };
    counts ? void(*counts = test.counts(run)) : test.call(run);

    const int whole = exercise.tile > 0 ? sizes.k / exercise.tile * exercise.tile : sizes.k;
    const auto mistake = [&](int lda, int ldb, int k, const std::string& sentence) {
        test.mistake<float>(kit::Diagnosis::wrong_value, reference(as, lda, bs, ldb, sizes, k),
                            sentence + kit::task(exercise.task_of_values));
    };
    if (whole > 0 && whole < sizes.k)
        mistake(shape.lda(), shape.ldb(), whole,
                "the sums contain only the first " + std::to_string(whole) + " of " +
                    kit::count_of(static_cast<std::size_t>(sizes.k), "product") +
                    ": k is not a multiple of the tile, so round the number of steps up");
    if (shape.more_a)
        mistake(sizes.k, shape.ldb(), sizes.k, "row r of A is read from a + r * k: multiply r by lda");
    if (shape.more_b)
        mistake(shape.lda(), sizes.n, sizes.k, "row r of B is read from b + r * n: multiply r by ldb");
    const std::vector<float> got = c.values();
    std::vector<float> inside;
    bool outside = false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_element = i % static_cast<std::size_t>(shape.ldc()) < static_cast<std::size_t>(sizes.n);
        if (is_element)
            inside.push_back(got[i]);
        else
            outside = outside || !kit::detail::is_poison(got[i]);
    }
    test.check(!outside,
               "elements between the last column of C and its leading dimension were written: store only "
               "columns below n, and multiply the row by ldc" +
                   kit::task(exercise.task_of_values),
               kit::Diagnosis::out_of_bounds);
    test.expect("c", inside, want, kit::exact(),
                {static_cast<std::size_t>(sizes.m), static_cast<std::size_t>(sizes.n)});
    if (!want.empty()) test.by_kernels(kit::named_task(exercise.task_of_values));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(exercise.task_of_values));
}

/// Adds shapes that reveal mistakes: empty, one element, vectors, whole tiles, ragged, tall, wide, and padded rows.
inline void add_shapes(kit::Grader& grader, const Exercise& exercise) {
    for (const Shape& shape : {Shape{{0, 5, 3}},
                               {{5, 0, 3}},
                               {{4, 6, 0}},
                               {{1, 1, 1}},
                               {{1, 70, 5}},
                               {{70, 1, 33}},
                               {{32, 32, 32}},
                               {{33, 31, 17}},
                               {{128, 16, 40}},
                               {{16, 150, 64}},
                               {{67, 45, 1}},
                               {{24, 40, 20}, 4, 0, 0},
                               {{24, 40, 20}, 0, 8, 0},
                               {{24, 40, 20}, 0, 0, 12}})
        grader.add(shape.name(), [=](kit::Case& test) { judge(test, exercise, shape); });
    grader.add("19 x 37 x 22, all padded with NaN", [=](kit::Case& test) {
        judge(test, exercise, {{19, 37, 22}, 6, 3, 7}, nullptr, NAN);
    });
}

}  // namespace matrix_product_test
