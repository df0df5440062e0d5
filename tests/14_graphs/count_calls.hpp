// Counts the calls of the file that includes it, and of nothing else; kit.cuh comes first, so that its own
// calls are not counted. Inside a macro of the same name the name means the function.
#pragma once

#include "14_graphs/calls.hpp"
#include "14_graphs/library.hpp"
#include "kit.cuh"

#define cudaStreamBeginCapture(...) (++::graphs::calls.captures, cudaStreamBeginCapture(__VA_ARGS__))
#define cudaGraphInstantiate(...) (++::graphs::calls.instantiated, cudaGraphInstantiate(__VA_ARGS__))
#define cudaGraphExecUpdate(...) (++::graphs::calls.updates, cudaGraphExecUpdate(__VA_ARGS__))
#define cudaGraphLaunch(...) (++::graphs::calls.launches, cudaGraphLaunch(__VA_ARGS__))
#define cudaGraphExecDestroy(...) (++::graphs::calls.destroyed, cudaGraphExecDestroy(__VA_ARGS__))
#define cudaGraphDestroy(...) (++::graphs::calls.graphs_gone, cudaGraphDestroy(__VA_ARGS__))
#define cudaStreamSynchronize(...) (++::graphs::calls.synchronised, cudaStreamSynchronize(__VA_ARGS__))
#define cudaDeviceSynchronize() (++::graphs::calls.synchronised, cudaDeviceSynchronize())
