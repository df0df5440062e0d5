// Definitions for the tests of clusters.
#pragma once

#include <cooperative_groups.h>

#include "checks.cuh"

namespace cg = cooperative_groups;

#ifdef _CG_HAS_CLUSTER_GROUP
#define CLUSTERS 1
#else
#define CLUSTERS 0  // on a device without clusters, the kernels are empty
#endif

template <class... P, class... A>
cudaError_t launch_clusters(void (*kernel)(P...), unsigned blocks, unsigned threads, unsigned cluster,
                            A... arguments) {
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = cluster;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.attrs = &size;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}
