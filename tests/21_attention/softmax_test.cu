// Grades 21_attention/softmax: rows of any length, inputs whose exponentials overflow or are 0, and masked inputs.
// sanitizer.case: x
#include "01_error_handling/failing_calls.hpp"
#include "21_attention/softmaxes.hpp"

namespace {

using namespace attention_test;

/// What the lanes have after a reduction: the result in every lane, their own values, or what __shfl_down_sync leaves.
enum class Lanes { all, own, down };

template <class Combine>
void reduce(double* lanes, Lanes how, const Combine& combine) {
    if (how == Lanes::own) return;
    for (int offset = 16; offset > 0; offset /= 2) {
        double before[32];
        std::copy(lanes, lanes + 32, before);
        for (int i = 0; i < 32; ++i) {
            const int other = how == Lanes::all ? i ^ offset : i + offset < 32 ? i + offset : i;
            lanes[i] = combine(before[i], before[other]);
        }
    }
}

/// Returns the weights of a row, if the lanes reduce the maximum and the sum in these ways.
std::vector<float> weights_by_lanes(const float* row, int columns, Lanes maxima, Lanes sums) {
    double maximum[32], sum[32] = {};
    std::fill(maximum, maximum + 32, -double(kInfinity));
    for (int i = 0; i < columns; ++i) maximum[i % 32] = std::max(maximum[i % 32], double(row[i]));
    reduce(maximum, maxima, [](double a, double b) { return std::max(a, b); });
    for (int i = 0; i < columns; ++i) sum[i % 32] += std::exp(row[i] - maximum[i % 32]);
    reduce(sum, sums, [](double a, double b) { return a + b; });
    std::vector<float> weights;
    for (int i = 0; i < columns; ++i)
        weights.push_back(static_cast<float>(std::exp(row[i] - maximum[i % 32]) / sum[i % 32]));
    return weights;
}

void explain_lanes(kit::Case& test, const std::vector<float>& in, const Rows& shape) {
    struct Mistake {
        Lanes maxima, sums;
        const char* sentence;
        int task;
    };
    constexpr Mistake mistakes[] = {
        {Lanes::own, Lanes::all, "each lane subtracts the maximum of its own inputs: combine the lanes", 1},
        {Lanes::down, Lanes::all,
         "after __shfl_down_sync only lane 0 has the maximum: use __shfl_xor_sync, so that every lane has it",
         1},
        {Lanes::all, Lanes::own, "each lane divides by the sum of its own exponentials: combine the lanes",
         2},
        {Lanes::all, Lanes::down,
         "after __shfl_down_sync only lane 0 has the sum: use __shfl_xor_sync, so that every lane has it", 2},
        {Lanes::own, Lanes::own, "each lane has the maximum and the sum of its own inputs: combine the lanes",
         1},
        {Lanes::down, Lanes::down,
         "after __shfl_down_sync only lane 0 has the result: use __shfl_xor_sync, so that every lane has it",
         1}};
    for (const Mistake& mistake : mistakes) {
        const auto weights = [&](const float* row, int columns) {
            return weights_by_lanes(row, columns, mistake.maxima, mistake.sums);
        };
        test.mistake<float>(kit::Diagnosis::wrong_value, each_row(in, shape, weights),
                            mistake.sentence + kit::task(mistake.task));
    }
}

kit::Counts judge(kit::Case& test, const Rows& shape, bool profiled = false) {
    const std::vector<float> values = inputs_of(test.random(), shape);
    const std::vector<float> want = each_row(values, shape, weights_of);
    auto in = test.input("in", values);
    auto out = test.output<float>("out", want.size());
    kit::Counts counts;
    const auto run = [&] { attention::softmax(in.data(), out.data(), shape.rows, shape.columns); };
    profiled ? void(counts = test.counts(run)) : test.call(run);

    if (explain_nan(test, out.values(), shape, {1, 2, 3})) return counts;
    if (shape.inputs == Inputs::small)
        test.mistake<float>(
            kit::Diagnosis::wrong_value, std::vector<float>(want.size(), 0),
            "all weights are 0, although the inputs are finite: the largest input is near -1000, so "
            "the maximum must start below every input" +
                kit::task(1));
    if (shape.inputs != Inputs::masked) explain_lanes(test, values, shape);
    if (shape.inputs == Inputs::ordinary && shape.columns > 0) {
        const auto unscaled = [](const float* row, int columns) {
            std::vector<float> weights;
            const double maximum = *std::max_element(row, row + columns);
            for (int i = 0; i < columns; ++i)
                weights.push_back(static_cast<float>(std::exp(row[i] - maximum)));
            return weights;
        };
        test.mistake<float>(kit::Diagnosis::wrong_value, each_row(values, shape, unscaled),
                            "the weights are not divided by the sum of the row" + kit::task(3));
    }
    test.expect(out, want, tolerance(),
                {static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.columns)});
    if (!want.empty()) test.by_kernels(kit::named_task(3));
    test.stored_at_most(want.size() * sizeof(float), kit::named_task(3));
    return counts;
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("21_attention", "softmax", argc, argv);
    grader.task(1, {kit::Diagnosis::barrier});
    grader.task(2, {kit::Diagnosis::nan});
    grader.task(3, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    const Rows shapes[] = {{0, 5},
                           {5, 0},
                           {1, 1},
                           {1, 31},
                           {3, 32},
                           {5, 33},
                           {64, 3},
                           {7, 100},
                           {3, 1000},
                           {129, 17},
                           {6, 97, Inputs::large},
                           {6, 97, Inputs::small},
                           {6, 97, Inputs::masked},
                           {5, 1, Inputs::masked}};
    for (const Rows& shape : shapes) grader.add(shape.name(), [=](kit::Case& test) { judge(test, shape); });
    grader.add("9 x 256, counted", [](kit::Case& test) {
        const kit::Counts counts = judge(test, {9, 256}, true);
        for (const kit::Way way : {kit::Way::loads, kit::Way::stores}) test.sectors_at_most(4, counts, way);
    });
    error_handling::check_failing_calls(grader, argc, argv, {"5 x 33"});
    return grader.run();
}
