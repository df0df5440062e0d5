// Grades 02_occupancy/ilp: the values, the number of threads, and that the loads of a thread come before its stores.
// sanitizer.case: n=
#include <algorithm>
#include <set>

#include "02_occupancy/devices.hpp"

namespace {

using namespace occupancy_test;
using occupancy::kIlp;
using occupancy::kIlpBlock;

[[maybe_unused]] constexpr std::size_t tile = std::size_t{kIlp} * kIlpBlock;

void judge(kit::Case& test, int n, const std::string& device) {
    const CurrentDevice current(device);
    const auto values = kit::integers<float>(test.random(), static_cast<std::size_t>(n), -1000, 1000);
    const float a = static_cast<float>(test.random().integer(2, 9)),
                b = static_cast<float>(test.random().integer(1, 9));
    std::vector<float> want(values.size());
    std::transform(values.begin(), values.end(), want.begin(), [=](float x) { return a * x + b; });
    auto in = test.input("in", values);
    auto out = test.output<float>("out", values.size());
    test.call([&] { occupancy::ilp(in.data(), values.size(), a, b, out.data()); });
    test.expect(out, want, kit::exact());
}

#ifdef KIT_CPU
/// The most threads that may be launched: a quarter of those that the device holds, or fewer for a small array.
std::size_t expected_threads(kit::Case& test, std::size_t n) {
    const cudaDeviceProp device = properties(test);
    const std::size_t quarter = static_cast<std::size_t>(device.multiProcessorCount) *
                                static_cast<std::size_t>(device.maxThreadsPerMultiProcessor) / kIlpBlock / 4;
    return std::min(quarter, kit::ceil_div(n, tile)) * kIlpBlock;
}

void threads(kit::Case& test, const std::string& device, std::size_t n) {
    const CurrentDevice current(device);
    auto in = test.input("in", kit::uniform<float>(test.random(), n));
    auto out = test.output<float>("out", n);
    const auto before = kit::cpu::counters().threads;
    test.call([&] { occupancy::ilp(in.data(), n, 2, 1, out.data()); });
    const auto got = kit::cpu::counters().threads - before;
    test.demand("threads", kit::exactly(got, expected_threads(test, n)),
                kit::count_of(got, "thread") + " ran, expected " + std::to_string(expected_threads(test, n)) +
                    ": launch a quarter of the threads that the device holds, or fewer if kIlp elements for "
                    "each are enough" +
                    kit::task(3));
}

/// Checks the first round of one thread: it must load its kIlp elements, in any order, before it stores.
void order(kit::Case& test, unsigned rank) {
    const std::size_t n = 3 * tile;
    auto in = test.input("in", kit::uniform<float>(test.random(), n));
    auto out = test.output<float>("out", n);
    kit::cpu::trace_thread(0, rank);
    test.call([&] { occupancy::ilp(in.data(), n, 2, 1, out.data()); });
    const auto trace = kit::cpu::take_trace();
    if (trace.empty()) test.skip("the checks of the executor are off, so no load was recorded");
    const char* const first = reinterpret_cast<const char*>(in.data());
    const auto index = [&](const char* address) {
        return std::to_string((address - first) / static_cast<std::ptrdiff_t>(sizeof(float)));
    };
    const std::string who = "thread " + std::to_string(rank) + " of block 0 ";
    std::set<const char*> open;
    for (unsigned j = 0; j < static_cast<unsigned>(kIlp); ++j)
        open.insert(first + sizeof(float) * (rank + j * kIlpBlock));
    for (std::size_t j = 0; j < trace.size() && !open.empty(); ++j) {
        if (trace[j].write) {
            return test.check(false, who + "stores a result before it has loaded in[" + index(*open.begin()) +
                                         "]: issue all " + std::to_string(kIlp) +
                                         " loads first, so that they are in flight together" + kit::task(1));
        }
        const bool is_single = trace[j].bytes == sizeof(float);
        test.method("loads of a thread", is_single,
                    {"loads of single elements that do not depend on each other",
                     who + "loads " + kit::count_of(trace[j].bytes, "byte") + " at once",
                     "Several loads in flight also help where a wide load is impossible, because the "
                     "elements of a thread are not neighbours. Wide loads are the subject of topic 03.",
                     1});
        if (!is_single) return;
        const bool its_own = open.erase(trace[j].address) == 1;
        test.demand("loads of a thread", kit::exactly(j + (its_own ? 1 : 0), j + 1),
                    who + "loads in[" + index(trace[j].address) + "] at load " + std::to_string(j) +
                        ", and its elements are " + std::to_string(rank) + " + j * " +
                        std::to_string(kIlpBlock) + ": let the lanes of a warp read neighbouring elements" +
                        kit::task(1));
        if (!its_own) return;
    }
    test.demand("loads of a thread", kit::exactly(kIlp - open.size(), kIlp),
                who + "has not loaded all its " + std::to_string(kIlp) + " elements: load each of them" +
                    kit::task(1));
}
#else
void timed(kit::Case& test) {
    const std::size_t n = 1 << 26;
    auto in = test.input("in", std::vector<float>(n, 3.0f));
    auto out = test.output<float>("out", n);
    test.call([&] { occupancy::ilp(in.data(), n, 2, 1, out.data()); });
    const auto many = kit::time([&] { occupancy::one_each(in.data(), n, 2, 1, out.data()); }, 8.0 * n);
    const auto few = test.time([&] { occupancy::ilp(in.data(), n, 2, 1, out.data()); }, 8.0 * n);
    test.expect(out, std::vector<float>(n, 7.0f), kit::exact());
    test.note("one_each: " + std::to_string(many.gb_per_s) +
              " GB/s; ilp, a quarter of the occupancy: " + std::to_string(few.gb_per_s) + " GB/s");
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("02_occupancy", "ilp", argc, argv);
    grader.task(1, {kit::Diagnosis::tail, kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::tail, kit::Diagnosis::not_written, kit::Diagnosis::out_of_bounds,
                    kit::Diagnosis::race});
    grader.task(2, {kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::not_written});
    for (int n : {0, 1, 255, 256, 257, 1023, 1024, 1025, 5003, 8192})
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, n, devices()[0]); });
#ifdef KIT_CPU
    constexpr kit::CaseOptions once = {30, true};
    grader.add(
        "more elements than threads, as a T4", [](kit::Case& test) { judge(test, 60001, "t4"); }, once);
    for (const std::string& device : devices())
        grader.add(
            "the number of threads, " + device,
            [device](kit::Case& test) { threads(test, device, device == "t4" ? 50000 : 300000); }, once);
    for (unsigned rank : {0u, 37u})
        grader.add("loads first, thread " + std::to_string(rank),
                   [rank](kit::Case& test) { order(test, rank); });
#else
    grader.add("timed, 2^26 elements", timed, {60, true});
#endif
    return grader.run();
}
