// Grades 12_l2_cache/reset: the values, the window of each kernel, and that the cache is as before.
#include <string>

#include "12_l2_cache/hints.hpp"

namespace {

using namespace l2_cache_test;

constexpr std::size_t kMiB = 1 << 20;

struct Shape {
    std::size_t entries;
    int rounds;
    std::size_t n;
    std::size_t before;  ///< bytes that are set aside before the call
};

#ifdef KIT_CPU
/// Checks that each round ran under a window over the table, and that no other kernel did.
void expect_windows(kit::Case& test, const float* table, const Shape& shape) {
    if (!hints_are_kept()) return;
    const kit::cpu::CacheHints hints = kit::cpu::cache_hints();
    std::size_t rounds = 0, others = 0;
    std::string other;
    for (const kit::cpu::WindowedLaunch& launch : hints.launches) {
        const bool over_table = launch.window.base_ptr == table && launch.set_aside > 0 &&
                                launch.window.num_bytes == shape.entries * sizeof(float) &&
                                launch.window.hitRatio > 0 &&
                                launch.window.hitProp == cudaAccessPropertyPersisting;
        if (launch.kernel.find("add") != std::string::npos && over_table)
            ++rounds;
        else if (launch.window.num_bytes > 0)
            other = launch.kernel, ++others;
    }
    test.demand("windows", kit::exactly(rounds, shape.rounds),
                kit::count_of(rounds, "round") + " ran under a window over the table, expected " +
                    std::to_string(shape.rounds) +
                    ": set the window before the first round, and clear it after the last");
    test.demand("windows", kit::exactly(others, 0),
                kit::subject(other) +
                    " runs under the window, but does not need one: clear the window before it" +
                    kit::task(2));
}
#endif

void judge(kit::Case& test, const std::string& device, const Shape& shape) {
    const kit::CurrentDevice current(device);
    const FreshCache fresh(test);
    const Stream stream(test);
    const auto values = kit::integers<float>(test.random(), shape.entries, 1, 1000);
    const std::size_t looked_up = shape.n * static_cast<std::size_t>(shape.rounds);
    const auto numbers =
        kit::integers<unsigned>(test.random(), looked_up, 0, static_cast<int>(shape.entries) - 1);
    std::vector<float> want(shape.n);
    for (std::size_t i = 0; i < looked_up; ++i) want[i % shape.n] += values[numbers[i]];
    for (float& value : want) value *= 0.5f;
    auto table = test.input("table", values);
    auto keys = test.input("keys", numbers);
    auto out = test.output<float>("out", shape.n);
    test.cuda(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, shape.before));
    const std::size_t before = aside_now(test);
    cudaError_t done = cudaSuccess;
    test.call([&] {
        l2_cache::look_up_and_scale(table.data(), shape.entries, keys.data(), shape.rounds, shape.n, 0.5f,
                                    out.data(), stream);
        done = cudaStreamQuery(stream);
    });
    test.check(done == cudaSuccess,
               "kernels of the stream still run when the function returns: wait for them" + kit::task(3));
    test.check(!stream.has_window(), "the stream still has a window: set a window of 0 bytes" + kit::task(2));
    const std::size_t after = aside_now(test);
    test.check(after == before, kit::count_of(after, "byte", "are") + " set aside after the call, but " +
                                    std::to_string(before) +
                                    " were before it: store the limit first, and restore it last" +
                                    kit::task(1, 3));
    test.by_kernels(kit::named_task(3));
#ifdef KIT_CPU
    expect_windows(test, table.data(), shape);
    if (hints_are_kept()) expect_nothing_left(test, 3);
#endif
    test.expect(out, want, kit::exact());
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("12_l2_cache", "reset", argc, argv);
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited, kit::Diagnosis::wrong_value});
    for (const std::string& device : kit::devices()) {
        if (device == "t4") continue;  // it sets nothing aside
        for (const Shape& shape : {Shape{1000, 1, 1, 0}, Shape{1000, 2, 257, 0}, Shape{40000, 3, 1024, 0},
                                   Shape{40000, 3, 3001, 4 * kMiB}})
            grader.add("rounds=" + std::to_string(shape.rounds) + ", n=" + std::to_string(shape.n) + ", " +
                           std::to_string(shape.before / kMiB) + " MiB before, " + device,
                       [=](kit::Case& test) { judge(test, device, shape); });
    }
    return grader.run();
}
