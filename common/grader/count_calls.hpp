// Counts calls of the runtime on a GPU, in the file that includes this header and in no other file. This
// header includes kit.cuh first, so that calls in kit.cuh do not count. Each function of the runtime is
// replaced by a macro of the same name. A call through a pointer to the function is missed; the executor of
// the CPU backend, which counts by itself, counts such calls as well.
#pragma once

#ifndef KIT_CPU
#include <grader/calls.hpp>

#include "kit.cuh"

/// These are functions, so that `&cudaGraphDestroy` as the deleter of a smart pointer also counts.
inline cudaError_t kit_counted_exec_destroy(cudaGraphExec_t exec) {
    ++kit::detail::calls_of_the_file.instances_destroyed;
    return cudaGraphExecDestroy(exec);
}
inline cudaError_t kit_counted_graph_destroy(cudaGraph_t graph) {
    ++kit::detail::calls_of_the_file.graphs_destroyed;
    return cudaGraphDestroy(graph);
}
/// Counts a wait if a query succeeds after an earlier query found unfinished work, because a program that
/// polls also waits.
inline cudaError_t kit_counted_query(cudaError_t state) {
    static bool asked_too_early = false;
    kit::detail::calls_of_the_file.waits += asked_too_early && state != cudaErrorNotReady ? 1 : 0;
    asked_too_early = state == cudaErrorNotReady;
    return state;
}

#define KIT_COUNTED(what, call) (++::kit::detail::calls_of_the_file.what, call)
#define cudaStreamBeginCapture(...) \
    KIT_COUNTED(captures, KIT_COUNTED(graphs_made, cudaStreamBeginCapture(__VA_ARGS__)))
#define cudaStreamBeginCaptureToGraph(...) KIT_COUNTED(captures, cudaStreamBeginCaptureToGraph(__VA_ARGS__))
#define cudaGraphCreate(...) KIT_COUNTED(graphs_made, cudaGraphCreate(__VA_ARGS__))
#define cudaGraphClone(...) KIT_COUNTED(graphs_made, cudaGraphClone(__VA_ARGS__))
#define cudaGraphInstantiate(...) KIT_COUNTED(instances, cudaGraphInstantiate(__VA_ARGS__))
#define cudaGraphInstantiateWithFlags(...) KIT_COUNTED(instances, cudaGraphInstantiateWithFlags(__VA_ARGS__))
#define cudaGraphInstantiateWithParams(...) \
    KIT_COUNTED(instances, cudaGraphInstantiateWithParams(__VA_ARGS__))
#define cudaGraphExecUpdate(...) KIT_COUNTED(updates, cudaGraphExecUpdate(__VA_ARGS__))
#define cudaGraphLaunch(...) KIT_COUNTED(launches, cudaGraphLaunch(__VA_ARGS__))
#define cudaGraphExecDestroy kit_counted_exec_destroy
#define cudaGraphDestroy kit_counted_graph_destroy
#define cudaMemcpy(...) KIT_COUNTED(waits, cudaMemcpy(__VA_ARGS__))
#define cudaMemcpyFromSymbol(...) KIT_COUNTED(waits, cudaMemcpyFromSymbol(__VA_ARGS__))
#define cudaStreamSynchronize(...) KIT_COUNTED(waits, cudaStreamSynchronize(__VA_ARGS__))
#define cudaEventSynchronize(...) KIT_COUNTED(waits, cudaEventSynchronize(__VA_ARGS__))
#define cudaStreamQuery(...) kit_counted_query(cudaStreamQuery(__VA_ARGS__))
#define cudaEventQuery(...) kit_counted_query(cudaEventQuery(__VA_ARGS__))
#define cudaDeviceSynchronize() KIT_COUNTED(waits, cudaDeviceSynchronize())
#endif
