// Grades 12_l2_cache/access_window: the size set aside, the window, the window that the kernel ran under, and the values.
#include <algorithm>
#include <cmath>
#include <grader/timeline.hpp>
#include <string>

#include "12_l2_cache/hints.hpp"

namespace {

using namespace l2_cache_test;

constexpr std::size_t kMiB = 1 << 20;

void judge_set_aside(kit::Case& test, const std::string& device) {
    const kit::CurrentDevice current(device);
    const FreshCache fresh(test);
    const auto most = static_cast<std::size_t>(properties(test).persistingL2CacheMaxSize);
    for (std::size_t bytes : {std::size_t{0}, 5 * kMiB, most / 2, most, most + 1, 3 * most + kMiB}) {
        const std::size_t got = test.call([&] { return l2_cache::set_aside(bytes); });
        const std::size_t now = aside_now(test);
        const std::string call = "set_aside(" + std::to_string(bytes) + ")";
        test.check(got == now, call + " returns " + std::to_string(got) + ", but the device reports that " +
                                   kit::count_of(now, "byte", "are") + " set aside: return that number" +
                                   kit::task(1));
        const std::size_t wanted = std::min(bytes, most);
        // A device may round the size, but never to more than its maximum.
        test.check(now <= most && now >= wanted && now < wanted + 4 * kMiB,
                   "after " + call + " there are " + kit::count_of(now, "byte") + " set aside, expected " +
                       std::to_string(wanted) + ": limit the request to persistingL2CacheMaxSize" +
                       kit::task(1));
    }
}

void expect_window(kit::Case& test, const cudaAccessPolicyWindow& got, const void* base, std::size_t bytes,
                   std::size_t aside, const kit::Said& task) {
    const std::size_t size =
        std::min(bytes, static_cast<std::size_t>(properties(test).accessPolicyMaxWindowSize));
    test.check(got.base_ptr == base,
               "the window does not begin at the array: set base_ptr to its first byte" + task);
    test.check(got.num_bytes == size, "the window has " + kit::count_of(got.num_bytes, "byte") +
                                          ", expected " + std::to_string(size) +
                                          ": use the bytes of the array, at most accessPolicyMaxWindowSize" +
                                          task);
    if (size == 0)
        return test.check(!std::isnan(got.hitRatio),
                          "the hit ratio is not a number: do not divide by a size of 0" + task);
    const double ratio = std::min(1.0, static_cast<double>(aside) / static_cast<double>(size));
    test.check(std::fabs(got.hitRatio - ratio) <= 1e-5,
               "the hit ratio is " + std::to_string(got.hitRatio) + ", expected " + std::to_string(ratio) +
                   ": divide the " + kit::count_of(aside, "byte") + " that are set aside by the " +
                   kit::count_of(size, "byte") + " of the window" + task);
    test.check(
        got.hitProp == cudaAccessPropertyPersisting,
        "accesses that hit the window do not persist: set hitProp to cudaAccessPropertyPersisting" + task);
    test.check(
        got.missProp == cudaAccessPropertyStreaming,
        "accesses that miss the window do not stream: set missProp to cudaAccessPropertyStreaming" + task);
}

void judge_window(kit::Case& test, const std::string& device) {
    const kit::CurrentDevice current(device);
    const auto largest = static_cast<std::size_t>(properties(test).accessPolicyMaxWindowSize);
    char base[1];  // only its address is used
    for (std::size_t bytes : {std::size_t{0}, kMiB, 10 * kMiB, 60 * kMiB, largest, largest + 1, 4 * largest})
        for (std::size_t aside : {std::size_t{0}, kMiB, 20 * kMiB, 30 * kMiB}) {
            const cudaAccessPolicyWindow got =
                test.call([&] { return l2_cache::window_for(base, bytes, aside); });
            expect_window(test, got, base, bytes, aside, kit::task(2));
        }
}

/// Checks the launch, as far as the backend has recorded it.
void expect_run(kit::Case& test, [[maybe_unused]] const float* table, [[maybe_unused]] std::size_t entries,
                [[maybe_unused]] std::size_t aside, std::size_t n, const Stream& stream) {
    test.check(
        !stream.has_window(),
        "the stream still has the window, so every later kernel uses it: set a window of 0 bytes at the end" +
            kit::task(4));
#ifdef KIT_CPU
    if (!hints_are_kept() || n == 0) return;
    const kit::cpu::CacheHints hints = kit::cpu::cache_hints();
    test.demand("resets", kit::exactly(hints.resets, 0),
                "your code called cudaCtxResetPersistingL2Cache(): remove this call, because the next call "
                "uses the lines" +
                    kit::task(4));
    test.demand("windows", kit::exactly(hints.launches.size(), 1),
                kit::count_of(hints.launches.size(), "kernel") +
                    " ran under a window, expected 1: set the window for exactly this launch" +
                    kit::task(3, 4));
    if (hints.launches.size() != 1) return;
    const cudaAccessPolicyWindow used = hints.launches[0].window;
    const cudaAccessPolicyWindow own = test.call(
        [&] { return l2_cache::window_for(const_cast<float*>(table), entries * sizeof(float), aside); });
    const bool is_own = used.base_ptr == own.base_ptr && used.num_bytes == own.num_bytes &&
                        used.hitRatio == own.hitRatio && used.hitProp == own.hitProp &&
                        used.missProp == own.missProp;
    expect_window(test, used, table, entries * sizeof(float), aside, kit::task(is_own ? 2 : 3));
#else
    (void)n;
#endif
}

void judge(kit::Case& test, const std::string& device, std::size_t entries, std::size_t n,
           std::size_t wanted) {
    const kit::CurrentDevice current(device);
    const FreshCache fresh(test);
    const Stream stream(test);
    const auto values = kit::integers<float>(test.random(), entries, 1, 1000000);
    const auto numbers = kit::integers<unsigned>(test.random(), n, 0, static_cast<int>(entries) - 1);
    std::vector<float> want;
    for (unsigned key : numbers) want.push_back(values[key]);
    auto table = test.input("table", values);
    auto keys = test.input("keys", numbers);
    auto out = test.output<float>("out", n);
    test.cuda(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, wanted));
    const std::size_t aside = aside_now(test);
    [[maybe_unused]] const kit::Timeline queued = kit::timeline(
        test, [&] { l2_cache::look_up(table.data(), entries, keys.data(), n, out.data(), stream); });
    if (n > 0) test.by_kernels(kit::named_task(4));
#ifdef KIT_CPU
    test.demand("streams", kit::exactly(queued.in_default_stream, 0),
                "the kernel at " + queued.default_at + " runs in the default stream: launch it in `stream`" +
                    kit::task(4),
                kit::Diagnosis::part);
#endif
    test.cuda(cudaDeviceSynchronize());
    test.check(aside_now(test) == aside,
               "look_up has changed the size that is set aside: read it only" + kit::task(3));
    expect_run(test, table.data(), entries, aside, n, stream);
    test.expect(out, want, kit::exact());
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("12_l2_cache", "access_window", argc, argv);
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(2, kit::About().rule(kit::facts::Rule::attribute_without_window));  // it rejects the values
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited, kit::Diagnosis::wrong_value});
    for (const std::string& device : kit::devices()) {
        grader.add("set aside, " + device, [=](kit::Case& test) { judge_set_aside(test, device); });
        grader.add("the window, " + device, [=](kit::Case& test) { judge_window(test, device); });
    }
    for (const std::string& device : kit::devices()) {
        if (device == "t4") continue;  // it sets nothing aside
        for (std::size_t n : {0, 1, 255, 257, 10007})
            grader.add("look-ups, n=" + std::to_string(n) + ", " + device,
                       [=](kit::Case& test) { judge(test, device, 3001, n, 2 * kMiB); });
        grader.add("a table larger than the part set aside, " + device,
                   [=](kit::Case& test) { judge(test, device, 1 << 20, 5000, kMiB); });
    }
    return grader.run();
}
