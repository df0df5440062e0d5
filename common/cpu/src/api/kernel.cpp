// API functions for kernels: their attributes, and how many of their blocks are resident at the same time.
#include <algorithm>
#include <cstring>
#include <kit_cpu/runtime_templates.hpp>
#include <map>
#include <string>

#include "api.hpp"
#include "device/device.hpp"
#include "device/kernel_settings.hpp"
#include "device/launch_limits.hpp"
#include "run/pointer_launch.hpp"

namespace kit::cpu {
namespace {

/// Calls the body with the facts about the kernel.
template <class Body>
cudaError_t with_kernel(const void* kernel, Body body) {
    return api_call([&] {
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        const KernelFacts& facts = known_facts(kernel);
        return facts.name.empty() ? cudaErrorInvalidDeviceFunction : body(facts);
    });
}

/// Returns the number of blocks that the occupancy API returns. The number is 0 if a launch would be refused,
/// but __launch_bounds__ is not considered.
int answered_blocks(const void* kernel, const KernelFacts& facts, int threads, std::size_t dynamic_shared) {
    if (threads > static_cast<int>(max_block_threads)) return 0;
    if (dynamic_shared > dynamic_shared_limit(kernel, facts)) return 0;
    return resident_blocks_of(kernel, facts, threads, dynamic_shared);
}

cudaError_t set_required_cluster(const void* kernel, const KernelFacts& facts, unsigned dim3::*direction,
                                 int value) {
    if (facts.bounds.cluster.x) return cudaErrorNotPermitted;  // a program cannot change __cluster_dims__
    if (value < 0) return cudaErrorInvalidValue;
    change_settings(kernel).cluster.*direction = static_cast<unsigned>(value);
    return cudaSuccess;
}

}  // namespace

cudaError_t best_block_size(int* min_grid, int* block, const void* kernel,
                            std::size_t (*shared)(int, const void*), const void* context, int limit,
                            unsigned flags) {
    if (!min_grid || !block || !kernel || flags > cudaOccupancyDisableCachingOverride)
        return cudaErrorInvalidValue;
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        int most = std::min(max_threads_of(kernel, facts), max_block_threads), best_threads = 0;
        if (limit > 0) most = std::min(most, limit);
        *block = *min_grid = 0;
        // Try block sizes from large to small, so that of two sizes with the same occupancy the larger one is
        // returned.
        for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
            const int size = std::min(threads, most);
            const int blocks = answered_blocks(kernel, facts, size, shared(size, context));
            if (blocks * size <= best_threads) continue;
            best_threads = blocks * size;
            *block = size;
            *min_grid = blocks * device().multiprocessors;
            if (best_threads == device().threads_per_multiprocessor) break;
        }
        return cudaSuccess;
    });
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!attributes) return cudaErrorInvalidValue;
        const KernelSettings& settings = kernel_settings(kernel);
        const dim3 cluster = required_cluster(kernel, facts);
        std::memset(attributes, 0, sizeof *attributes);
        attributes->sharedSizeBytes = facts.static_shared_bytes;
        attributes->maxThreadsPerBlock = max_threads_of(kernel, facts);
        attributes->numRegs = registers_of(kernel, facts);
        attributes->ptxVersion = attributes->binaryVersion = device().major * 10 + device().minor;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(kernel, facts));
        attributes->preferredShmemCarveout = settings.carveout;
        attributes->clusterDimMustBeSet = settings.cluster_must_be_set || cluster.x != 0;
        attributes->requiredClusterWidth = static_cast<int>(cluster.x);
        attributes->requiredClusterHeight = static_cast<int>(cluster.y);
        attributes->requiredClusterDepth = static_cast<int>(cluster.z);
        attributes->clusterSchedulingPolicyPreference = settings.cluster_policy;
        attributes->nonPortableClusterSizeAllowed = settings.non_portable_cluster;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        const bool truth = value == 0 || value == 1;
        switch (attribute) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                if (value < 0 || static_cast<std::size_t>(value) + facts.static_shared_bytes >
                                     device().shared_per_block_optin)
                    return cudaErrorInvalidValue;
                change_settings(kernel).dynamic_shared = value;
                return cudaSuccess;
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < -1 || value > 100) return cudaErrorInvalidValue;
                change_settings(kernel).carveout = value;
                return cudaSuccess;
            case cudaFuncAttributeClusterDimMustBeSet:
                if (!truth) return cudaErrorInvalidValue;
                change_settings(kernel).cluster_must_be_set = value != 0;
                return cudaSuccess;
            case cudaFuncAttributeRequiredClusterWidth:
                return set_required_cluster(kernel, facts, &dim3::x, value);
            case cudaFuncAttributeRequiredClusterHeight:
                return set_required_cluster(kernel, facts, &dim3::y, value);
            case cudaFuncAttributeRequiredClusterDepth:
                return set_required_cluster(kernel, facts, &dim3::z, value);
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
                if (!truth) return cudaErrorInvalidValue;
                change_settings(kernel).non_portable_cluster = value != 0;
                return cudaSuccess;
            case cudaFuncAttributeClusterSchedulingPolicyPreference:
                if (value < 0 || value > 2) return cudaErrorInvalidValue;
                change_settings(kernel).cluster_policy = value;
                return cudaSuccess;
            case cudaFuncAttributeMax:
                break;
        }
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config) {
    return with_kernel(kernel, [&](const KernelFacts&) {
        change_settings(kernel).cache = config;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
    return with_kernel(kernel, [](const KernelFacts&) { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        static auto& names = *new std::map<const void*, std::string>;
        if (!name) return cudaErrorInvalidValue;
        *name = names.emplace(kernel, facts.name).first->second.c_str();
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int blockSize, std::size_t dynamicShared,
                                                                   unsigned int flags) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!blocks || blockSize <= 0 || flags > cudaOccupancyDisableCachingOverride)
            return cudaErrorInvalidValue;
        *blocks = answered_blocks(kernel, facts, blockSize, dynamicShared);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int blockSize,
                                                          std::size_t dynamicShared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, blockSize, dynamicShared,
                                                                  cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicShared, const void* kernel,
                                                      int blocks, int blockSize) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!dynamicShared || blocks <= 0 || blockSize <= 0) return cudaErrorInvalidValue;
        if (answered_blocks(kernel, facts, blockSize, 0) < blocks) return cudaErrorInvalidValue;
        const Device& d = device();
        // The formula of CUDA's driver: an equal share of the shared memory, which includes the part that the
        // driver reserves for each block.
        const std::size_t unit = shared_unit(d);
        const std::size_t share =
            std::min(d.shared_per_multiprocessor / static_cast<std::size_t>(blocks) / unit * unit,
                     d.shared_per_block_optin + d.shared_reserved);
        *dynamicShared =
            std::min(share - std::min(share, facts.static_shared_bytes), dynamic_shared_limit(kernel, facts));
        return cudaSuccess;
    });
}

cudaError_t cudaFuncGetParamInfo(const void* kernel, std::size_t index, std::size_t* offset,
                                 std::size_t* bytes) {
    const Place place = KIT_CALLER;
    return api_call([&] { return parameter_at(kernel, index, place, offset, bytes); });
}
