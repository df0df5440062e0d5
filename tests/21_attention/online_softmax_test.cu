// Grades 21_attention/online_softmax: the merge of two states, states of rows in one pass, and the weights.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "21_attention/softmaxes.hpp"

namespace {

using attention::SoftmaxState;
using namespace attention_test;

SoftmaxState merged(SoftmaxState a, SoftmaxState b) {
    const float maximum = std::max(a.maximum, b.maximum);
    if (maximum == -kInfinity) return {-kInfinity, 0};
    return {maximum, static_cast<float>(a.sum * std::exp(double(a.maximum) - maximum) +
                                        b.sum * std::exp(double(b.maximum) - maximum))};
}

/// Returns states of several inputs each. Some maxima are far apart, and some are equal. If `empty`, about one state in eight has no inputs.
std::vector<SoftmaxState> random_states(kit::Random& random, int count, bool empty) {
    std::vector<SoftmaxState> states;
    for (int i = 0; i < count; ++i) {
        const auto integer = static_cast<float>(random.integer(-3, 3));
        const float maximum = random.next() % 4 == 0 ? 300.0f * integer : integer;
        const auto sum = static_cast<float>(1 + 9 * random.unit());
        states.push_back(empty && random.next() % 8 == 0 ? SoftmaxState{-kInfinity, 0}
                                                         : SoftmaxState{maximum, sum});
    }
    return states;
}

std::vector<float> maxima_of(const std::vector<SoftmaxState>& states) {
    std::vector<float> maxima;
    for (const SoftmaxState& state : states) maxima.push_back(state.maximum);
    return maxima;
}

std::vector<float> sums_of(const std::vector<SoftmaxState>& states) {
    std::vector<float> sums;
    for (const SoftmaxState& state : states) sums.push_back(state.sum);
    return sums;
}

using Merge = SoftmaxState(SoftmaxState, SoftmaxState);

std::vector<SoftmaxState> each_pair(const std::vector<SoftmaxState>& a, const std::vector<SoftmaxState>& b,
                                    Merge* merge) {
    std::vector<SoftmaxState> all;
    for (std::size_t i = 0; i < a.size(); ++i) all.push_back(merge(a[i], b[i]));
    return all;
}

/// Mistakes of a merge, for verdicts that explain them.
SoftmaxState not_rescaled(SoftmaxState a, SoftmaxState b) {
    return {std::max(a.maximum, b.maximum), a.sum + b.sum};
}
SoftmaxState first_is_kept(SoftmaxState a, SoftmaxState b) {
    const float maximum = std::max(a.maximum, b.maximum);
    return {maximum, maximum == -kInfinity
                         ? 0
                         : static_cast<float>(a.sum + b.sum * std::exp(double(b.maximum) - maximum))};
}
SoftmaxState second_is_kept(SoftmaxState a, SoftmaxState b) {
    return first_is_kept(b, a);
}
SoftmaxState larger(SoftmaxState a, SoftmaxState b) {
    return a.maximum > b.maximum ? a : b;
}
SoftmaxState wrong_way(SoftmaxState a, SoftmaxState b) {
    const float maximum = std::max(a.maximum, b.maximum);
    return {maximum, static_cast<float>(a.sum * std::exp(double(maximum) - a.maximum) +
                                        b.sum * std::exp(double(maximum) - b.maximum))};
}

bool is_nan(const SoftmaxState& state) {
    return std::isnan(state.maximum) || std::isnan(state.sum);
}

/// Returns what merge_states() gives.
std::vector<SoftmaxState> merge_on_device(kit::Case& test, const std::vector<SoftmaxState>& as,
                                          const std::vector<SoftmaxState>& bs) {
    auto a = test.input("a", as), b = test.input("b", bs);
    auto out = test.output<SoftmaxState>("merged", as.size());
    test.call([&] { attention::merge_states(a.data(), b.data(), out.data(), static_cast<int>(as.size())); });
    return out.values();
}

void merge_pairs(kit::Case& test) {
    test.values_are_of({1});
    const auto a = random_states(test.random(), 200, false), b = random_states(test.random(), 200, false);
    const std::vector<SoftmaxState> got = merge_on_device(test, a, b), want = each_pair(a, b, merged);
    struct Mistake {
        Merge* merge;
        const char* sentence;
    };
    for (const Mistake& mistake :
         {Mistake{not_rescaled,
                  "the sums are added as they are, but each of them belongs to its own maximum: "
                  "multiply it by expf(its maximum - the new maximum)"},
          Mistake{first_is_kept, "the sum of `a` stays as it is, although the maximum of `b` can be larger"},
          Mistake{second_is_kept, "the sum of `b` stays as it is, although the maximum of `a` can be larger"},
          Mistake{larger,
                  "the result is the state with the larger maximum: the sum of the other state is missing"},
          Mistake{wrong_way,
                  "the sums are multiplied by expf(the new maximum - their maximum), which is the "
                  "inverse of the right factor"}})
        test.mistake<float>(kit::Diagnosis::wrong_value, sums_of(each_pair(a, b, mistake.merge)),
                            mistake.sentence + kit::task(1));
    test.expect("merged.sum", sums_of(got), sums_of(want), tolerance());
    test.expect("merged.maximum", maxima_of(got), maxima_of(want));
    test.by_kernels(kit::named_task(1));
}

/// Returns whether all states are right within the tolerance.
bool are_right(const std::vector<SoftmaxState>& got, const std::vector<SoftmaxState>& want) {
    for (std::size_t i = 0; i < want.size(); ++i)
        if (got[i].maximum != want[i].maximum || !kit::detail::accept(got[i].sum, want[i].sum, tolerance()))
            return false;
    return true;
}

/// Merges with the state without inputs on either side, which must change nothing.
void merge_with_nothing(kit::Case& test) {
    test.values_are_of({1});
    const std::vector<SoftmaxState> states = {{-kInfinity, 0}, {0, 1}, {-1000, 3}, {1000, 2.5f}, {-2, 17}};
    const std::vector<SoftmaxState> nothing(states.size(), {-kInfinity, 0});
    for (const bool left : {true, false}) {
        const auto got =
            left ? merge_on_device(test, nothing, states) : merge_on_device(test, states, nothing);
        if (std::any_of(got.begin(), got.end(), is_nan)) {
            test.fail(kit::Diagnosis::nan,
                      "a merge with the state without inputs gives NaN: its maximum is -inf, and -inf - -inf "
                      "is NaN" +
                          kit::task(1));
            return;
        }
        test.expect("merged.sum", sums_of(got), sums_of(states));
        test.expect("merged.maximum", maxima_of(got), maxima_of(states));
    }
}

/// Merges three states in both orders. The results may differ by rounding only.
void merge_is_associative(kit::Case& test) {
    test.values_are_of({1});
    const auto a = random_states(test.random(), 150, true), b = random_states(test.random(), 150, true),
               c = random_states(test.random(), 150, true);
    const auto left = merge_on_device(test, merge_on_device(test, a, b), c);
    const auto right = merge_on_device(test, a, merge_on_device(test, b, c));
    test.check(true, "");
    // The case with a state without inputs reports NaN.
    if (std::any_of(right.begin(), right.end(), is_nan)) return;
    test.expect("the sum of (a b) c, compared with a (b c)", sums_of(left), sums_of(right), tolerance());
    test.expect("the maximum of (a b) c", maxima_of(left),
                maxima_of(each_pair(each_pair(a, b, merged), c, merged)));
}

/// Returns whether some merges are right. If not, a case of the merge reports it, and states of rows prove nothing.
bool merge_works(kit::Case& test) {
    const std::vector<SoftmaxState> a = {{1, 2}, {3, 1}, {-kInfinity, 0}, {-kInfinity, 0}, {2, 1.5f}};
    const std::vector<SoftmaxState> b = {{3, 1}, {1, 2}, {-2, 5}, {-kInfinity, 0}, {-kInfinity, 0}};
    const std::vector<SoftmaxState> got = merge_on_device(test, a, b), want = each_pair(a, b, merged);
    test.check(true, "");
    return are_right(got, want);
}

SoftmaxState state_of(const float* row, int columns) {
    double maximum = -kInfinity, sum = 0;
    for (int i = 0; i < columns; ++i) maximum = std::max(maximum, double(row[i]));
    for (int i = 0; i < columns && maximum > -kInfinity; ++i) sum += std::exp(row[i] - maximum);
    return {static_cast<float>(maximum), static_cast<float>(sum)};
}

/// Returns the state of a row, if thread t of 128 adds exponentials to its sum without rescaling it when its maximum grows.
SoftmaxState sums_not_rescaled(const float* row, int columns) {
    SoftmaxState state = {-kInfinity, 0};
    for (int t = 0; t < 128; ++t) {
        double maximum = -kInfinity, sum = 0;
        for (int i = t; i < columns; i += 128) {
            maximum = std::max(maximum, double(row[i]));
            sum += std::exp(row[i] - maximum);
        }
        state = merged(state, {static_cast<float>(maximum), static_cast<float>(sum)});
    }
    return state;
}

std::vector<SoftmaxState> states_of(const std::vector<float>& values, const Rows& shape,
                                    SoftmaxState (*state)(const float*, int)) {
    std::vector<SoftmaxState> all;
    for (int row = 0; row < shape.rows; ++row)
        all.push_back(state(values.data() + elements(row, shape.columns), shape.columns));
    return all;
}

/// Returns what softmax_states() gives for rows of these values.
std::vector<SoftmaxState> call_states(kit::Case& test, const std::vector<float>& values, const Rows& shape) {
    auto in = test.input("in", values);
    auto out = test.output<SoftmaxState>("states", static_cast<std::size_t>(shape.rows));
    test.call([&] { attention::softmax_states(in.data(), out.data(), shape.rows, shape.columns); });
    return out.values();
}

void states(kit::Case& test, const Rows& shape) {
    if (!merge_works(test)) return;
    const std::vector<float> values = inputs_of(test.random(), shape);
    const std::vector<SoftmaxState> got = call_states(test, values, shape);
    const std::vector<SoftmaxState> want = states_of(values, shape, state_of);
    // With at most one input per thread, a wrong state comes from the merge of the threads.
    const bool one_each = shape.inputs == Inputs::ordinary && shape.columns > 0 && shape.columns <= 128;
    test.values_are_of({one_each ? 3 : 2});
    if (shape.inputs == Inputs::masked && std::any_of(got.begin(), got.end(), is_nan)) {
        test.fail(kit::Diagnosis::nan, kit::subject("states.sum") +
                                           " has NaN in a row with inputs of -inf: -inf minus -inf is NaN" +
                                           kit::task(2));
        return;
    }
    if (shape.columns > 128)
        test.mistake<float>(
            kit::Diagnosis::wrong_value, sums_of(states_of(values, shape, sums_not_rescaled)),
            "when the maximum of a thread grows, its old sum belongs to the old maximum: multiply it "
            "by expf(old maximum - new maximum)" +
                kit::task(2));
    test.expect("states.sum", sums_of(got), sums_of(want), tolerance());
    test.mistake<float>(
        kit::Diagnosis::wrong_value, std::vector<float>(want.size(), 0),
        "the maximum of a row without finite inputs is 0 instead of -inf: a thread without inputs keeps "
        "the state {-inf, 0}" +
            kit::task(2));
    test.expect("states.maximum", maxima_of(got), maxima_of(want));
    if (shape.rows > 0) test.by_kernels(kit::named_task(2));
    test.loaded_at_most(values.size() * sizeof(float), kit::named_task(2));
    test.stored_at_most(want.size() * sizeof(SoftmaxState), kit::named_task(3));
}

/// Returns the weights of a row, if only the first of four warps has the state of the whole row.
std::vector<float> weights_by_warps(const float* row, int columns) {
    std::vector<float> all = weights_of(row, columns);
    for (int warp = 1; warp < 4; ++warp) {
        std::vector<float> inputs;
        for (int i = 0; i < columns; ++i)
            if (i / 32 % 4 == warp) inputs.push_back(row[i]);
        const std::vector<float> weights = weights_of(inputs.data(), static_cast<int>(inputs.size()));
        for (std::size_t i = 0, of_warp = 0; i < all.size(); ++i)
            if (i / 32 % 4 == static_cast<std::size_t>(warp)) all[i] = weights[of_warp++];
    }
    return all;
}

void weights(kit::Case& test, const Rows& shape) {
    const std::vector<float> values = inputs_of(test.random(), shape);
    // A case of the states reports wrong states.
    if (!merge_works(test) ||
        !are_right(call_states(test, values, shape), states_of(values, shape, state_of)))
        return;
    const std::vector<float> want = each_row(values, shape, weights_of);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", want.size());
    test.call([&] { attention::online_softmax(in.data(), out.data(), shape.rows, shape.columns); });
    test.values_are_of({4});
    if (explain_nan(test, out.values(), shape, {4, 4, 4})) return;
    if (shape.inputs == Inputs::ordinary && shape.columns > 32)
        test.mistake<float>(
            kit::Diagnosis::wrong_value, each_row(values, shape, weights_by_warps),
            "only the first warp has the state of the row: every thread must merge the states of "
            "all warps" +
                kit::task(3));
    test.expect(out, want, tolerance(),
                {static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.columns)});
    if (!want.empty()) test.by_kernels(kit::named_task(4));
    test.loaded_at_most(2 * want.size() * sizeof(float), kit::named_task(4));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "online_softmax", argc, argv);
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::barrier, kit::Diagnosis::uninitialised});
    grader.task(4, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    grader.add("merge: 200 pairs", merge_pairs);
    grader.add("merge: with a state without inputs", merge_with_nothing);
    grader.add("merge: three states, in both orders", merge_is_associative);
    const Rows shapes[] = {{0, 5},
                           {3, 0},
                           {1, 1},
                           {3, 31},
                           {5, 64},
                           {4, 100},
                           {2, 300},
                           {3, 1000},
                           {6, 97, Inputs::large},
                           {6, 97, Inputs::small},
                           {6, 97, Inputs::masked},
                           {4, 200, Inputs::masked}};
    for (const Rows& shape : shapes)
        grader.add("states: " + shape.name(), [=](kit::Case& test) { states(test, shape); });
    for (const Rows& shape : shapes)
        grader.add("weights: " + shape.name(), [=](kit::Case& test) { weights(test, shape); });
    error_handling::check_failing_calls(grader, argc, argv, {"weights: 3 x 31", "states: 3 x 31"});
    return grader.run();
}
