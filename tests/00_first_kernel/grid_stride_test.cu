// Grades 00_first_kernel/grid_stride with any grid, any slice, indices beyond 32 bits, and each element updated once.
#include <cstdint>
#include <string>
#include <vector>

#include "00_first_kernel/00_first_kernel.hpp"
#include "01_error_handling/failing_calls.hpp"
#include "grader.cuh"
#include "grader/told.hpp"

namespace {

struct Shape {
    int grid, block;
};

// Only the executor can count the threads of all kernels so far.
#ifdef KIT_CPU
constexpr bool can_count = true;
std::uint64_t launched_threads() {
    return kit::cpu::counters().threads;
}
#else
constexpr bool can_count = false;
std::uint64_t launched_threads() {
    return 0;
}
#endif

// Returns how many elements were updated k > 1 times, which gives y + k * factor * x.
int updated_again(const std::vector<float>& got, const std::vector<float>& x, const std::vector<float>& y,
                  float factor) {
    int count = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        float times = (got[i] - y[i]) / (factor * x[i]);  // not finite for x = 0: not counted
        count += times > 1 && times <= 1000 && times == static_cast<int>(times) ? 1 : 0;
    }
    return count;
}

// Explains elements that two threads have updated. A loop that advances by `threads`, which the starter declares, has the correct step.
kit::Said whose_step(const kit::facts::Finding& found) {
    for (int line = found.place.line; line > found.place.line - 4; --line) {
        const std::string text = kit::detail::line_of_file(found.place.file, line);
        if (text.find("for (") == std::string::npos) continue;
        return text.find("+= threads") != std::string::npos
                   ? "two threads update the same element: correct the index of the thread, or the number of "
                     "threads in the grid" +
                         kit::task(1)
                   : "two threads update the same element: let each thread advance by the number of threads "
                     "in "
                     "the grid" +
                         kit::task(2);
    }
    return "two threads update the same element: correct the index of the thread, the number of threads in "
           "the "
           "grid, or the step" +
           kit::task(1, 2);
}

// The slice [first, first + n) of a vector whose element 0 does not exist; only its address is used.
void update_once(kit::Case& test, std::size_t first, int n, Shape shape) {
    auto x_values = kit::integers<float>(test.random(), n, -4000, 4000);
    auto y_values = kit::integers<float>(test.random(), n, -4000, 4000);
    constexpr float factor = 3.0f;
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) want[i] = factor * x_values[i] + y_values[i];  // exact, with and without FMA

    auto x = test.input("x", x_values);
    auto y = test.inout("y", y_values);
    const float* x0 = x.data() - first;
    float* y0 = y.data() - first;
    std::uint64_t threads = launched_threads();
    test.explain(kit::Diagnosis::race, whose_step);
    test.call([&] { first_kernel::grid_stride(x0, y0, first, first + n, factor, shape.grid, shape.block); });
    threads = launched_threads() - threads;
    std::uint64_t asked = std::uint64_t(shape.grid) * shape.block;
    test.demand("threads", kit::unless(!can_count || (n == 0 && threads == 0), kit::exactly(threads, asked)),
                "your code launched " + kit::count_of(threads, "thread") + ", but the caller's grid has " +
                    std::to_string(asked) + ": launch the caller's grid");
    int again = updated_again(y.values(), x_values, y_values, factor);
    test.check(again == 0,
               "your kernel updates " + std::to_string(again) + " of " + kit::count_of(n, "element") +
                   " more than once: check by how much a thread advances in each round" + kit::task(1, 2));
    test.expect(y, want, kit::exact());
}

#ifdef KIT_CPU
/// Runs only the last blocks of a grid.
struct LastBlocks {
    LastBlocks(int grid, int count) {
        kit::cpu::run_blocks(static_cast<std::uint64_t>(grid) - count, static_cast<std::uint64_t>(count));
    }
    ~LastBlocks() { kit::cpu::run_blocks(0, 0); }
    LastBlocks(const LastBlocks&) = delete;
};

/// A grid of more than 2^32 threads, and a slice with one element per thread. Only the last blocks run, and only their elements exist.
void update_with_many_threads(kit::Case& test) {
    constexpr int grid = (1 << 22) + 3, block = 1024, running = 4, n = running * block;
    constexpr std::size_t first = 1000, before = std::size_t{grid - running} * block;
    const auto x_values = kit::integers<float>(test.random(), n, 1, 4000);
    const auto y_values = kit::integers<float>(test.random(), n, -4000, 4000);
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) want[i] = 2.0f * x_values[i] + y_values[i];
    auto x = test.input("x", x_values);
    auto y = test.inout("y", y_values);
    const float* x0 = x.data() - first - before;
    float* y0 = y.data() - first - before;
    const kit::Said why =
        "this grid has more than 2^32 threads: make the index of a thread and the number of threads 64 bits "
        "wide before you multiply" +
        kit::task(1);
    test.explain(kit::Diagnosis::out_of_bounds, why);
    test.explain(kit::Diagnosis::race, why);
    test.explain(kit::Diagnosis::timeout, why);
    const LastBlocks last(grid, running);
    test.call([&] { first_kernel::grid_stride(x0, y0, first, first + before + n, 2.0f, grid, block); });
    const int again = updated_again(y.values(), x_values, y_values, 2.0f);
    test.check(again == 0,
               "your kernel updates " + kit::count_of(again, "element") + " more than once: " + why);
    test.expect(y, want, kit::exact());
}
#endif

std::string name(std::size_t first, int n, Shape shape) {
    return "n=" + std::to_string(n) + (first != 0 ? " first=" + std::to_string(first) : "") +
           " grid=" + std::to_string(shape.grid) + " block=" + std::to_string(shape.block);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("00_first_kernel", "grid_stride", argc, argv);
    grader.task(1, {kit::Diagnosis::first_block_only, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::tail, kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::not_written});
    grader.task(3, kit::About().demand("threads"));
    auto add = [&](std::size_t first, int n, Shape shape, double seconds = 10) {
        kit::CaseOptions options = {seconds};
        if (first > 0) {
            options.late =
                "perhaps a thread visits the elements before `first`: start each thread at `first`";
            options.late_task = 2;
        }
        grader.add(
            name(first, n, shape), [=](kit::Case& test) { update_once(test, first, n, shape); }, options);
    };
    for (int n : kit::sizes(64)) add(0, n, {3, 64});
    for (Shape shape : {Shape{1, 1}, {1, 32}, {1, 1000}, {2, 33}, {7, 96}, {40, 256}, {1000, 1}}) {
        add(0, 1009, shape);
    }
    add(0, 5003, {2000, 2});  // no block can have as many threads as this grid has blocks
    add(1, 500, {2, 64});
    add(77777, 4096, {5, 128});
    add((std::size_t{1} << 31) - 100, 1000, {3, 128});  // crosses the largest int
    add((std::size_t{1} << 32) - 100, 1000, {3, 128});  // crosses the largest unsigned
    add(10'000'000'019, 3001, {4, 256});
    add(10'000'000'019, 0, {1, 1});
    add(10'000'000'000'019, 1000, {1, 32}, 4);
#ifdef KIT_CPU
    grader.add("more than 2^32 threads, of which the last 4096 run", update_with_many_threads);
#else
    add(0, 5000, {(1 << 22) + 3, 1024});  // more than 2^32 threads: their numbers need 64 bits too
#endif
    error_handling::check_failing_calls(grader, argc, argv, {name(0, 64, {3, 64})});
    return grader.run();
}
