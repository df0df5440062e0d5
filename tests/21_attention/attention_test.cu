// Grades 21_attention/attention: scores, weights and sums of any sizes, and the bytes that the three kernels load and store.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "21_attention/attentions.hpp"

namespace {

using namespace attention_test;

/// Returns the weights of all queries, with scores multiplied by `scale`.
std::vector<float> all_weights(const Shape& shape, const Arrays& arrays, double scale) {
    return each_query(
        shape, arrays,
        [&](int, int) {
            return Range{0, shape.keys};
        },
        [&](const One& one) {
            const std::vector<double> weights = weights_of(one, scale);
            return std::vector<float>(weights.begin(), weights.end());
        });
}

std::vector<float> all_outputs(const Shape& shape, const Arrays& arrays) {
    return each_query(
        shape, arrays,
        [&](int, int) {
            return Range{0, shape.keys};
        },
        [&](const One& one) { return output_of(one, weights_of(one, scale_of(shape))); });
}

/// Returns the scores of all queries.
std::vector<float> all_scores(const Shape& shape, const Arrays& arrays) {
    return each_query(
        shape, arrays,
        [&](int, int) {
            return Range{0, shape.keys};
        },
        [&](const One& one) {
            std::vector<float> scores;
            for (int key = 0; key < one.keys; ++key)
                scores.push_back(static_cast<float>(one.score(key, scale_of(shape))));
            return scores;
        });
}

/// Returns the exponentials of the scores divided by the sums of columns instead of rows.
std::vector<float> weights_of_columns(const Shape& shape, const std::vector<float>& scores) {
    std::vector<float> weights(scores.size());
    for (int head = 0; head < shape.batch * shape.heads; ++head)
        for (int key = 0; key < shape.keys; ++key) {
            const auto at = [&](int query) {
                return product(head * shape.queries + query, shape.keys) + static_cast<std::size_t>(key);
            };
            double sum = 0;
            for (int query = 0; query < shape.queries; ++query) sum += std::exp(double(scores[at(query)]));
            for (int query = 0; query < shape.queries; ++query)
                weights[at(query)] = static_cast<float>(std::exp(double(scores[at(query)])) / sum);
        }
    return weights;
}

/// Returns the softmax of each row, if the scores of a head are stored as keys x queries.
std::vector<float> weights_of_transposed(const Shape& shape, const std::vector<float>& scores) {
    std::vector<float> weights(scores.size());
    const std::size_t columns = static_cast<std::size_t>(shape.keys),
                      rows = static_cast<std::size_t>(shape.queries);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const std::size_t head = i / (rows * columns), query = i / columns % rows, key = i % columns;
        weights[(head * columns + key) * rows + query] = scores[i];
    }
    for (std::size_t first = 0; first < weights.size(); first += columns) {
        double sum = 0;
        for (std::size_t i = first; i < first + columns; ++i) sum += std::exp(double(weights[i]));
        for (std::size_t i = first; i < first + columns; ++i)
            weights[i] = static_cast<float>(std::exp(double(weights[i])) / sum);
    }
    return weights;
}

void explain_weights(kit::Case& test, const Shape& shape, const Arrays& arrays) {
    const auto mistake = [&](const std::vector<float>& gives, const char* sentence, int task) {
        test.mistake<float>(kit::Diagnosis::wrong_value, gives, sentence + kit::task(task));
    };
    const std::vector<float> scores = all_scores(shape, arrays);
    if (shape.size > 1) {
        mistake(all_weights(shape, arrays, 1), "the scores are not divided by the square root of the size",
                2);
        mistake(all_weights(shape, arrays, 1 / double(shape.size)),
                "the scores are divided by the size instead of by its square root", 2);
    }
    mistake(scores, "`weights` still has the scores: the second kernel must replace them by their softmax",
            3);
    if (shape.queries == 1) return;
    mistake(weights_of_transposed(shape, scores),
            "the scores are stored as keys x queries: a row must have the scores of one query", 2);
    mistake(weights_of_columns(shape, scores),
            "the weights of a key add up to 1 instead of those of a query: a row has the scores of one query",
            3);
}

void judge(kit::Case& test, const Shape& shape, bool large = false, bool counted = false) {
    Arrays arrays = random_arrays(test.random(), shape);
    if (large) {  // exact scores of up to several hundred
        arrays.q = kit::integers<float>(test.random(), arrays.q.size(), -12, 12);
        arrays.k = kit::integers<float>(test.random(), arrays.k.size(), -12, 12);
    }
    auto q = test.input("q", arrays.q), k = test.input("k", arrays.k), v = test.input("v", arrays.v);
    const std::vector<float> want = all_outputs(shape, arrays);
    const std::vector<float> want_weights = all_weights(shape, arrays, scale_of(shape));
    auto weights = test.output<float>("weights", want_weights.size());
    auto out = test.output<float>("out", want.size());
    test.call([&] { attention::attention(shape, q.data(), k.data(), v.data(), weights.data(), out.data()); });

    const std::vector<float> got_weights = weights.values();
    const bool wrong_weights = kit::detail::compare(got_weights, want_weights, tolerance()).count > 0;
    if (wrong_weights) explain_weights(test, shape, arrays);
    if (large &&
        std::any_of(got_weights.begin(), got_weights.end(), [](float one) { return std::isnan(one); })) {
        test.fail(kit::Diagnosis::nan,
                  kit::subject("weights") +
                      " has NaN, because exp() of a large score is infinite: subtract the "
                      "maximum of the row first" +
                      kit::task(3));
        return;
    }
    test.expect(weights, want_weights, tolerance(),
                {product(shape.batch, shape.heads, shape.queries), static_cast<std::size_t>(shape.keys)});
    if (wrong_weights) return;
    test.values_are_of({4});
    test.expect(out, want, tolerance(),
                {product(shape.batch, shape.heads, shape.queries), static_cast<std::size_t>(shape.size)});
    if (!want.empty()) test.by_kernels(kit::named_task(4));
    test.stored_at_most((2 * want_weights.size() + want.size()) * sizeof(float), kit::named_task(3));
    if (!counted) return;
    const auto tiles = [](int count) { return static_cast<std::size_t>(kit::ceil_div(count, 32)); };
    const std::size_t factors =
        arrays.q.size() * tiles(shape.keys) + 2 * arrays.k.size() * tiles(shape.queries);
    const std::size_t of_weights = want_weights.size() * (3 + tiles(shape.size));
    test.loaded_at_most((factors + of_weights) * sizeof(float), kit::named_task(1));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "attention", argc, argv);
    for (const int task : {1, 2})
        grader.task(task, kit::About().output("weights").diagnosis(kit::Diagnosis::wrong_value));
    grader.task(1, {kit::Diagnosis::nan});
    grader.task(2, {kit::Diagnosis::out_of_bounds});
    grader.task(2, kit::About().output("weights").diagnosis(kit::Diagnosis::not_written));
    grader.task(2, kit::About().output("weights").diagnosis(kit::Diagnosis::transposed));
    const Shape shapes[] = {{0, 1, 4, 4, 4},    {1, 1, 0, 5, 4},    {1, 1, 3, 0, 8},
                            {1, 1, 1, 1, 1},    {1, 1, 32, 32, 32}, {2, 2, 17, 9, 7},
                            {1, 2, 33, 31, 16}, {2, 1, 5, 70, 40},  {1, 1, 40, 33, 50}};
    for (const Shape& shape : shapes)
        grader.add(name_of(shape), [=](kit::Case& test) { judge(test, shape); });
    grader.add("1 x 1 x 20 x 40 x 16, large scores", [](kit::Case& test) {
        judge(test, {1, 1, 20, 40, 16}, true);
    });
    grader.add("1 x 1 x 64 x 96 x 32, counted", [](kit::Case& test) {
        judge(test, {1, 1, 64, 96, 32}, false, true);
    });
    error_handling::check_failing_calls(grader, argc, argv, {"2 x 2 x 17 x 9 x 7"});
    return grader.run();
}
