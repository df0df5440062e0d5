// API functions that launch kernels from host code.
#include <kit_cpu/runtime_templates.hpp>
#include <string>

#include "api.hpp"
#include "cache_hints.hpp"
#include "device/kernel_settings.hpp"
#include "device/launch_limits.hpp"
#include "graphs/capture.hpp"
#include "run/device_runtime.hpp"
#include "run/family.hpp"
#include "run/pointer_launch.hpp"
#include "run/stream.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {

void name_kernel(Launch& launch) {
    if (!*launch.name && launch.function) launch.name = keep(short_name(known_facts(launch.function).name));
    if (!launch.cluster.x) launch.cluster = required_cluster(launch.function, known_facts(launch.function));
}

std::shared_ptr<const KernelCall> owned(const KernelCall* call) {
    return std::shared_ptr<const KernelCall>(call);
}

Launch launch_of(const char* name, const void* function, dim3 grid, dim3 block, std::size_t shared,
                 cudaStream_t stream, const Place& place) {
    return {name, function, grid, block, shared, stream, false, place, {}};
}

cudaError_t submit(Launch& launch, const KernelCall* body) {
    launch.body = owned(body);
    return submit(std::move(launch));
}

cudaError_t submit(Launch launch) {
    if (in_kernel()) return submit_from_kernel(std::move(launch));
    return api_call([&] {
        CUstream_st* stream = find_stream(launch.stream);
        if (!stream) return cudaErrorInvalidResourceHandle;
        name_kernel(launch);
        launch.device = stream->device;  // the device of the stream counts, not the current device
        launch.calls = host_calls();
        if (!launch.has_window) launch.window = window_of(*stream);
        watch_for_persisting();
        if (const cudaError_t error = check_launch(launch)) return error;
        if (concerns_capture(*stream)) {
            const Place place = launch.place;
            return capture_task(*stream, "", place, std::move(launch));
        }
        WorkLabel label{WorkKind::kernel, launch.name, launch.place};
        label.calls = launch.calls;
        label.on_current_device = stream->device == current_device();
        enqueue(*stream, std::move(label), [launch = std::move(launch)] { return Family(launch).run(); });
        return cudaSuccess;
    });
}

}  // namespace kit::cpu

kit::cpu::Place kit::cpu::this_call() {
    return KIT_CALLER;
}

using namespace kit::cpu;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
    const Place place = KIT_CALLER;
    return launch_by_address({"", kernel, grid, block, shared, stream, false, place, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
    const Place place = KIT_CALLER;
    return launch_by_address({"", kernel, grid, block, shared, stream, true, place, {}}, arguments);
}
