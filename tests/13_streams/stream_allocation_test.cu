// Grades 13_streams/stream_allocation: values, waits and steps, the attributes of the pool, and that all memory returns to it.
#include <cstdint>

#include "01_error_handling/failing_calls.hpp"
#include "13_streams/queues.hpp"

namespace {

using namespace streams_test;

cudaMemPool_t default_pool(kit::Case& test) {
    cudaMemPool_t pool = nullptr;
    test.cuda(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

/// Returns the bytes of the pool that are in use when the device is idle.
std::uint64_t in_use(kit::Case& test) {
    std::uint64_t bytes = 0;
    test.cuda(cudaDeviceSynchronize());
    test.cuda(cudaMemPoolGetAttribute(default_pool(test), cudaMemPoolAttrUsedMemCurrent, &bytes));
    return bytes;
}

void all_came_back(kit::Case& test, std::uint64_t before, kit::Said task) {
    const std::uint64_t after = in_use(test);
    test.check(after <= before, kit::count_of(after - before, "byte") +
                                    " of the pool are still in use after the work: free all memory in stream "
                                    "order (" +
                                    task + ")");
}

std::vector<int> neighbours(const std::vector<int>& in) {
    std::vector<int> out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + in[(i + 1) % in.size()];
    return out;
}

void run_smooth(kit::Case& test, int n) {
    Stream stream, other;
    const auto values = kit::integers<int>(test.random(), n, -100000000, 100000000);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", n);
    const std::uint64_t before = in_use(test);
    kit::Calls calls;
    test.explain(kit::Diagnosis::race, "queue all work of smooth() in the given stream" + kit::task(2));
    test.call([&] {
        // Work of another user, so that a wait for the device also waits for this.
        test.cuda(cudaMemsetAsync(out.data(), 0, n * sizeof(int), stream));
        for (int time = 0; time < 3; ++time)
            calls.in([&] { streams::smooth(in.data(), out.data(), n, stream); });
    });
    test.expect(out, neighbours(neighbours(values)), kit::exact());
    waits_at_most(test, 0, calls, kit::task(2));
    all_came_back(test, before, kit::named_task(2));
}

/// Explains a race in combine_both: the sums race with the caller's earlier work, or with work that needs both sums.
kit::Said why_both_race(const kit::facts::Finding& found) {
    std::string names = " ";
    for (const kit::facts::Queued& work : found.queued) names += kit::unqualified(work.what) + " ";
    for (const kit::facts::Access& access : found.accesses) names += kit::unqualified(access.who.name) + " ";
    for (const char* const later : {" combine ", " cudaFreeAsync ", " cudaMemsetAsync "})
        if (names.find(later) != std::string::npos)
            return "`combine`, the frees and the caller's next work need both sums: let `main` wait for "
                   "`side` first" +
                   kit::task(4);
    return "the sums need the caller's earlier work in `main`, and the allocation of their memory: let "
           "`side` "
           "wait for both" +
           kit::task(3);
}

void run_both(kit::Case& test, int n) {
    Stream main, side;
    Event forked, joined;
    const streams::Meeting meeting = {forked, joined};
    const std::size_t bytes = n * sizeof(int);
    Pinned<int> host_left(n), host_right(n), result(n);
    auto left = test.output<int>("left", n);
    auto right = test.output<int>("right", n);
    auto out = test.output<int>("out", n);
    const std::uint64_t before = in_use(test);
    for (int call = 0; call < 2; ++call) {
        const auto a = kit::integers<int>(test.random(), n, -10000000, 10000000);
        const auto b = kit::integers<int>(test.random(), n, -10000000, 10000000);
        std::copy(a.begin(), a.end(), host_left.data);
        std::copy(b.begin(), b.end(), host_right.data);
        kit::Calls calls;
        test.explain(kit::Diagnosis::race, why_both_race);
        const kit::Timeline timeline = kit::timeline(test, [&] {
            test.cuda(cudaMemcpyAsync(left.data(), host_left.data, bytes, cudaMemcpyHostToDevice, main));
            test.cuda(cudaMemcpyAsync(right.data(), host_right.data, bytes, cudaMemcpyHostToDevice, main));
            calls.in([&] {
                streams::combine_both(left.data(), right.data(), out.data(), n, main, side, meeting);
            });
            test.cuda(cudaMemcpyAsync(result.data, out.data(), bytes, cudaMemcpyDeviceToHost, main));
            test.cuda(cudaMemsetAsync(left.data(), 0, bytes, main));
            test.cuda(cudaMemsetAsync(right.data(), 0, bytes, main));
        });
        std::vector<int> want = neighbours(a);
        const std::vector<int> r = neighbours(b);
        for (std::size_t i = 0; i < want.size(); ++i) want[i] = 7 * want[i] - r[i];
        test.expect("out, copied after the call", std::vector<int>(result.data, result.data + n), want,
                    kit::exact());
        waits_at_most(test, 0, calls, kit::task(3, 4));
        steps_at_most(test, 2 + 2 + 3, timeline, 3);  // the test adds two copies in, a copy out and two fills
    }
    all_came_back(test, before, kit::named_task(4));
}

void run_keep(kit::Case& test, std::uint64_t bytes) {
    std::uint64_t before = 0, after = 0;
    test.cuda(cudaMemPoolGetAttribute(default_pool(test), cudaMemPoolAttrReleaseThreshold, &before));
    test.call([&] { streams::keep_memory(bytes); });
    test.cuda(cudaMemPoolGetAttribute(default_pool(test), cudaMemPoolAttrReleaseThreshold, &after));
    test.cuda(cudaMemPoolSetAttribute(default_pool(test), cudaMemPoolAttrReleaseThreshold, &before));
    test.equal(
        "the release threshold of the pool", after, bytes,
        "set the attribute cudaMemPoolAttrReleaseThreshold of the device's default pool" + kit::task(1));
}

void smooth_in_probe(const std::function<void()>& begin) {
    Stream main, side;
    Event forked, joined;
    kit::DeviceBuffer<int> in(std::vector<int>(300, 1)), out(300);
    begin();
    streams::smooth(in.data(), out.data(), 300, main);
    streams::combine_both(in.data(), in.data(), out.data(), 300, main, side, {forked, joined});
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(smooth_in_probe);
    kit::Grader grader("13_streams", "stream_allocation", argc, argv);
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(4, {kit::Diagnosis::race});
    for (std::uint64_t bytes : {std::uint64_t(1) << 20, std::uint64_t(3) << 33, ~std::uint64_t(0)})
        grader.add("keep_memory, " + kit::count_of(bytes, "byte"),
                   [bytes](kit::Case& test) { run_keep(test, bytes); });
    for (int n : {1, 255, 257, 1009, 20011})
        grader.add("smooth, n=" + std::to_string(n), [n](kit::Case& test) { run_smooth(test, n); });
    for (int n : {1, 256, 257, 1009, 20011})
        grader.add("combine_both, n=" + std::to_string(n), [n](kit::Case& test) { run_both(test, n); });
#ifndef KIT_CPU
    grader.add("smooth, n=17000003", [](kit::Case& test) { run_smooth(test, 17000003); }, {60, true});
    grader.add("combine_both, n=17000003", [](kit::Case& test) { run_both(test, 17000003); }, {60, true});
#endif
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
