// Grades 17_device_graphs/device_launch: values clipped, their sum, and who was launched.
#include <algorithm>
#include <string>
#include <vector>

#include "17_device_graphs/running.hpp"

namespace {

using namespace device_graphs_test;

struct Owned {
    explicit Owned(device_graphs::ClippingGraphs graphs) : graphs(graphs) {}
    ~Owned() {
        for (cudaGraphExec_t exec : {graphs.main, graphs.clip, graphs.sum})
            if (exec != nullptr) cudaGraphExecDestroy(exec);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    device_graphs::ClippingGraphs graphs;
};

/// Launches the same instances with values up to each of these.
void run(kit::Case& test, int n, int limit, const std::vector<int>& most) {
    Stream stream;
    auto values = test.output<int>("values", n);
    auto over = test.output<int>("over", 1);
    auto total = test.output<unsigned long long>("total", 1);
    const device_graphs::Clipping work = {values.data(), n, limit, over.data(), total.data()};
    const Owned made(made_by(test, [&] { return device_graphs::build_clipping(work, stream); }));
    test.check(made.graphs.main && made.graphs.clip && made.graphs.sum, "an instance is missing");
    if (!made.graphs.main) return;
    for (const int largest : most) {
        std::vector<int> now = kit::integers<int>(test.random(), n, 0, largest);
        overwrite(test, values.data(), now);
        over.reset();
        total.reset();
        const Ran ran = launch(test, made.graphs.main, stream);
        int want_over = 0;
        unsigned long long want = 0;
        for (int& value : now) {
            want_over += value > limit;
            value = std::min(value, limit);
            want += static_cast<unsigned long long>(value);
        }
        test.expect(values, now, kit::exact());
        test.equal("*over", over.values()[0], want_over);
        test.expect(total, {want}, kit::exact());
        if (!is_counted) continue;
        const std::uint64_t wanted = want_over > 0 ? 2 : 1;
        test.demand(
            "launches by kernels", ran.by_device == wanted,
            count_of(ran.by_device, "graph") + " launched by kernels, and " + std::to_string(wanted) +
                (want_over > 0 ? " are needed: `clip` and `sum`" : " is needed: nothing is to be clipped"));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("17_device_graphs", "device_launch", argc, argv);
    grader.task(1, {kit::Diagnosis::race, kit::Diagnosis::wrong_value});
    grader.task(2, "cudaGraphUpload");
    grader.task(2, "cudaGraphInstantiateFlagDeviceLaunch");
    grader.task(3, {kit::Diagnosis::cuda_error});
    for (int n : {1, 255, 256, 257, 1009}) {
        grader.add("n=" + std::to_string(n) + ", some values over the limit", [n](kit::Case& test) {
            run(test, n, 500, {1000, 2000, 100000});
        });
    }
    grader.add("nothing to clip", [](kit::Case& test) { run(test, 700, 500, {500, 10, 0}); });
    grader.add("something, nothing, something", [](kit::Case& test) {
        run(test, 700, 500, {900, 500, 900});
    });
    grader.add("a limit of 0", [](kit::Case& test) { run(test, 300, 0, {5, 0, 5}); });
#ifndef KIT_CPU
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003, 500, {1000, 400}); }, {60, true});
#endif
    return grader.run();
}
