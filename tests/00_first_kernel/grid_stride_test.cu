// Grades 00_first_kernel/grid_stride: any grid, any slice, indices beyond 32 bits, each element once.
#include <cstdint>
#include <string>
#include <vector>

#include "00_first_kernel/00_first_kernel.hpp"
#include "grader.cuh"

namespace {

struct Shape {
    int grid, block;
};

// The executor counts the threads of all kernels so far; on a GPU nobody does.
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

// How many elements were updated twice or more: y + k * factor * x, with k > 1.
int updated_again(const std::vector<float>& got, const std::vector<float>& x, const std::vector<float>& y,
                  float factor) {
    int count = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        float times = (got[i] - y[i]) / (factor * x[i]);  // not finite for x = 0: not counted
        count += times > 1 && times <= 1000 && times == static_cast<int>(times) ? 1 : 0;
    }
    return count;
}

// The slice [first, first + n) of a vector whose element 0 does not exist: only its address does.
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
    test.call([&] { first_kernel::grid_stride(x0, y0, first, first + n, factor, shape.grid, shape.block); });
    threads = launched_threads() - threads;
    std::uint64_t asked = std::uint64_t(shape.grid) * shape.block;
    test.demand("threads", !can_count || threads == asked || (n == 0 && threads == 0),
                "launched " + std::to_string(threads) + " threads, but the caller's grid has " +
                    std::to_string(asked));
    int again = updated_again(y.values(), x_values, y_values, factor);
    test.check(again == 0, std::to_string(again) + " of " + std::to_string(n) +
                               " elements were updated more than once: by how much does a thread move on?");
    test.expect(y, want, kit::exact());
}

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
        if (first > 0) options.late = "does a thread walk through the elements before `first`? (Task 2)";
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
#ifndef KIT_CPU
    add(0, 5000, {(1 << 22) + 3, 1024});  // more than 2^32 threads: their numbers need 64 bits too
#endif
    return grader.run();
}
