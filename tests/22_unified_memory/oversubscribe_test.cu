// Grades 22_unified_memory/oversubscribe: on the CPU backend, an array that is larger than what a large allocation has left of the
// device's memory; on a GPU, a smaller array.
// sanitizer.all: under a tool, less memory of the device is free
#include <algorithm>

#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;

/// Bytes of the device that stay free on the CPU backend. On a GPU, which other programs use at the same time, a small array in windows of
/// kSmallWindow elements stands for a large one, and nothing is evicted.
constexpr std::size_t kFree = std::size_t{1} << 20, kSmallWindow = std::size_t{1} << 21;

std::size_t free_bytes(kit::Case& test) {
    std::size_t left = 0, total = 0;
    test.cuda(cudaMemGetInfo(&left, &total));
    return left;
}

/// Allocates device memory until about kFree bytes are left.
class Ballast {
  public:
    explicit Ballast(kit::Case& test) {
        if (!Pages::counted()) return;
        const std::size_t left = free_bytes(test);
        // The executor counts 2 MiB more for a large allocation.
        const std::size_t keep = kFree + (std::size_t{2} << 20);
        if (left > keep) test.cuda(cudaMalloc(&memory_, left - keep));
    }
    ~Ballast() { cudaFree(memory_); }
    Ballast(const Ballast&) = delete;
    Ballast& operator=(const Ballast&) = delete;

  private:
    char* memory_ = nullptr;
};

unsigned after_steps(unsigned x, int steps, unsigned a, unsigned b) {
    for (int step = 0; step < steps; ++step) x = a * x + b;
    return x;
}

/// `ratio`: size of the array over the free memory of the device.
void judge(kit::Case& test, double ratio, int steps) {
    if (!has_concurrent_access(test)) return test.check(true, "");
    const FollowedPages followed;
    const Ballast ballast(test);
    const std::size_t left = free_bytes(test), elements = Pages::counted() ? left / 4 : 4 * kSmallWindow,
                      n = static_cast<std::size_t>(ratio * static_cast<double>(elements));
    const auto a = static_cast<unsigned>(test.random().integer(1, 1000) * 2 + 1);
    const auto b = static_cast<unsigned>(test.random().integer(1, 1'000'000));
    unsigned* x = nullptr;
    test.cuda(cudaMallocManaged(&x, std::max(n, std::size_t{1}) * sizeof(unsigned)));
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<unsigned>(i);
    const std::size_t window = test.call([&] { return unified_memory::window_elements(); });
    // Other programs on a GPU can change its free memory during the call.
    const std::size_t after = free_bytes(test), want = std::max(left / 3 / 4, std::size_t{1});
    const std::size_t least = std::min(left, after) / 3 / 4 * (Pages::counted() ? 9 : 7) / 10,
                      most = std::max(left, after) / 3 / 4 * (Pages::counted() ? 1 : 2);
    test.check(window <= std::max(most, std::size_t{1}) && window >= least,
               "window_elements() returns " + std::to_string(window) + ", expected about " +
                   std::to_string(want) + kit::task(1));
    const std::size_t length =
        Pages::counted() ? std::max(want / 1024 * 1024, std::size_t{1024}) : kSmallWindow;
    Pages::reset();
    test.values_are_of({2});
    test.call([&] { unified_memory::iterate(x, n, steps, a, b, length); });
    const Pages pages;
    std::size_t wrong = n;
    for (std::size_t i = n; i-- > 0;)
        if (x[i] != after_steps(static_cast<unsigned>(i), steps, a, b)) wrong = i;
    test.check(wrong == n, "x[" + std::to_string(wrong) + "] is wrong: apply all steps to each element once" +
                               kit::task(2));
    if (n > 0) test.by_kernels(kit::named_task(2));
    cudaFree(x);
    const std::uint64_t size = pages_of<unsigned>(n);
    if (!Pages::counted() || steps == 0) return;
    test.demand("evicted pages", kit::at_most(pages.counts.evicted, 0),
                kit::count_of(pages.counts.evicted, "page") + " left the device because it was full, and " +
                    std::to_string(pages.counts.returned) +
                    " of them came back: apply all steps to a window before the next one, and move it back" +
                    kit::task(2));
    test.demand("device faults", kit::at_most(pages.counts.device_faults, 0),
                kit::count_of(pages.counts.device_faults, "page fault") +
                    " of the kernels: prefetch each window before its first kernel" + kit::task(2));
    test.demand("prefetched pages", kit::at_most(pages.counts.prefetched_to_device, size + size / 50 + 1),
                "the prefetches move " + kit::count_of(pages.counts.prefetched_to_device, "page") +
                    " to the device, but the array has only " + std::to_string(size) + kit::task(2));
    test.demand("pages on the host", kit::at_least(pages.counts.prefetched_to_host, size),
                kit::count_of(pages.counts.prefetched_to_host, "page") +
                    " were moved back to the host, expected " + std::to_string(size) +
                    ": prefetch each window to the host after its last kernel" + kit::task(2));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "oversubscribe", argc, argv);
    grader.add("twice the free memory", [](kit::Case& test) { judge(test, 2, 3); });
    grader.add("half of the free memory", [](kit::Case& test) { judge(test, 0.5, 3); });
    grader.add("an empty array", [](kit::Case& test) { judge(test, 0, 2); });
    return grader.run();
}
