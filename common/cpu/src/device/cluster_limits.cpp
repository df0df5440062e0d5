// The limits of thread block clusters.
#include "cluster_limits.hpp"

#include <algorithm>

#include "device.hpp"
#include "kernel_settings.hpp"
#include "source/findings.hpp"

namespace kit::cpu {

using facts::Rule;

namespace {

/// Resident blocks of clusters per multiprocessor: at most as many as an H200 reports, for blocks of any size.
constexpr int most_cluster_blocks = 8;

bool same(const dim3& a, const dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

std::string text_of(const dim3& size) {
    return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

ClusterRefusal refuse_cluster(const Launch& launch, const KernelFacts& facts) {
    const dim3 required = required_cluster(launch.function, facts), &cluster = launch.cluster;
    const auto wrong = [&](Rule rule) {
        return finding(rule, launch.place).in(launch.name).with("cluster", text_of(cluster));
    };
    if (!cluster.x) {
        if (kernel_settings(launch.function).cluster_must_be_set)
            return {cudaErrorInvalidClusterSize, wrong(Rule::cluster_not_set)};
        return {};
    }
    const auto refuse = [](const Finding& why) { return ClusterRefusal{cudaErrorInvalidClusterSize, why}; };
    const Device& d = device();
    if (d.major < 9)
        return {cudaErrorNotSupported, wrong(Rule::clusters_too_new)
                                           .with("device", d.name)
                                           .with("architecture", d.major * 10 + d.minor)};
    if (!cluster.y || !cluster.z) return refuse(wrong(Rule::cluster_without_blocks));
    if (required.x && !same(required, cluster))
        return refuse(wrong(Rule::kernel_has_cluster).with("required", text_of(required)));
    const unsigned long long size = 1ull * cluster.x * cluster.y * cluster.z;
    if (size > largest_cluster)
        return refuse(wrong(Rule::cluster_too_large).with("device", d.name).with("most", largest_cluster));
    if (size > portable_cluster && !kernel_settings(launch.function).non_portable_cluster)
        return refuse(wrong(Rule::cluster_not_portable).with("most", portable_cluster));
    if (facts.bounds.cluster_blocks && size > facts.bounds.cluster_blocks)
        return refuse(wrong(Rule::cluster_beyond_bounds).with("most", facts.bounds.cluster_blocks));
    if (launch.grid.x % cluster.x || launch.grid.y % cluster.y || launch.grid.z % cluster.z)
        return refuse(wrong(Rule::cluster_does_not_divide).with("grid", text_of(launch.grid)));
    return {};
}

int resident_clusters(int blocks_per_multiprocessor, unsigned cluster_size) {
    // The sizes of 8 GPCs with up to 18 multiprocessors each, some of which are disabled on a chip. The
    // results differ by at most an eighth from those of an H200, on which clusters of 4 or more blocks used
    // whole groups of four multiprocessors.
    const int groups[] = {14, 16, 16, 16, 16, 18, 18, 18};
    const int blocks = std::min(blocks_per_multiprocessor, most_cluster_blocks);
    int clusters = 0;
    for (const int multiprocessors : groups) {
        const int usable = cluster_size < 4 ? multiprocessors : multiprocessors / 4 * 4;
        clusters += usable * blocks / static_cast<int>(cluster_size);
    }
    return clusters;
}

}  // namespace kit::cpu
