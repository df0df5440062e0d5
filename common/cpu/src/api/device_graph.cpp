// The API calls about graphs that only kernels make.
#include "device_graph.hpp"

#include <cuda_runtime_api.h>

#include "api.hpp"
#include "graphs/graph_run.hpp"
#include "run/family.hpp"
#include "run/worker.hpp"
#include "words/device_graph_words.hpp"
#include "words/finding.hpp"

using namespace kit::cpu;

cudaError_t kit::cpu::launch_from_kernel(cudaGraphExec_t exec, cudaStream_t stream, Place place) {
    return answer_kernel([&] {
        if (GraphRun* const run = GraphRun::now()) return run->launch(exec, stream, place);
        add_finding(device_launch_refused(LaunchFault::outside_of_graphs, running_thread_name(),
                                          running_spot(place), place));
        return cudaErrorInvalidValue;
    });
}

cudaGraphExec_t cudaGetCurrentGraphExec() {
    if (!in_kernel()) return nullptr;
    const InExecutor inside;
    const GraphRun* const run = GraphRun::now();
    return run ? run->for_device() : nullptr;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    const Place place = KIT_CALLER;
    if (!in_kernel()) return;
    bool in_graph = true;
    {
        const InExecutor inside;
        const std::lock_guard lock(family_now()->mutex());
        GraphRun* const run = GraphRun::now();
        in_graph = run && run->set(handle, value, place);
    }
    if (!in_graph)
        stop_kernel(cudaErrorLaunchFailure, "graph",
                    strange_condition(running_thread_name(), running_spot(place)).c_str(), place);
}
