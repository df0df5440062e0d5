// Grades 21_attention/fused_attention: causal masks, ragged lengths, padding with NaN, and the bytes that the kernel loads and stores.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "21_attention/attentions.hpp"

namespace {

using namespace attention_test;

constexpr int kTile = 32;  // keys of a tile in the starter

struct Ragged {
    Shape shape;
    std::vector<int> lengths;
    int window = attention::kNoMask;

    std::string name() const {
        std::string list;
        for (const int length : lengths) list += (list.empty() ? "" : ", ") + std::to_string(length);
        return name_of(shape) + ", lengths " + list +
               (window == attention::kNoMask   ? ""
                : window == attention::kCausal ? ", causal"
                                               : ", window " + std::to_string(window));
    }
    int length(int sequence) const { return lengths[static_cast<std::size_t>(sequence)]; }
    int position(int sequence, int query) const { return length(sequence) - shape.queries + query; }
    Range keys(int sequence, int query) const {
        const int at = position(sequence, query);
        if (at < 0) return {0, 0};
        if (window == attention::kNoMask) return {0, length(sequence)};
        return {std::max(0, at - window + 1), at + 1};
    }
    bool has_padding() const {
        return std::any_of(lengths.begin(), lengths.end(), [&](int one) { return one < shape.keys; });
    }
};

/// How the scores of a query change from key to key.
enum class Scores { random, growing, falling };

/// Returns random arrays. The padding of k and v is NaN.
Arrays arrays_of(kit::Random& random, const Ragged& ragged, Scores scores) {
    const Shape& shape = ragged.shape;
    Arrays arrays = random_arrays(random, shape);
    const std::size_t size = static_cast<std::size_t>(shape.size);
    if (scores != Scores::random)
        for (float& element : arrays.q) element = 1 + std::abs(element) / 4;
    for (std::size_t i = 0; i < arrays.k.size(); ++i) {
        const int key = static_cast<int>(i / size % static_cast<std::size_t>(shape.keys));
        const int head = static_cast<int>(i / size / static_cast<std::size_t>(shape.keys));
        if (scores != Scores::random)
            arrays.k[i] = 0.1f * (scores == Scores::growing ? float(key) : float(shape.keys - key));
        if (key >= ragged.lengths[static_cast<std::size_t>(head / shape.heads)])
            arrays.k[i] = arrays.v[i] = NAN;
    }
    return arrays;
}

/// What is multiplied by the factor when the maximum grows.
struct Rescaled {
    bool sum, output;
    bool maximum_of_tile = false;  ///< whether the weights of a tile are relative to its own maximum
};

/// Returns the output of a query whose keys are processed in tiles.
std::vector<float> by_tiles(const One& one, double scale, Rescaled rescaled) {
    double maximum = -INFINITY, total = 0;
    std::vector<double> all(static_cast<std::size_t>(one.size), 0);
    for (int first = 0; first < one.keys; first += kTile) {
        double larger = rescaled.maximum_of_tile ? -INFINITY : maximum;
        const int end = std::min(first + kTile, one.keys);
        for (int key = first; key < end; ++key) larger = std::max(larger, one.score(key, scale));
        const double rescale = std::exp(maximum - larger);
        if (rescaled.sum) total *= rescale;
        for (double& element : all) element *= rescaled.output ? rescale : 1;
        for (int key = first; key < end; ++key) {
            const double weight = std::exp(one.score(key, scale) - larger);
            total += weight;
            for (std::size_t d = 0; d < all.size(); ++d) all[d] += weight * one.v[product(key, one.size) + d];
        }
        maximum = larger;
    }
    for (double& element : all) element = total > 0 ? element / total : 0;
    return std::vector<float>(all.begin(), all.end());
}

/// Returns the output of a query, if keys that are 0 fill its last tile and take part in the softmax.
std::vector<float> with_zeros(const One& one, double scale) {
    const int more = (kTile - one.keys % kTile) % kTile;
    double maximum = more > 0 ? 0 : -INFINITY, sum = 0;
    for (int key = 0; key < one.keys; ++key) maximum = std::max(maximum, one.score(key, scale));
    std::vector<double> weights;
    for (int key = 0; key < one.keys; ++key) {
        weights.push_back(std::exp(one.score(key, scale) - maximum));
        sum += weights.back();
    }
    sum += more * std::exp(-maximum);
    for (double& weight : weights) weight /= sum;
    return output_of(one, weights);
}

void explain_outputs(kit::Case& test, const Ragged& ragged, const Arrays& arrays) {
    const Shape& shape = ragged.shape;
    const double scale = scale_of(shape);
    const auto mistake = [&](const std::vector<float>& gives, const char* sentence, int task) {
        test.mistake<float>(kit::Diagnosis::wrong_value, gives, sentence + kit::task(task));
    };
    const auto keys = [&](int sequence, int query) { return ragged.keys(sequence, query); };
    const auto with_keys = [&](const auto& keys_of) {
        return each_query(shape, arrays, keys_of,
                          [&](const One& one) { return output_of(one, weights_of(one, scale)); });
    };
    const auto with_output = [&](const auto& output) { return each_query(shape, arrays, keys, output); };
    /// The keys of a query, if the code has the range of `right` only for some queries.
    const auto with_range = [&](const auto& range) {
        return with_keys([&](int b, int i) {
            const Range right = ragged.keys(b, i);
            return ragged.position(b, i) < 0 ? right : range(right, ragged.length(b), i);
        });
    };

    if (ragged.window != attention::kNoMask) {
        mistake(with_range([](Range right, int, int) {
                    return Range{right.first, right.end - 1};
                }),
                "a query does not use the key at its own position: the mask is off by one", 1);
        mistake(with_range([](Range right, int length, int) {
                    return Range{right.first, std::min(length, right.end + 1)};
                }),
                "a query uses the key after its own position: the mask is off by one", 1);
        mistake(with_range([](Range right, int length, int i) {
                    return Range{right.first, std::min(i + 1, length)};
                }),
                "query i uses keys up to i, but it belongs to the token at position length - queries + i", 1);
        mistake(with_range([](Range, int length, int) {
                    return Range{0, length};
                }),
                "every query uses all keys of its sequence, in spite of the mask", 1);
        mistake(with_range([](Range right, int, int) {
                    return Range{0, right.end};
                }),
                "a query uses all keys up to its own position, although its window is shorter", 1);
        mistake(with_range([](Range right, int, int) {
                    return Range{std::max(0, right.first - 1), right.end};
                }),
                "a query uses one key more than its window has: the first key is p - window + 1", 1);
    } else {
        mistake(with_keys([&](int b, int) {
                    return Range{0, ragged.length(b)};
                }),
                "a query before the beginning of its sequence is padding, and uses no key", 1);
    }
    const auto tiles = [&](Rescaled rescaled) {
        return with_output([&](const One& one) { return by_tiles(one, scale, rescaled); });
    };
    mistake(tiles({false, true}),
            "when the maximum grows, the old sum belongs to the old maximum: multiply it by expf(old maximum "
            "- new "
            "maximum)",
            3);
    mistake(tiles({true, false}),
            "when the maximum grows, the old output belongs to the old maximum: multiply it by expf(old "
            "maximum - "
            "new maximum)",
            3);
    mistake(
        tiles({false, false}),
        "when the maximum grows, the old sum and the old output belong to the old maximum: multiply both by "
        "expf(old maximum - new maximum)",
        3);
    mistake(
        tiles({false, false, true}),
        "the weights of each tile are relative to the maximum of this tile: all weights of a query must be "
        "relative to the same maximum",
        3);
    mistake(
        with_output([&](const One& one) { return with_zeros(one, scale); }),
        "the zeros that fill the last tile take part in the softmax: a key that the query does not use needs "
        "the score -inf",
        5);
    mistake(with_output([&](const One& one) { return output_of(one, weights_of(one, 1)); }),
            "the scores are not divided by the square root of the size", 5);
    mistake(with_output([&](const One& one) {
                One without = one;
                without.keys = one.keys / kTile * kTile;
                return output_of(without, weights_of(without, scale));
            }),
            "the last tile is missing if the keys do not fill it: round the number of tiles up", 5);
}

/// Explains NaN, and outputs of 0 that follow from NaN. Returns whether there are any.
bool explain_nan(kit::Case& test, const Ragged& ragged, const std::vector<float>& got) {
    const Shape& shape = ragged.shape;
    const std::size_t size = static_cast<std::size_t>(shape.size);
    bool nan_of_used = false, nan_of_padded = false, zero = false, not_zero = false;
    for (std::size_t i = 0; i < got.size(); i += size) {
        const int query = static_cast<int>(i / size), sequence = query / shape.queries / shape.heads;
        const Range keys = ragged.keys(sequence, query % shape.queries);
        const bool is_used = keys.end > keys.first;
        const auto begin = got.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = begin + shape.size;
        if (std::any_of(begin, end,
                        [](float one) { return std::isnan(one) && !kit::detail::is_poison(one); }))
            (is_used ? nan_of_used : nan_of_padded) = true;
        else if (is_used)
            (std::all_of(begin, end, [](float one) { return one == 0; }) ? zero : not_zero) = true;
    }
    const auto fail = [&](const kit::Said& why) {
        test.fail(kit::Diagnosis::nan, kit::subject("out") + why);
    };
    const std::string masked =
        " for a query that uses keys. In a tile of which it uses no key, all scores are -inf, and so is the "
        "maximum if there was no key before: -inf minus -inf is NaN";
    // Only a window can hide all keys of the first tile from a query that uses keys.
    const bool has_window = ragged.window != attention::kNoMask && ragged.window != attention::kCausal;
    if (nan_of_used && (ragged.has_padding() || !has_window))
        fail(
            " has NaN for a query that uses keys, perhaps from keys and values past the length of the "
            "sequence: they "
            "can be NaN, and a weight of 0 times NaN is NaN. Store 0 for them" +
            kit::task(2));
    else if (nan_of_used)
        fail(" has NaN" + masked + kit::task(3));
    else if (nan_of_padded)
        fail(
            " has NaN for a query that uses no key. If all scores are -inf, -inf minus -inf is NaN, and at "
            "the "
            "end 0 / 0 is NaN" +
            kit::task(3, 6));
    else if (zero && not_zero)
        fail(" is 0" + masked + ", and a comparison of NaN with 0 is false" + kit::task(3));
    else
        return false;
    return true;
}

void judge(kit::Case& test, const Ragged& ragged, Scores scores = Scores::random, bool counted = false) {
    const Shape& shape = ragged.shape;
    const Arrays arrays = arrays_of(test.random(), ragged, scores);
    const std::vector<float> want = each_query(
        shape, arrays, [&](int b, int i) { return ragged.keys(b, i); },
        [&](const One& one) { return output_of(one, weights_of(one, scale_of(shape))); });
    auto q = test.input("q", arrays.q), k = test.input("k", arrays.k), v = test.input("v", arrays.v);
    auto lengths = test.input("lengths", ragged.lengths);
    auto out = test.output<float>("out", want.size());
    test.call([&] {
        attention::fused_attention(shape, lengths.data(), ragged.window, q.data(), k.data(), v.data(),
                                   out.data());
    });

    const std::vector<float> got = out.values();
    if (kit::detail::compare(got, want, tolerance()).count > 0) explain_outputs(test, ragged, arrays);
    if (explain_nan(test, ragged, got)) return;
    test.expect(out, want, tolerance(),
                {product(shape.batch, shape.heads, shape.queries), static_cast<std::size_t>(shape.size)});
    if (!want.empty()) test.by_kernels(kit::named_task(6));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(6));
    if (!counted) return;
    const auto blocks = static_cast<std::size_t>(kit::ceil_div(shape.queries, 8));
    std::size_t elements = 2 * arrays.k.size() * blocks;
    if (ragged.window != attention::kNoMask)
        elements = elements / 4 * (ragged.window == attention::kCausal ? 3 : 2);
    const std::size_t lengths_read =
        product(shape.batch, shape.heads, shape.queries, 32);  // by each thread of a block
    test.loaded_at_most((elements + arrays.q.size() + lengths_read) * sizeof(float), kit::named_task(5));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "fused_attention", argc, argv);
    grader.task(5, kit::About().fix(kit::facts::Fix::barrier));
    grader.task(5, {kit::Diagnosis::race, kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::nan, kit::Diagnosis::out_of_bounds});
    grader.task(6, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    constexpr int causal = attention::kCausal;
    const Ragged cases[] = {{{1, 1, 1, 1, 16}, {1}},
                            {{1, 1, 8, 32, 32}, {32}},
                            {{1, 2, 9, 70, 16}, {70}},
                            {{1, 1, 8, 33, 128}, {33}},
                            {{1, 1, 11, 40, 5}, {40}},
                            {{1, 1, 0, 4, 8}, {4}},
                            {{2, 1, 4, 0, 8}, {0, 0}},
                            {{3, 2, 10, 50, 16}, {50, 33, 0}},
                            {{1, 1, 40, 40, 16}, {40}, causal},
                            {{2, 1, 12, 70, 32}, {70, 45}, causal},
                            {{2, 2, 1, 40, 16}, {40, 7}, causal},
                            {{2, 1, 16, 40, 16}, {3, 35}},
                            {{2, 1, 16, 40, 16}, {3, 13}, causal},
                            {{1, 1, 45, 45, 16}, {45}, 1},
                            {{1, 1, 30, 70, 16}, {70}, 20},
                            {{2, 1, 10, 70, 8}, {64, 12}, 33}};
    for (const Ragged& ragged : cases)
        grader.add(ragged.name(), [=](kit::Case& test) { judge(test, ragged); });
    const Ragged longer = {{1, 1, 8, 100, 16}, {100}};
    grader.add("scores grow with the position",
               [=](kit::Case& test) { judge(test, longer, Scores::growing); });
    grader.add("scores fall with the position",
               [=](kit::Case& test) { judge(test, longer, Scores::falling); });
    grader.add("counted: 1 x 1 x 32 x 128 x 16", [](kit::Case& test) {
        judge(test, {{1, 1, 32, 128, 16}, {128}}, Scores::random, true);
    });
    grader.add("counted: 1 x 1 x 128 x 128 x 16, causal", [](kit::Case& test) {
        judge(test, {{1, 1, 128, 128, 16}, {128}, true}, Scores::random, true);
    });
    error_handling::check_failing_calls(grader, argc, argv, {"1 x 1 x 11 x 40 x 5, lengths 40"});
    return grader.run();
}
