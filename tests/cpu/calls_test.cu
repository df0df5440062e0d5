// The executor's counts of host calls: graphs, captures, waits. A GPU does not count, but the same calls must
// succeed there.
#include "conformance.cuh"

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>

#define COUNT_FROM_HERE kit::cpu::reset_counters()
#define CHECK_COUNT(field, ...) CHECK_EQUAL(kit::cpu::counters().field, std::uint64_t{__VA_ARGS__})
#else
#define COUNT_FROM_HERE static_cast<void>(0)
#define CHECK_COUNT(field, ...) static_cast<void>(0)
#endif

#define SUCCEEDS(...) CHECK_EQUAL((__VA_ARGS__), cudaSuccess)

__global__ void add_one(int* value) {
    ++*value;
}

CASE("graphs: what they cost is counted by whichever function does it") {
    Buffer<int> value(1, 0);
    cudaStream_t stream;
    SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    COUNT_FROM_HERE;
    cudaGraph_t captured, empty, copy;
    SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    add_one<<<1, 1, 0, stream>>>(value);
    SUCCEEDS(cudaStreamEndCapture(stream, &captured));
    SUCCEEDS(cudaGraphCreate(&empty, 0));
    SUCCEEDS(
        cudaStreamBeginCaptureToGraph(stream, empty, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
    add_one<<<1, 1, 0, stream>>>(value);
    SUCCEEDS(cudaStreamEndCapture(stream, &empty));
    SUCCEEDS(cudaGraphClone(&copy, captured));
    CHECK_COUNT(captures, 2);
    CHECK_COUNT(graphs_made, 3);

    cudaGraphExec_t first, second, third;
    cudaGraphInstantiateParams params = {};
    SUCCEEDS(cudaGraphInstantiate(&first, captured, 0));
    cudaError_t (*const make)(cudaGraphExec_t*, cudaGraph_t, unsigned long long) =
        &cudaGraphInstantiateWithFlags;
    SUCCEEDS(make(&second, empty, 0));
    SUCCEEDS(cudaGraphInstantiateWithParams(&third, copy, &params));
    // Fails, so no instance is created.
    CHECK_EQUAL(cudaGraphInstantiate(&third, nullptr, 0), cudaErrorInvalidValue);
    CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_COUNT(graph_instances, 3);

    cudaGraphExecUpdateResultInfo info;
    SUCCEEDS(cudaGraphExecUpdate(first, copy, &info));
    for (int i = 0; i < 4; ++i) SUCCEEDS(cudaGraphLaunch(first, stream));
    CHECK_COUNT(graph_updates, 1);
    CHECK_COUNT(graph_launches, 4);
    CHECK_COUNT(synchronizations, 0);
    SUCCEEDS(cudaStreamSynchronize(stream));
    CHECK_COUNT(synchronizations, 1);
    CHECK_EQUAL(value.read(), std::vector<int>{4});

    for (cudaGraphExec_t exec : {first, second, third}) SUCCEEDS(cudaGraphExecDestroy(exec));
    for (cudaGraph_t graph : {captured, empty, copy}) SUCCEEDS(cudaGraphDestroy(graph));
    CHECK_COUNT(graph_instances_destroyed, 3);
    CHECK_COUNT(graphs_destroyed, 3);
    SUCCEEDS(cudaStreamDestroy(stream));
}

CASE("who asks until the work is done has waited") {
    Buffer<int> value(1, 0);
    cudaStream_t stream;
    SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SUCCEEDS(cudaStreamQuery(stream));
    COUNT_FROM_HERE;
    SUCCEEDS(cudaStreamQuery(stream));
    CHECK_COUNT(synchronizations, 0);
    for (int i = 0; i < 3; ++i) add_one<<<1, 1, 0, stream>>>(value);
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
#ifdef KIT_CPU  // a GPU may finish the work before the first query
    CHECK_COUNT(synchronizations, 1);
#endif
    SUCCEEDS(cudaStreamDestroy(stream));
}

CONFORMANCE_MAIN("calls")
