// Grades 16_dynamic_parallelism/parent_child: a parent, two children, and a tail launch that needs their results.
// sanitizer.racecheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.initcheck: compute-sanitizer does not follow kernels that kernels launch
// sanitizer.synccheck: compute-sanitizer does not follow kernels that kernels launch
#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "16_dynamic_parallelism/launches.hpp"

namespace {

using namespace nested_test;

#ifdef KIT_CPU
/// Explains the executor's findings in `out` and `least`.
kit::Said cause_of(const kit::facts::Finding& found, const kit::Output<int>& out) {
    if (found.memory.name == "least")
        return "the children read this value: let the parent store it before it launches them" + kit::task(1);
    if (found.memory.name != "out") return "";
    if (found.rule == kit::facts::Rule::race)
        return found.accesses.size() == 2 && found.accesses[0].write && found.accesses[1].write
                   ? "both children write it: give the second one the values starting at n / 2, in both "
                     "arrays" +
                         kit::task(2)
                   : "";
    const std::vector<int> values = out.values();
    const bool missing = std::any_of(values.begin(), values.end(), kit::detail::is_poison<int>);
    return missing ? "no child writes it: give the children n / 2 and n - n / 2 values, and each grid a "
                     "thread for each of them" +
                         kit::task(2)
                   : "";
}
#endif

void judge(kit::Case& test, int n, bool count) {
    const auto values = kit::integers<int>(test.random(), n, -1000000000, 1000000000);
    const int least = n == 0 ? INT_MAX : *std::min_element(values.begin(), values.end());
    std::vector<int> want(values.size());
    long long total = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        want[i] = static_cast<int>(static_cast<unsigned>(values[i]) - static_cast<unsigned>(least));
        total += want[i];
    }
    auto in = test.input("in", values);
    auto out = test.output<int>("out", static_cast<std::size_t>(n));
    auto out_least = test.output<int>("least", 1);
    auto out_total = test.output<long long>("total", 1);
#ifdef KIT_CPU
    for (const kit::Diagnosis diagnosis : {kit::Diagnosis::race, kit::Diagnosis::uninitialised})
        test.explain(diagnosis, [&out](const kit::facts::Finding& found) { return cause_of(found, out); });
#endif
    const Launches launches = counted_call(
        test, [&] { nested::parent_child(in.data(), n, out.data(), out_least.data(), out_total.data()); });
    test.expect(out, want);
    test.expect(out_least, {least});
    test.expect(out_total, {total});
    if (count && launches_are_counted) {
        const std::uint64_t children = 1 + (n > 1) + (n > 0);
        const bool all_by_host = launches.by_host == children + 1 && launches.by_kernels == 0;
        test.method(
            "launches by kernels", !all_by_host,
            {"a kernel that launches its own children",
             "the host launched " + kernels(launches.by_host) + ", and no kernel launched one",
             "A parent can decide what to launch from values that only the device knows. The later exercises "
             "of this topic do that, and the host would have to wait and copy.",
             2});
        if (all_by_host) return;
        test.demand("launches by the host", kit::exactly(launches.by_host, 1),
                    kernels(launches.by_host) + " launched by the host, expected 1: launch only the parent");
        test.demand("launches by kernels", kit::exactly(launches.by_kernels, children),
                    kernels(launches.by_kernels) + " launched by kernels for n=" + std::to_string(n) +
                        ", expected " + std::to_string(children) +
                        ": let one thread of the parent launch them");
    }
}

#ifdef KIT_CPU
/// Returns the elements that this thread of the first block of any kernel writes.
std::vector<long> written_by(kit::Case& test, unsigned rank, int n) {
    auto in = test.input("in", kit::integers<int>(test.random(), n, -1000, 1000));
    auto out = test.output<int>("out", static_cast<std::size_t>(n));
    auto least = test.output<int>("least", 1);
    auto total = test.output<long long>("total", 1);
    kit::cpu::trace_thread(0, rank);
    test.call([&] { nested::parent_child(in.data(), n, out.data(), least.data(), total.data()); });
    std::vector<long> written;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace()) {
        const long i = reinterpret_cast<const int*>(access.address) - out.data();
        if (access.write && i >= 0 && i < n) written.push_back(i);
    }
    return written;
}

/// With an odd number of elements, the middle one belongs to one of the halves: it is the first of the second child or the last
/// of the first one. If both children write it, they write the same value, so the result does not show it.
void one_half_each(kit::Case& test) {
    constexpr int n = 101;
    std::vector<long> all = written_by(test, 0, n);
    const std::vector<long> last = written_by(test, n / 2, n);
    all.insert(all.end(), last.begin(), last.end());
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    const std::string element = twice == all.end() ? "" : std::to_string(*twice);
    test.demand("writers of a value", kit::at_most(twice == all.end() ? 1 : 2, 1),
                "out[" + element + "] of " + std::to_string(n) +
                    " is written by both children: begin the second half where the first one ends" +
                    kit::task(2));
}
#endif

/// Runs in its own process. Returns whether the result is complete.
bool complete() {
    std::vector<int> in(1000);
    for (int i = 0; i < 1000; ++i) in[i] = (i * 7919) % 1009 + 5;
    kit::DeviceBuffer<int> values(in), out(in.size()), least(1);
    kit::DeviceBuffer<long long> total(1);
    for (kit::DeviceBuffer<int>* one : {&out, &least}) one->clear();
    total.clear();
    nested::parent_child(values.data(), 1000, out.data(), least.data(), total.data());
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    const int low = *std::min_element(in.begin(), in.end());
    long long sum = 0;
    for (int value : in) sum += value - low;
    return total.to_vector()[0] == sum && least.to_vector()[0] == low;
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* what = error_handling::probe_asked(argc, argv)) return refused_main(what, complete);
    kit::Grader grader("16_dynamic_parallelism", "parent_child", argc, argv);
    grader.task(
        1,
        kit::About().rule(
            kit::facts::Rule::private_argument));  // the launch shows it, but the argument is the mistake
    grader.task(1, {kit::Diagnosis::out_of_bounds});
    grader.task(3, kit::About().on("total"));
    grader.task(2, {kit::Diagnosis::not_written, kit::Diagnosis::tail, kit::Diagnosis::cuda_error,
                    kit::Diagnosis::wrong_value});
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::uninitialised});
    for (int n : kit::sizes(nested::kBlock)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, n, false); });
    }
#ifdef KIT_CPU
    grader.add("each value by one child, n=101", one_half_each);
#endif
    for (int n : {0, 1, 2, 1001}) {
        grader.add("launches, counted, n=" + std::to_string(n),
                   [n](kit::Case& test) { judge(test, n, true); });
    }
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("n=34000003", [](kit::Case& test) { judge(test, 34000003, false); }, {60, true});
#endif
    add_refused(grader, {1}, 2);  // a child is refused
    add_refused(grader, {2}, 3);  // both children are pending, and the launch into the tail is refused
    return grader.run();
}
