// The limits of clusters.
#include "cluster_limits.hpp"

#include <algorithm>

#include "device.hpp"
#include "kernel_settings.hpp"

namespace kit::cpu {
namespace {

constexpr int most_cluster_blocks =
    8;  ///< per multiprocessor: what an H200 answers, however small the blocks

std::string shape(const dim3& d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

bool same(const dim3& a, const dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

ClusterRefusal refuse_cluster(const Launch& launch, const KernelFacts& facts) {
    const dim3 required = required_cluster(launch.function, facts), &cluster = launch.cluster;
    if (!cluster.x) {
        if (kernel_settings(launch.function).cluster_must_be_set)
            return {cudaErrorInvalidClusterSize,
                    "the kernel's cudaFuncAttributeClusterDimMustBeSet demands clusters, and this launch has "
                    "none"};
        return {};
    }
    const auto wrong = [&](const std::string& why) {
        return ClusterRefusal{cudaErrorInvalidClusterSize, "clusters of " + shape(cluster) + " blocks" + why};
    };
    if (device().major < 9)
        return {cudaErrorNotSupported, std::string("clusters came with sm_90, and ") + device().name +
                                           " is sm_" + std::to_string(device().major * 10 + device().minor)};
    if (!cluster.y || !cluster.z) return wrong(": every direction needs at least 1");
    if (required.x && !same(required, cluster))
        return wrong("; the kernel is made for clusters of " + shape(required));
    const unsigned long long size = 1ull * cluster.x * cluster.y * cluster.z;
    if (size > largest_cluster)
        return wrong("; " + std::string(device().name) + " allows " + std::to_string(largest_cluster) +
                     " at most");
    if (size > portable_cluster && !kernel_settings(launch.function).non_portable_cluster)
        return wrong("; without cudaFuncAttributeNonPortableClusterSizeAllowed at most " +
                     std::to_string(portable_cluster));
    if (facts.bounds.cluster_blocks && size > facts.bounds.cluster_blocks)
        return wrong("; the kernel's __launch_bounds__ allows " +
                     std::to_string(facts.bounds.cluster_blocks));
    if (launch.grid.x % cluster.x || launch.grid.y % cluster.y || launch.grid.z % cluster.z)
        return wrong(" do not divide the grid " + shape(launch.grid));
    return {};
}

int resident_clusters(int blocks_per_multiprocessor, unsigned cluster_size) {
    // 8 GPCs of up to 18 multiprocessors, of which a chip has some switched off. These fit what an H200 has answered, to
    // within an eighth; clusters of 4 and more used whole groups of four multiprocessors there.
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
