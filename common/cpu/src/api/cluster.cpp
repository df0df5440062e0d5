// Launches with a configuration and attributes, and queries for the number of clusters that fit on the
// device.
#include <kit_cpu/launch_api.hpp>

#include "api.hpp"
#include "attributes.hpp"
#include "device/cache_lines.hpp"
#include "device/cluster_limits.hpp"
#include "device/kernel_settings.hpp"
#include "device/launch_limits.hpp"
#include "graphs/device_nodes.hpp"
#include "run/pointer_launch.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"
#include "source/kept_text.hpp"

namespace kit::cpu {

using facts::Rule;

namespace {

/// Applies an attribute to the launch. Attributes that only affect speed are checked and then ignored.
Rule apply(Launch& launch, const cudaLaunchAttribute& attribute) {
    const cudaLaunchAttributeValue& value = attribute.val;
    switch (attribute.id) {
        case cudaLaunchAttributeCooperative:
            launch.cooperative = value.cooperative != 0;
            return Rule::none;
        case cudaLaunchAttributeClusterDimension:
            launch.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
            return launch.cluster.x ? Rule::none : Rule::attribute_without_blocks;
        case cudaLaunchAttributeClusterSchedulingPolicyPreference:
            return static_cast<unsigned>(value.clusterSchedulingPolicyPreference) > 2
                       ? Rule::attribute_without_policy
                       : Rule::none;
        case cudaLaunchAttributePreferredSharedMemoryCarveout:
            return value.sharedMemCarveout > 100 ? Rule::attribute_too_many_percent : Rule::none;
        case cudaLaunchAttributeAccessPolicyWindow:
            launch.window = value.accessPolicyWindow;
            launch.has_window = true;
            return check_window(launch.window) == cudaSuccess ? Rule::none : Rule::attribute_without_window;
        case cudaLaunchAttributeIgnore:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributeProgrammaticStreamSerialization:
        case cudaLaunchAttributeProgrammaticEvent:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain:
        case cudaLaunchAttributePreferredClusterDimension:
        case cudaLaunchAttributeLaunchCompletionEvent:
            return Rule::none;
        case cudaLaunchAttributeDeviceUpdatableKernelNode:
            break;
    }
    return Rule::attribute_not_offered;
}

/// Makes the node that records this launch one that kernels can change.
cudaError_t make_updatable(Launch& launch, cudaLaunchAttribute& attribute) {
    const int wanted = attribute.val.deviceUpdatableKernelNode.deviceUpdatable;
    if (wanted == 0) return cudaSuccess;
    const std::lock_guard lock(api_mutex());
    const CUstream_st* const stream = in_kernel() ? nullptr : find_stream(launch.stream);
    if (wanted != 1 || !stream || !stream->capture) {
        add_finding(
            finding(wanted == 1 ? Rule::updatable_not_captured : Rule::updatable_no_flag, launch.place));
        return cudaErrorInvalidValue;
    }
    launch.device_node = attribute.val.deviceUpdatableKernelNode.devNode = new_device_node();
    return cudaSuccess;
}

/// Runs a query about clusters of the kernel with the launch that the configuration describes.
template <class Body>
cudaError_t with_launch(const void* kernel, const cudaLaunchConfig_t* config, Body body) {
    return api_call([&] {
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        const KernelFacts& facts = known_facts(kernel);
        if (facts.name.empty()) return cudaErrorInvalidDeviceFunction;
        if (!config) return cudaErrorInvalidValue;
        Launch launch;
        if (const cudaError_t error = configure(launch, {config, {}}, kernel)) return error;
        launch.name = keep(facts.name);
        return body(launch, facts);
    });
}

int blocks_at_once(const Launch& launch, const KernelFacts& facts) {
    const auto threads = static_cast<std::size_t>(launch.block.x) * launch.block.y * launch.block.z;
    if (threads == 0 || threads > facts.max_threads) return 0;
    if (launch.dynamic_shared > dynamic_shared_limit(launch.function, facts)) return 0;
    return resident_blocks_of(launch.function, facts, static_cast<int>(threads), launch.dynamic_shared);
}

}  // namespace

cudaError_t set_attribute(Launch& launch, const cudaLaunchAttribute& attribute) {
    const Rule fault = apply(launch, attribute);
    if (fault == Rule::none) return cudaSuccess;
    add_finding(finding(fault, launch.place).with("attribute", static_cast<int>(attribute.id)));
    return fault == Rule::attribute_not_offered ? cudaErrorNotSupported : cudaErrorInvalidValue;
}

cudaError_t configure(Launch& launch, const LaunchCall& call, const void* kernel) {
    if (!call.config) return note_error(cudaErrorInvalidValue);
    const cudaLaunchConfig_t& config = *call.config;
    launch.function = kernel;
    launch.grid = config.gridDim;
    launch.block = config.blockDim;
    launch.dynamic_shared = config.dynamicSmemBytes;
    launch.stream = config.stream;
    launch.place = call.place;
    if (config.numAttrs && !config.attrs) return note_error(cudaErrorInvalidValue);
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        cudaLaunchAttribute& attribute = config.attrs[i];
        const cudaError_t error = attribute.id == cudaLaunchAttributeDeviceUpdatableKernelNode
                                      ? make_updatable(launch, attribute)
                                      : set_attribute(launch, attribute);
        if (error != cudaSuccess) return note_error(error);
    }
    return cudaSuccess;
}

cudaError_t record_events(const cudaLaunchConfig_t& config) {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        cudaEvent_t event = nullptr;
        if (attribute.id == cudaLaunchAttributeProgrammaticEvent)
            event = attribute.val.programmaticEvent.event;
        if (attribute.id == cudaLaunchAttributeLaunchCompletionEvent)
            event = attribute.val.launchCompletionEvent.event;
        if (!event) continue;
        if (const cudaError_t error = cudaEventRecord(event, config.stream)) return error;
    }
    return cudaSuccess;
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
    const Place place = KIT_CALLER;
    Launch launch;
    cudaError_t error = configure(launch, {config, place}, kernel);
    if (error == cudaSuccess) error = launch_by_address(std::move(launch), arguments);
    return error == cudaSuccess ? record_events(*config) : error;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config) {
    return with_launch(kernel, config, [&](Launch& launch, const KernelFacts& facts) {
        if (!clusters) return cudaErrorInvalidValue;
        if (!launch.cluster.x) launch.cluster = required_cluster(kernel, facts);
        if (!launch.cluster.x) return cudaErrorInvalidClusterSize;
        if (const ClusterRefusal refusal = refuse_cluster(launch, facts); refusal.error) return refusal.error;
        *clusters = resident_clusters(blocks_at_once(launch, facts),
                                      launch.cluster.x * launch.cluster.y * launch.cluster.z);
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel,
                                                 const cudaLaunchConfig_t* config) {
    return with_launch(kernel, config, [&](Launch& launch, const KernelFacts& facts) {
        if (!size) return cudaErrorInvalidValue;
        if (device().major < 9) return cudaErrorNotSupported;
        const dim3 required = required_cluster(kernel, facts);
        const dim3& asked = launch.cluster;
        if (required.x && asked.x &&
            (required.x != asked.x || required.y != asked.y || required.z != asked.z))
            return cudaErrorInvalidClusterSize;
        const bool non_portable = kernel_settings(kernel).non_portable_cluster;
        unsigned most = required.x     ? required.x * required.y * required.z
                        : non_portable ? largest_cluster
                                       : portable_cluster;
        while (!required.x && most > 1 && resident_clusters(blocks_at_once(launch, facts), most) == 0)
            most /= 2;
        *size = static_cast<int>(most);
        return cudaSuccess;
    });
}
