// Grades 06_histogram/cluster_histogram: the function must refuse a device without clusters, and count on all others.
#include "01_error_handling/failing_calls.hpp"
#include "06_histogram/many_bins.hpp"
#include "last_blocks.hpp"

namespace {

using namespace histogram_test;

bool device_has_clusters(kit::Case& test) {
    int device = 0, clusters = 0;
    test.cuda(cudaGetDevice(&device));
    test.cuda(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device));
    return clusters != 0;
}

/// While it exists, the executor acts as a device without clusters. It does not change a GPU.
struct WithoutClusters {
#ifdef KIT_CPU
    WithoutClusters() {
        kit::cpu::set_device("a100");
    }
    ~WithoutClusters() {
        kit::cpu::set_device(nullptr);
    }
#endif
};

void refuse_without_clusters(kit::Case& test) {
    [[maybe_unused]] const WithoutClusters device;
    if (device_has_clusters(test)) test.skip("this device has clusters");
    auto in = test.input("values", around(test.random(), 1000, 500));
    const Counts before = kit::integers<unsigned int>(test.random(), 1000, 1, 1000);
    auto bins = test.inout("bins", before);
    bool counted = true;
    test.call([&] { counted = histogram::cluster_histogram(in.data(), 1000, bins.data(), 1000); });
    test.check(!counted,
               "the function returned true on a device without clusters: return false, because it cannot "
               "count there",
               kit::Diagnosis::cuda_error);
    test.check(bins.values() == before,
               "`bins` was changed on a device without clusters: return before you change it",
               kit::Diagnosis::cuda_error);
}

void judge(kit::Case& test, const Values& values, int bin_count) {
    bool counted = true;
    const bool clusters = device_has_clusters(test);
    judge_values(
        test,
        [&](const unsigned short* in, std::size_t n, unsigned int* bins, int count) {
            counted = histogram::cluster_histogram(in, n, bins, count);
            if (!clusters) test.skip("this device has no clusters: they came with sm_90");
            test.check(counted,
                       "the function returned false on a device with clusters: check the attribute that "
                       "reports them" +
                           kit::task(1),
                       kit::Diagnosis::cuda_error);
        },
        values, bin_count);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "cluster_histogram", argc, argv);
    grader.task(1, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited});
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::race, kit::Diagnosis::out_of_bounds});
    grader.task(3, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited});
    grader.add("a device without clusters is refused", refuse_without_clusters);
    for (int n : {0, 1, 257, 40009}) {
        grader.add("n=" + std::to_string(n) + ", 65,536 bins",
                   [n](kit::Case& test) { judge(test, around(test.random(), n, 32768), 65536); });
    }
    grader.add("20,000 bins",
               [](kit::Case& test) { judge(test, around(test.random(), 30011, 16000), 20000); });
    grader.add("one value", [](kit::Case& test) { judge(test, one_value(5003, 65535), 65536); });
#ifndef KIT_CPU
    grader.add(
        "several clusters, n=3000017",
        [](kit::Case& test) { judge(test, around(test.random(), 3000017, 30000), 65536); }, large);
#endif
    kit::tell_not_tried(grader, "n=40009, 65,536 bins", 31, "values");
    error_handling::check_failing_calls(grader, argc, argv, {"n=257, 65,536 bins"});
    return grader.run();
}
