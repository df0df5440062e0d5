// Grades 22_unified_memory/prefetch: the values, the pages that moved, and the locations that were requested.
#include "01_error_handling/failing_calls.hpp"
#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;

constexpr int kLarge = Pages::counted() ? 50'000 : 1 << 20;

/// Returns where the pages were last prefetched: a device, cudaCpuDeviceId, or cudaInvalidDeviceId.
int last_prefetch(kit::Case& test, const Managed<float>& array) {
    int location = 0;
    test.cuda(cudaMemRangeGetAttribute(&location, sizeof location, cudaMemRangeAttributeLastPrefetchLocation,
                                       array.data(), array.bytes()));
    return location;
}

void expect_location(kit::Case& test, const char* name, int got, int want, int task) {
    const auto text = [](int location) -> std::string {
        if (location == cudaCpuDeviceId) return "the host";
        return location == cudaInvalidDeviceId ? "no single location" : "device " + std::to_string(location);
    };
    test.demand("prefetches", got == want,
                std::string("all pages of `") + name + "` were last prefetched to " + text(got) +
                    ", expected " + text(want) + kit::task(task));
}

void judge(kit::Case& test, int n, bool concurrent) {
    const FollowedPages followed(concurrent);
    const auto size = static_cast<std::size_t>(n);
    const auto x_values = kit::integers<float>(test.random(), size, -100, 100);
    const auto y_values = kit::integers<float>(test.random(), size, -100, 100);
    const float a = static_cast<float>(test.random().integer(2, 9));
    std::vector<float> want(size);
    for (std::size_t i = 0; i < size; ++i) want[i] = a * x_values[i] + y_values[i];
    const kit::Stream stream;
    const Managed<float> x(test, x_values), y(test, y_values);
    const bool prefetches = has_concurrent_access(test);
    Pages::reset();
    kit::Calls calls;
    test.call([&] {
        calls.in([&] { unified_memory::axpy(n, a, x.data(), y.data(), stream); });
        test.cuda(cudaStreamSynchronize(stream));
    });
    const Pages of_kernel;
    const std::vector<float> got = y.read();
    const Pages pages;
    test.expect("y", got, want);
    test.expect("x", x.read(), x_values);
    if (n > 0) test.by_kernels(kit::named_task(2));
    test.demand("waits", kit::at_most(calls.waits, 0),
                "the function waits, but all work must be queued in `stream`");
    // Small arrays of a GPU can share a page.
    if (!prefetches || n == 0 || (!Pages::counted() && n < kLarge)) return;
    expect_location(test, "x", last_prefetch(test, x), 0, 2);
    expect_location(test, "y", last_prefetch(test, y), cudaCpuDeviceId, 3);
    test.demand("device faults", kit::at_most(of_kernel.counts.device_faults, 0),
                kit::count_of(of_kernel.counts.device_faults, "page fault") + " of the kernel" +
                    ": prefetch all bytes of x and y to the device in `stream`, before the kernel" +
                    kit::task(2));
    test.demand("host faults", kit::at_most(pages.counts.host_faults, 0),
                kit::count_of(pages.counts.host_faults, "page fault") +
                    " of the host, which reads y after the stream has ended: prefetch all bytes of y to the "
                    "host after "
                    "the kernel" +
                    kit::task(3));
    if (!Pages::counted()) return;
    const std::uint64_t moved = pages.counts.prefetched_to_device + pages.counts.prefetched_to_host;
    test.demand("prefetched pages", kit::at_most(moved, x.pages() + 2 * y.pages()),
                "the prefetches move " + kit::count_of(moved, "page") + ", but " +
                    std::to_string(x.pages() + 2 * y.pages()) +
                    " are enough: move each array to the device once, and only y back" + kit::task(2, 3));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "prefetch", argc, argv);
    grader.task(1, kit::About().error("cudaErrorInvalidDevice"));
    for (const int n : {0, 1, 1025, kLarge})
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, n, true); });
#ifdef KIT_CPU
    grader.add("n=5000, no concurrent access", [](kit::Case& test) { judge(test, 5000, false); });
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"n=1025"});
    return grader.run();
}
