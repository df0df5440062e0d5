// Launches from host code, and the API calls about kernels: attributes and occupancy.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "api.hpp"
#include "device.hpp"
#include "device_runtime.hpp"
#include "family.hpp"
#include "finding.hpp"
#include "graphs/capture.hpp"
#include "launch_limits.hpp"
#include "pointer_launch.hpp"
#include "stream.hpp"

namespace kit::cpu {
namespace {

/// Runs the body with what is known of the kernel.
template <class Body>
cudaError_t with_kernel(const void* kernel, Body body) {
    return api_call([&] {
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        const KernelFacts& facts = known_facts(kernel);
        return facts.name.empty() ? cudaErrorInvalidDeviceFunction : body(facts);
    });
}

}  // namespace

void name_kernel(Launch& launch) {
    if (launch.name.empty() && launch.function) launch.name = short_name(known_facts(launch.function).name);
}

cudaError_t submit(Launch launch) {
    if (in_kernel()) return submit_from_kernel(std::move(launch));
    return api_call([&] {
        CUstream_st* stream = find_stream(launch.stream);
        if (!stream) return cudaErrorInvalidResourceHandle;
        name_kernel(launch);
        if (const cudaError_t error = check_launch(launch)) return error;
        if (concerns_capture(*stream)) {
            const std::string what = "the launch of `" + launch.name + "`";
            const Place place = launch.place;
            return capture_task(*stream, what.c_str(), place, std::move(launch));
        }
        enqueue(*stream, Work::kernel, [launch = std::move(launch)] { return Family(launch).run(); });
        return cudaSuccess;
    });
}

cudaError_t best_block_size(int* min_grid, int* block, const void* kernel,
                            std::size_t (*shared)(int, const void*), const void* context, int limit) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!min_grid || !block) return cudaErrorInvalidValue;
        int most = static_cast<int>(facts.max_threads), best_threads = 0;
        if (limit > 0) most = std::min(most, limit);
        for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
            const int size = std::min(threads, most);
            const std::size_t bytes = facts.static_shared_bytes + shared(size, context);
            const int blocks = resident_blocks(static_cast<std::size_t>(size), bytes);
            if (blocks * size <= best_threads) continue;
            best_threads = blocks * size;
            *block = size;
            *min_grid = blocks * device().multiprocessors;
        }
        return best_threads ? cudaSuccess : cudaErrorInvalidValue;
    });
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!attributes) return cudaErrorInvalidValue;
        std::memset(attributes, 0, sizeof *attributes);
        attributes->sharedSizeBytes = facts.static_shared_bytes;
        attributes->maxThreadsPerBlock = static_cast<int>(facts.max_threads);
        attributes->numRegs = registers_per_thread;
        attributes->ptxVersion = attributes->binaryVersion = device().major * 10 + device().minor;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(kernel, facts));
        attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
            const std::size_t most = device().shared_per_block_optin;
            if (value < 0 || static_cast<std::size_t>(value) + facts.static_shared_bytes > most)
                return cudaErrorInvalidValue;
            grant_dynamic_shared(kernel, static_cast<std::size_t>(value));
            return cudaSuccess;
        }
        if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
            return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
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

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int blockSize,
                                                          std::size_t dynamicShared) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!blocks || blockSize <= 0) return cudaErrorInvalidValue;
        const bool fits = static_cast<unsigned>(blockSize) <= facts.max_threads &&
                          dynamicShared <= dynamic_shared_limit(kernel, facts);
        *blocks = fits ? resident_blocks(static_cast<std::size_t>(blockSize),
                                         facts.static_shared_bytes + dynamicShared)
                       : 0;
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* dynamicShared, const void* kernel,
                                                      int blocks, int blockSize) {
    return with_kernel(kernel, [&](const KernelFacts& facts) {
        if (!dynamicShared || blocks <= 0 || blockSize <= 0) return cudaErrorInvalidValue;
        if (resident_blocks(static_cast<std::size_t>(blockSize), 0) < blocks) return cudaErrorInvalidValue;
        const Device& d = device();
        std::size_t share = d.shared_per_multiprocessor / static_cast<std::size_t>(blocks) / 128 * 128;
        share = std::min(share - std::min(share, d.shared_reserved), d.shared_per_block_optin);
        *dynamicShared = share - std::min(share, facts.static_shared_bytes);
        return cudaSuccess;
    });
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream, Place place) {
    return launch_by_address({{}, kernel, grid, block, shared, stream, false, place, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream, Place place) {
    return launch_by_address({{}, kernel, grid, block, shared, stream, true, place, {}}, arguments);
}
