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

/// An exercise, the tasks that its failures can point to, and the shape of its tiles.
struct Exercise {
    Product* product;
    int task_of_a, task_of_b;  ///< the tasks that read A and B
    int task_of_k;             ///< the task that covers all of k
    int task_of_c;             ///< the task that stores C
    int side, depth;           ///< rows and columns of C, and elements of k, that a block processes together
    int multiple = 1;          ///< the leading dimensions are multiples of this number
};

/// A product, and the minimum number of elements between the last column and the leading dimension of each matrix.
struct Shape {
    Sizes sizes;
    int more_a = 0, more_b = 0, more_c = 0;

    std::string name() const {
        return std::to_string(sizes.m) + " x " + std::to_string(sizes.n) + " x " + std::to_string(sizes.k) +
               (more_a ? ", A padded" : "") + (more_b ? ", B padded" : "") + (more_c ? ", C padded" : "");
    }
};

inline std::size_t elements(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Returns the product of matrices with these leading dimensions, as m x n elements. Only the first `k` products are summed.
inline std::vector<float> reference(const std::vector<float>& a, int lda, const std::vector<float>& b,
                                    int ldb, Sizes sizes, int k) {
    std::vector<float> c;
    c.reserve(elements(sizes.m, sizes.n));
    std::vector<double> row(static_cast<std::size_t>(sizes.n));
    for (int r = 0; r < sizes.m; ++r) {
        row.assign(row.size(), 0);
        for (int i = 0; i < k; ++i) {
            const double factor = a[elements(r, lda) + static_cast<std::size_t>(i)];
            const float* const from = b.data() + elements(i, ldb);
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += factor * from[j];
        }
        for (const double sum : row) c.push_back(static_cast<float>(sum));
    }
    return c;
}

/// Returns a matrix of small integers, so that every sum of products is exact. The padding is filled with `padding`.
inline std::vector<float> matrix(kit::Random& random, int rows, int columns, int leading, float padding) {
    std::vector<float> values = kit::integers<float>(random, elements(rows, leading), -9, 9);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i % static_cast<std::size_t>(leading) >= static_cast<std::size_t>(columns)) values[i] = padding;
    return values;
}

/// The counts of one call.
struct Counted {
    kit::Counts requests;           ///< requests of the warps, if the case asks for a profile
    double loaded = 0, stored = 0;  ///< bytes of global memory
    double shared_loads = 0;        ///< loads of shared memory, counted once per thread
    double async_bytes = 0;         ///< bytes of asynchronous copies
    double overlaps = 0;            ///< waits that ended a copy while a later one was in flight
    double blocks = 0;
};

/// Judges the values of one product, and returns what was counted. With `profiled`, this includes the requests of the warps.
inline Counted judge(kit::Case& test, const Exercise& exercise, const Shape& shape, bool profiled = false,
                     float padding = 1000) {
    const Sizes sizes = shape.sizes;
    const auto leading = [&](int columns, int more) {
        return kit::ceil_div(columns + more, exercise.multiple) * exercise.multiple;
    };
    const int lda = leading(sizes.k, shape.more_a), ldb = leading(sizes.n, shape.more_b),
              ldc = leading(sizes.n, shape.more_c);
    const auto as = matrix(test.random(), sizes.m, sizes.k, lda, padding);
    const auto bs = matrix(test.random(), sizes.k, sizes.n, ldb, padding);
    const std::vector<float> want = reference(as, lda, bs, ldb, sizes, sizes.k);
    auto a = test.input("a", as), b = test.input("b", bs);
    auto c = test.output<float>("c", elements(sizes.m, ldc));
    Counted counted;
    const auto run = [&] { exercise.product(sizes, a.data(), lda, b.data(), ldb, c.data(), ldc); };
#ifdef KIT_CPU
    kit::cpu::reset_counters();
#endif
    profiled ? void(counted.requests = test.counts(run)) : test.call(run);
#ifdef KIT_CPU
    const kit::cpu::Counters now = kit::cpu::counters();
    counted.loaded = static_cast<double>(now.global_bytes_loaded);
    counted.stored = static_cast<double>(now.global_bytes_stored);
    counted.shared_loads = static_cast<double>(now.shared_loads);
    counted.async_bytes = static_cast<double>(now.async_bytes);
    counted.overlaps = static_cast<double>(now.async_overlaps);
    counted.blocks = static_cast<double>(now.blocks);
#endif

    const auto mistake = [&](int a_row, int b_row, int k, const std::string& sentence, int task) {
        test.mistake<float>(kit::Diagnosis::wrong_value, reference(as, a_row, bs, b_row, sizes, k),
                            sentence + kit::task(task));
    };
    const int whole = sizes.k / exercise.depth * exercise.depth;
    if (whole < sizes.k)
        mistake(
            lda, ldb, whole,
            whole == 0
                ? "every sum is 0: k is smaller than a tile, and perhaps your steps cover only whole tiles"
                : "the sums contain only the first " + std::to_string(whole) + " of " +
                      kit::count_of(static_cast<std::size_t>(sizes.k), "product") +
                      ": k is not a multiple of the tile, so the last step is a part of a tile",
            exercise.task_of_k);
    if (lda > sizes.k)
        mistake(sizes.k, ldb, sizes.k, "row r of A is read from a + r * k: multiply r by lda",
                exercise.task_of_a);
    if (ldb > sizes.n)
        mistake(lda, sizes.n, sizes.k, "row r of B is read from b + r * n: multiply r by ldb",
                exercise.task_of_b);
    if (exercise.multiple > 1 && sizes.n > exercise.multiple && sizes.n % exercise.multiple) {
        std::vector<float> without = want;  // the last columns, which do not fill a group, get no products
        for (std::size_t i = 0; i < without.size(); ++i)
            if (static_cast<int>(i % static_cast<std::size_t>(sizes.n)) >=
                sizes.n / exercise.multiple * exercise.multiple)
                without[i] = 0;
        test.mistake<float>(kit::Diagnosis::wrong_value, without,
                            "the last columns of C are 0, because B has only a part of their group of four: "
                            "copy the elements that exist" +
                                kit::task(exercise.task_of_b));
    }
    std::vector<float> inside;
    bool outside = false;
    const std::vector<float> got = c.values();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_element = i % static_cast<std::size_t>(ldc) < static_cast<std::size_t>(sizes.n);
        if (is_element)
            inside.push_back(got[i]);
        else
            outside = outside || !kit::detail::is_poison(got[i]);
    }
    test.check(!outside,
               "elements between the last column of C and its leading dimension were written: store only "
               "columns below n, and multiply the row by ldc" +
                   kit::task(exercise.task_of_c),
               kit::Diagnosis::out_of_bounds);
    test.expect("c", inside, want, kit::exact(),
                {static_cast<std::size_t>(sizes.m), static_cast<std::size_t>(sizes.n)});
    if (!want.empty()) test.by_kernels(kit::named_task(exercise.task_of_c));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(exercise.task_of_c));
    return counted;
}

/// Demands that each element of A is loaded at most once for every `side` columns of C, and each element of B at most once for every
/// `side` rows, if no tile is ragged.
inline void demand_loads(kit::Case& test, const Exercise& exercise, Sizes sizes) {
    if (sizes.m % exercise.side || sizes.n % exercise.side || sizes.k % exercise.depth) return;
    const double side = exercise.side;
    const double bytes =
        4.0 * sizes.k * (sizes.m * std::ceil(sizes.n / side) + sizes.n * std::ceil(sizes.m / side));
    test.loaded_at_most(static_cast<std::size_t>(bytes), kit::named_task(exercise.task_of_a));
}

/// Demands at most `limit` loads of shared memory for each multiplication.
inline void demand_shared_loads([[maybe_unused]] kit::Case& test, [[maybe_unused]] const Counted& counted,
                                [[maybe_unused]] Sizes sizes, [[maybe_unused]] int per_load,
                                [[maybe_unused]] const kit::Said& advice) {
#ifdef KIT_CPU
    const double most = double(sizes.m) * sizes.n * sizes.k / per_load;
    test.demand("shared loads", kit::at_most(counted.shared_loads, most),
                "the threads execute " + kit::detail::to_text(counted.shared_loads) +
                    " loads of shared memory for " + kit::detail::to_text(most * per_load) +
                    " multiplications, but at most " + kit::detail::to_text(most) +
                    " are allowed: " + advice);
#endif
}

/// Adds shapes that reveal mistakes: empty, one element, vectors, whole tiles, ragged, tall, wide, and padded rows. `more` judges the
/// counts of a case.
template <class More>
void add_shapes(kit::Grader& grader, const Exercise& exercise, const More& more) {
    const int side = exercise.side, depth = exercise.depth;
    const Shape shapes[] = {{{0, 5, 3}},
                            {{5, 0, 3}},
                            {{4, 6, 0}},
                            {{1, 1, 1}},
                            {{70, 1, 33}},
                            {{side, side, 2 * depth}},
                            {{side + 1, side - 1, depth + 1}},
                            {{1, 70, 5}},
                            {{2 * side, 16, 3 * depth}},
                            {{16, side + 22, 3 * depth - 1}},
                            {{67, 45, 1}},
                            {{24, 40, 20}, 4, 0, 0},
                            {{24, 40, 20}, 0, 8, 0},
                            {{24, 40, 20}, 0, 0, 12}};
    for (const Shape& shape : shapes)
        grader.add(shape.name(),
                   [=](kit::Case& test) { more(test, shape.sizes, judge(test, exercise, shape)); });
    grader.add("19 x 37 x 22, all padded with NaN", [=](kit::Case& test) {
        judge(test, exercise, {{19, 37, 22}, 6, 3, 7}, false, NAN);
    });
}

inline void add_shapes(kit::Grader& grader, const Exercise& exercise) {
    add_shapes(grader, exercise, [](kit::Case&, Sizes, const Counted&) {});
}

}  // namespace matrix_product_test
