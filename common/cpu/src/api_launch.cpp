// Launches from host code. The API calls about kernels are in api_kernel.cpp.
#include <cuda_runtime_api.h>

#include <string>

#include "api.hpp"
#include "finding.hpp"
#include "grid.hpp"
#include "kernel_settings.hpp"
#include "launch_limits.hpp"
#include "pointer_launch.hpp"
#include "stream.hpp"

namespace kit::cpu {
namespace {

/// "reduce<256>" from "void reduce<256>(float const*, int, float*)".
std::string short_name(const std::string& demangled) {
    std::size_t end = demangled.size();
    if (end && demangled.back() == ')') {
        int depth = 0;
        while (end) {
            const char c = demangled[--end];
            if (c == ')') ++depth;
            if (c == '(' && --depth == 0) break;
        }
    }
    return demangled.compare(0, 5, "void ") == 0 ? demangled.substr(5, end - 5) : demangled.substr(0, end);
}

}  // namespace

cudaError_t submit(Launch launch) {
    if (in_kernel())
        stop_kernel(cudaErrorNotSupported, "launch",
                    "a kernel launched a kernel; the CPU executor does not offer that yet", launch.place);
    return api_call([&] {
        CUstream_st* stream = find_stream(launch.stream);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (launch.name.empty() && launch.function)
            launch.name = short_name(known_facts(launch.function).name);
        if (!launch.cluster.x)
            launch.cluster = required_cluster(launch.function, known_facts(launch.function));
        if (const cudaError_t error = check_launch(launch)) return error;
        enqueue(*stream, Work::kernel, [launch = std::move(launch)] { return run_grid(launch); });
        return cudaSuccess;
    });
}

}  // namespace kit::cpu

using namespace kit::cpu;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream, Place place) {
    return launch_by_address({{}, kernel, grid, block, shared, stream, false, place, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream, Place place) {
    return launch_by_address({{}, kernel, grid, block, shared, stream, true, place, {}}, arguments);
}
