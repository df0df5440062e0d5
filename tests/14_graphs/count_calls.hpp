// Counts the calls of the file that includes it, and of nothing else; kit.cuh comes first, so that its own
// calls are not counted. Inside a macro of the same name the name means the function.
#pragma once

#include "14_graphs/calls.hpp"
#include "14_graphs/library.hpp"
#include "kit.cuh"

/// Functions, so that `&cudaGraphDestroy` as the deleter of a smart pointer means them, too.
inline cudaError_t kit_counted_exec_destroy(cudaGraphExec_t exec) {
    ++graphs::calls.destroyed;
    return cudaGraphExecDestroy(exec);
}
/// Who asks until the work is done waits, too.
inline cudaError_t kit_counted_query(cudaError_t state) {
    static bool asked_too_early = false;
    graphs::calls.synchronised += asked_too_early && state != cudaErrorNotReady ? 1 : 0;
    asked_too_early = state == cudaErrorNotReady;
    return state;
}
inline cudaError_t kit_counted_graph_destroy(cudaGraph_t graph) {
    ++graphs::calls.graphs_gone;
    return cudaGraphDestroy(graph);
}

#define cudaStreamBeginCapture(...) \
    (++::graphs::calls.captures, ++::graphs::calls.graphs_made, cudaStreamBeginCapture(__VA_ARGS__))
#define cudaStreamBeginCaptureToGraph(...) \
    (++::graphs::calls.captures, cudaStreamBeginCaptureToGraph(__VA_ARGS__))
#define cudaGraphCreate(...) (++::graphs::calls.graphs_made, cudaGraphCreate(__VA_ARGS__))
#define cudaGraphClone(...) (++::graphs::calls.graphs_made, cudaGraphClone(__VA_ARGS__))
#define cudaGraphInstantiate(...) (++::graphs::calls.instantiated, cudaGraphInstantiate(__VA_ARGS__))
#define cudaGraphInstantiateWithFlags(...) \
    (++::graphs::calls.instantiated, cudaGraphInstantiateWithFlags(__VA_ARGS__))
#define cudaGraphInstantiateWithParams(...) \
    (++::graphs::calls.instantiated, cudaGraphInstantiateWithParams(__VA_ARGS__))
#define cudaGraphExecUpdate(...) (++::graphs::calls.updates, cudaGraphExecUpdate(__VA_ARGS__))
#define cudaGraphLaunch(...) (++::graphs::calls.launches, cudaGraphLaunch(__VA_ARGS__))
#define cudaGraphExecDestroy kit_counted_exec_destroy
#define cudaGraphDestroy kit_counted_graph_destroy
#define cudaStreamSynchronize(...) (++::graphs::calls.synchronised, cudaStreamSynchronize(__VA_ARGS__))
#define cudaEventSynchronize(...) (++::graphs::calls.synchronised, cudaEventSynchronize(__VA_ARGS__))
#define cudaStreamQuery(...) kit_counted_query(cudaStreamQuery(__VA_ARGS__))
#define cudaEventQuery(...) kit_counted_query(cudaEventQuery(__VA_ARGS__))
#define cudaDeviceSynchronize() (++::graphs::calls.synchronised, cudaDeviceSynchronize())
