// Grades 03_memory_access/coalesce: the values, and the number of sectors of the launch.
// sanitizer.case: rows=
#include "01_error_handling/failing_calls.hpp"
#include "03_memory_access/model.hpp"
#include "last_blocks.hpp"

namespace {

struct Matrix {
    std::size_t rows, columns;
};

std::string name(const Matrix& m) {
    return "rows=" + std::to_string(m.rows) + " columns=" + std::to_string(m.columns);
}

constexpr std::size_t kMostBlocks = 65535 * 8;  // rows of the largest grid: 65,535 blocks of 8 rows

/// Reports a missing loop, or one that leaves out rows: the first rows are right and later ones are missing, and there are more rows than
/// any grid can cover.
void look_for_loop(kit::Case& test, const Matrix& m, const std::vector<float>& got,
                   const std::vector<float>& want) {
    std::size_t end = 0;
    while (end < got.size() && got[end] == want[end]) ++end;
    if (m.rows <= kMostBlocks || end == 0 || end == got.size()) return;
    bool loops = false;
    for (std::size_t i = end; i < got.size(); ++i) {
        if (!kit::detail::is_poison(got[i]) && got[i] != want[i]) return;
        loops = loops || got[i] == want[i];
    }
    if (loops)
        return test.check(end / m.columns < kMostBlocks,
                          "row " + std::to_string(end / m.columns) +
                              " is never written, but later rows are: let the loop over the rows advance by "
                              "gridDim.y * kHigh" +
                              kit::task(1),
                          kit::Diagnosis::not_written);
    test.check(false,
               "the rows from " + std::to_string(end / m.columns) +
                   " on are never written: a grid has at most 65,535 blocks in y, so let the kernel loop "
                   "over the rows" +
                   kit::task(1),
               kit::Diagnosis::tail);
}

kit::EarlierCases earlier;

/// Judges the values. With `counted`, also judges the sectors, after the values have been found correct.
void judge(kit::Case& test, const Matrix& m, bool counted = false) {
    earlier.begin();
    const auto values = kit::integers<float>(test.random(), m.rows * m.columns, -1000, 1000);
    const auto factors = kit::integers<float>(test.random(), m.rows, 2, 99);
    std::vector<float> want(values.size());
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = factors[i / m.columns] * values[i];
    auto in = test.input("in", values);
    auto factor = test.input("factor", factors);
    auto out = test.output<float>("out", values.size());
    const auto run = [&] {
        memory_access::scale_rows(in.data(), factor.data(), m.rows, m.columns, out.data());
    };
    kit::Counts counts;
    counted ? void(counts = test.counts(run)) : test.call(run);
    if (out.values() == want) earlier.right();
    look_for_loop(test, m, out.values(), want);
    test.expect(out, want, kit::exact());
    if (!values.empty()) test.by_kernels(kit::named_task(1));
    test.stored_at_most(values.size() * sizeof(float), kit::named_task(1));
    if (!counted) return;
    test.sectors_at_most(4.5, counts, kit::Way::loads);
    test.sectors_at_most(4.5, counts, kit::Way::stores);
}

#ifdef KIT_CPU
/// Returns whether the last blocks have the elements of the last `rows` rows.
bool last_blocks_have_last_rows(kit::Case& test, std::size_t rows) {
    constexpr Matrix m = {64, 320};
    auto in = test.input("in", std::vector<float>(m.rows * m.columns, 1.0f));
    auto factor = test.input("factor", std::vector<float>(m.rows, 1.0f));
    auto out = test.output<float>("out", m.rows * m.columns);
    test.call([&] {
        const kit::LastBlocks last(1);
        memory_access::scale_rows(in.data(), factor.data(), m.rows, m.columns, out.data());
    });
    return kit::wrote_only_the_end(out.values(), (m.rows - rows) * m.columns);
}

/// A matrix of more than 2^32 values, of which only the last rows exist.
void judge_end(kit::Case& test) {
    constexpr std::size_t rows = 16;
    constexpr Matrix m = {kMostBlocks, 8256};  // a kernel without a loop over the rows can still cover them
    if (!earlier.all_right()) return test.check(true, "");
    if (!last_blocks_have_last_rows(test, rows)) return test.not_tried(32, "elements");
    constexpr std::size_t before = (m.rows - rows) * m.columns;
    const auto values = kit::integers<float>(test.random(), rows * m.columns, -1000, 1000);
    const auto factors = kit::integers<float>(test.random(), rows, 2, 99);
    std::vector<float> want(values.size());
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = factors[i / m.columns] * values[i];
    auto in = test.input("in", values);
    auto factor = test.input("factor", factors);
    auto out = test.output<float>("out", values.size());
    const kit::Said why = kit::explain_narrow_index(test, kit::task(1));
    const bool left_out = test.call([&] {
        const kit::LastBlocks last(m.rows * m.columns);
        memory_access::scale_rows(in.data() - before, factor.data() - (m.rows - rows), m.rows, m.columns,
                                  out.data() - before);
        return last.left_out();
    });
    if (left_out) return test.not_tried(32, "elements");
    kit::expect_end(test, out.values(), want, why);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("03_memory_access", "coalesce", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(
        2, kit::About().diagnosis(kit::Diagnosis::sectors).kernel("row_per_thread_v2"));  // launched still
    grader.task(1, {kit::Diagnosis::sectors});
    grader.task(2, {kit::Diagnosis::not_written, kit::Diagnosis::tail});
    const Matrix matrices[] = {{0, 5},  {5, 0},    {1, 1},    {1, 33},   {33, 1},   {31, 32}, {8, 32},
                               {9, 33}, {40, 100}, {3, 1025}, {256, 96}, {64, 257}, {257, 64}};
    for (const Matrix& m : matrices) grader.add(name(m), [m](kit::Case& test) { judge(test, m); });
    grader.add("more rows than 65,535 blocks have",
               [](kit::Case& test) {
                   test.skip_if_work_is_repeated();
                   judge(test, {kMostBlocks + 77, 1});
               },
               {60, true});
    for (const Matrix& m : {Matrix{128, 256}, Matrix{512, 32}, Matrix{33, 1024}})
        grader.add("sectors, " + name(m), [m](kit::Case& test) {
            test.skip_if_work_is_repeated();
            judge(test, m, true);
        });
#ifdef KIT_CPU
    grader.afterwards("sectors, rows=33 columns=1024", judge_end);
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"rows=9 columns=33"});
    return grader.run();
}
