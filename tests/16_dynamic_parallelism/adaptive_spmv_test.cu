// Grades 16_dynamic_parallelism/adaptive_spmv: rows of all lengths, one child per dense row, refused launches.
// sanitizer.all: compute-sanitizer does not follow kernels that kernels launch
#include <algorithm>
#include <string>
#include <vector>

#include "16_dynamic_parallelism/launches.hpp"
#include "remembered.hpp"

namespace {

using namespace nested_test;

struct Matrix {
    std::vector<int> row_start{0}, column;
    std::vector<float> value;
    int columns = 1;

    int rows() const { return static_cast<int>(row_start.size()) - 1; }
};

/// The values are small integers, so sums are exact in any order.
Matrix with_rows(kit::Random& random, const std::vector<int>& lengths, int columns) {
    Matrix m;
    m.columns = columns;
    for (const int length : lengths) {
        for (int k = 0; k < length; ++k) {
            m.column.push_back(static_cast<int>(random.integer(0, columns - 1)));
            m.value.push_back(static_cast<float>(random.integer(1, 9) * (random.next() % 2 ? 1 : -1)));
        }
        m.row_start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

std::vector<float> product(const Matrix& m, const std::vector<float>& x) {
    std::vector<float> y(static_cast<std::size_t>(m.rows()));
    for (int r = 0; r < m.rows(); ++r) {
        double sum = 0;
        for (int k = m.row_start[r]; k < m.row_start[r + 1]; ++k) sum += double(m.value[k]) * x[m.column[k]];
        y[r] = static_cast<float>(sum);
    }
    return y;
}

/// One of the four ways to multiply.
using Multiply = void (*)(nested::Csr, const float*, float*);

void two_kernels(nested::Csr a, const float* x, float* y) {
    kit::DeviceBuffer<int> list(static_cast<std::size_t>(a.rows) + 1);
    nested::spmv_two_kernels(a, x, y, list.data());
    CUDA_CHECK(cudaDeviceSynchronize());
}

/// Whether a dense row is also wrong in the given kernels.
enum class ByShareRow { unknown, right, wrong };
const kit::Remembered<ByShareRow> by_share_row;

Launches judge(kit::Case& test, const Matrix& m, const std::vector<float>& x_values, Multiply multiply,
               const kit::Tolerance& tolerance) {
    auto row_start = test.input("row_start", m.row_start);
    auto column = test.input("column", m.column);
    auto value = test.input("value", m.value);
    auto x = test.input("x", x_values);
    auto y = test.output<float>("y", static_cast<std::size_t>(m.rows()));
    const nested::Csr a = {m.rows(), row_start.data(), column.data(), value.data()};
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::uninitialised, [](const kit::facts::Finding& found) -> kit::Said {
        const bool of_child = found.memory.name == "sums" &&
                              (found.kernel + found.who.name).find("dense_row") != std::string::npos;
        return of_child
                   ? "share_row() needs kBlock threads: launch the child with kBlock threads" + kit::task(2)
                   : "";
    });
#endif
    if (multiply == two_kernels) *by_share_row = ByShareRow::wrong;  // until this case has passed
    const Launches launches = counted_call(test, [&] { multiply(a, x.data(), y.data()); });
    const std::vector<float> want = product(m, x_values);
    if (multiply == two_kernels && y.values() == want) *by_share_row = ByShareRow::right;
    if (launches_are_counted && multiply == nested::adaptive_spmv) {
        const std::uint64_t of_rows = launches.blocks - std::min(launches.blocks, launches.by_kernels),
                            needed = static_cast<std::uint64_t>(kit::ceil_div(m.rows(), nested::kBlock));
        test.demand("blocks", kit::at_least(of_rows, needed),
                    kit::count_of(of_rows, "block") + " for " + kit::count_of(m.rows(), "row") + ", but " +
                        std::to_string(needed) + " are needed: use one thread for each row" + kit::task(3));
    }
    if (multiply == nested::adaptive_spmv && *by_share_row != ByShareRow::unknown && y.values() != want &&
        tolerance.abs == 0)
        test.mistake(
            kit::Diagnosis::wrong_value, y.values(),
            *by_share_row == ByShareRow::wrong
                ? "the list of dense rows, which uses share_row(), too, also has wrong sums: fix "
                  "share_row()" +
                      kit::task(1)
                : "share_row() is correct, as the list of dense rows shows: check the launch of the child" +
                      kit::task(2));
    test.expect(y, want, tolerance);
    return launches;
}

Launches judge(kit::Case& test, const Matrix& m, Multiply multiply = nested::adaptive_spmv) {
    return judge(test, m, kit::integers<float>(test.random(), m.columns, -9, 9), multiply, kit::exact());
}

/// Numbers whose sums depend on their order, so that two writers of the same value write different bits.
void judge_fractions(kit::Case& test) {
    Matrix m = with_rows(test.random(), {3, nested::kDense + 40, 0, 900, 17, nested::kDense}, 500);
    m.value = kit::uniform<float>(test.random(), m.value.size(), 0.1f, 1);
    const auto x_values = kit::uniform<float>(test.random(), m.columns, 0.1f, 1);
    judge(test, m, x_values, nested::adaptive_spmv, kit::tolerance_sum<float>(900, 900));
}

std::vector<int> short_rows(kit::Random& random, int n) {
    std::vector<int> lengths(static_cast<std::size_t>(n));
    for (int& length : lengths) length = static_cast<int>(random.integer(0, 12));
    return lengths;
}

/// Returns a few rows with very many entries, and many rows with few.
std::vector<int> power_law(kit::Random& random, int n) {
    std::vector<int> lengths(static_cast<std::size_t>(n));
    for (int& length : lengths) length = static_cast<int>(std::min(2 / (random.unit() + 5e-4), 3000.0));
    return lengths;
}

void count_children(kit::Case& test) {
    std::vector<int> lengths = short_rows(test.random(), 300);
    for (int row : {7, 8, 100, 299}) lengths[row] = nested::kDense + 1 + row;
    lengths[50] = nested::kDense;
    const Matrix m = with_rows(test.random(), lengths, 500);
    const Launches launches = judge(test, m);
    const bool all_by_host = launches.by_kernels == 0 && launches.by_host > 1;
    test.method("launches by kernels", !all_by_host,
                {"children for the dense rows, which a thread launches when it meets them",
                 "the host launched " + kernels(launches.by_host) + ", and no kernel launched one",
                 "A child needs no list of dense rows and no second launch for matrices without such rows. "
                 "The lecture measures both ways: yours can be the faster one.",
                 2});
    if (all_by_host) return;
    test.demand(
        "launches by the host", kit::exactly(launches.by_host, 1),
        kernels(launches.by_host) +
            " launched by the host, expected 1: launch one kernel, and let its threads launch the others");
    test.demand("launches by kernels", kit::exactly(launches.by_kernels, 4),
                kernels(launches.by_kernels) +
                    " launched by kernels for 4 dense rows: launch one for each row of more than " +
                    std::to_string(nested::kDense) + " entries" + kit::task(2));
    const std::uint64_t blocks = kit::ceil_div(300, nested::kBlock) + 4;
    if (launches_are_counted)
        test.demand("blocks", kit::at_most(launches.blocks, blocks + 2),
                    kit::count_of(launches.blocks, "block") + " ran, expected " + std::to_string(blocks) +
                        ": launch each child as one block of kBlock threads" + kit::task(2));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("16_dynamic_parallelism", "adaptive_spmv", argc, argv);
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::wrong_value});
    grader.task(2, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::race, kit::Diagnosis::not_written,
                    kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::cuda_error});
    struct {
        const char* name;
        Multiply multiply;
    } const given[] = {{"given: one thread per row", nested::spmv_thread_per_row},
                       {"given: one warp per row", nested::spmv_warp_per_row},
                       {"given, with your Task 1: a list of the dense rows", two_kernels}};
    for (const auto& way : given) {
        grader.add(way.name, [way](kit::Case& test) {
            judge(test, with_rows(test.random(), power_law(test.random(), 300), 500), way.multiply);
        });
    }
    for (int n : {0, 1, nested::kBlock - 1, nested::kBlock, nested::kBlock + 1, 600}) {
        grader.add("short rows, n=" + std::to_string(n), [n](kit::Case& test) {
            judge(test, with_rows(test.random(), short_rows(test.random(), n), 100));
        });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("17,000,003 rows, some of them dense",
               [](kit::Case& test) {
                   std::vector<int> lengths(17000003);
                   for (std::size_t row = 0; row < lengths.size(); ++row)
                       lengths[row] = row % 400009 == 400008 ? 3000 : static_cast<int>(row % 3 == 0);
                   judge(test, with_rows(test.random(), lengths, 1000));
               },
               {60, true});
#endif
    const int d = nested::kDense;
    grader.add("rows around the limit", [d](kit::Case& test) {
        judge(test, with_rows(test.random(), {d - 1, d, d + 1, 0, 2 * d, 1, 2 * d + 1, 1000}, 2000));
    });
    grader.add("power law, 500 rows", [](kit::Case& test) {
        judge(test, with_rows(test.random(), power_law(test.random(), 500), 1000));
    });
    grader.add("every row is dense, 64 rows", [](kit::Case& test) {
        judge(test, with_rows(test.random(), std::vector<int>(64, 300), 300));
    });
    grader.add("fractions", judge_fractions);
    if (launches_are_counted) grader.add("launches, counted", count_children);
    for (int limit : {1, 8}) {
        grader.add("launches are refused: " + std::to_string(limit) + " may be pending",
                   [limit](kit::Case& test) {
                       const PendingLimit pending(static_cast<std::size_t>(limit));
                       judge(test, with_rows(test.random(), std::vector<int>(40, 290), 300));
                   });
    }
    return grader.run();
}
