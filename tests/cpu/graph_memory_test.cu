// Memory that belongs to a graph: allocation nodes and free nodes, which are added or captured.
#include "graph_fixture.cuh"

namespace {

cudaMemAllocNodeParams on_device(std::size_t bytes) {
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.poolProps.location.id = 0;
    params.bytesize = bytes;
    return params;
}

__global__ void fill(int* data, int value) {
    data[threadIdx.x] = value;
}

/// A graph that allocates 32 integers at the address `memory` and sets them, but does not free them.
struct Producer {
    Producer(cudaStream_t stream, int value)
        : graph(stream, [&] {
              CHECK_CUDA(cudaMallocAsync(&memory, 32 * sizeof(int), stream), cudaSuccess);
              fill<<<1, 32, 0, stream>>>(memory, value);
          }) {}
    int* memory = nullptr;
    Captured graph;
};

}  // namespace

CASE("captured cudaMallocAsync and cudaFreeAsync become nodes") {
    Stream stream;
    Buffer<int> in(64, 3), out(64);
    int* scratch = nullptr;
    const Captured graph(stream, [&] {
        CHECK_CUDA(cudaMallocAsync(&scratch, 64 * sizeof(int), stream), cudaSuccess);
        plus<<<1, 64, 0, stream>>>(in, scratch, 10);
        plus<<<1, 64, 0, stream>>>(scratch, out, 100);
        CHECK_CUDA(cudaFreeAsync(scratch, stream), cudaSuccess);
    });
    std::size_t count = 4;
    cudaGraphNode_t nodes[4];
    CHECK_CUDA(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
    CHECK_EQUAL(count, std::size_t{4});
    int allocations = 0, frees = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type;
        CHECK_CUDA(cudaGraphNodeGetType(node, &type), cudaSuccess);
        allocations += type == cudaGraphNodeTypeMemAlloc;
        frees += type == cudaGraphNodeTypeMemFree;
    }
    CHECK_EQUAL(allocations, 1);
    CHECK_EQUAL(frees, 1);
    Instance instance(graph);
    instance.run(stream, 3);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 113));
}

CASE("an allocation node says its address at once, and keeps it") {
    Buffer<int> out(32);
    Graph graph;
    cudaMemAllocNodeParams params = on_device(32 * sizeof(int));
    cudaGraphNode_t alloc, free;
    CHECK_CUDA(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params), cudaSuccess);
    CHECK(params.dptr != nullptr);
    int* const memory = static_cast<int*>(params.dptr);
    cudaGraphNode_t write = graph.kernel({alloc}, fill, 1, 32, memory, 6);
    cudaGraphNode_t read = graph.kernel({write}, plus, 1, 32, static_cast<const int*>(memory), out.data(), 1);
    CHECK_CUDA(cudaGraphAddMemFreeNode(&free, graph, &read, 1, memory), cudaSuccess);
    cudaMemAllocNodeParams asked = {};
    CHECK_CUDA(cudaGraphMemAllocNodeGetParams(alloc, &asked), cudaSuccess);
    CHECK(asked.dptr == params.dptr);
    void* freed = nullptr;
    CHECK_CUDA(cudaGraphMemFreeNodeGetParams(free, &freed), cudaSuccess);
    CHECK(freed == params.dptr);
    Instance instance(graph);
    for (int i = 0; i < 2; ++i) CHECK_CUDA(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 7));
}

CASE("memory that the graph does not free lives on, and cudaFreeAsync frees it") {
    Stream stream;
    Buffer<int> out(32);
    const Producer producer(stream, 5);
    Instance instance(producer.graph);
    for (int i = 1; i <= 3; ++i) {
        CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
        plus<<<1, 32, 0, stream>>>(producer.memory, out, i);
        CHECK_CUDA(cudaFreeAsync(producer.memory, stream), cudaSuccess);
    }
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 8));
}

CASE_MISUSE("a second launch needs the memory to be freed") {
    Stream stream;
    const Producer producer(stream, 5);
    Instance instance(producer.graph);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CUDA(cudaFreeAsync(producer.memory, stream), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaFree(producer.memory), cudaSuccess);
}

CASE("cudaGraphInstantiateFlagAutoFreeOnLaunch frees before the next launch") {
    Stream stream;
    Buffer<int> out(32);
    const Producer producer(stream, 5);
    Instance instance(producer.graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 1; i <= 3; ++i) CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    plus<<<1, 32, 0, stream>>>(producer.memory, out, 1);
    CHECK_CUDA(cudaFreeAsync(producer.memory, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 6));
}

CASE("one graph allocates, another frees") {
    Stream stream;
    Buffer<int> out(32);
    const Producer producer(stream, 9);
    const Captured consumer(stream, [&] {
        plus<<<1, 32, 0, stream>>>(producer.memory, out, 1);
        CHECK_CUDA(cudaFreeAsync(producer.memory, stream), cudaSuccess);
    });
    Instance first(producer.graph), second(consumer);
    for (int i = 0; i < 2; ++i) {
        CHECK_CUDA(cudaGraphLaunch(first, stream), cudaSuccess);
        CHECK_CUDA(cudaGraphLaunch(second, stream), cudaSuccess);
    }
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 10));
}

CASE_MISUSE("what graphs with memory nodes cannot do") {
    Graph graph;
    cudaMemAllocNodeParams params = on_device(1024);
    cudaGraphNode_t alloc, free, again;
    CHECK_CUDA(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params), cudaSuccess);
    CHECK_CUDA(cudaGraphAddMemFreeNode(&free, graph, &alloc, 1, params.dptr), cudaSuccess);
    CHECK_CUDA(cudaGraphAddMemFreeNode(&again, graph, &alloc, 1, params.dptr), cudaErrorInvalidValue);
    int elsewhere = 0;
    CHECK_CUDA(cudaGraphAddMemFreeNode(&again, graph, &alloc, 1, &elsewhere), cudaErrorInvalidValue);
    cudaGraph_t clone = nullptr;
    CHECK(cudaGraphClone(&clone, graph) != cudaSuccess);
    CHECK(cudaGraphDestroyNode(free) != cudaSuccess);
    Instance instance(graph);
    cudaGraphExec_t second = nullptr;
    CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
    cudaGetLastError();
}

CASE("the memory of graphs can be asked about") {
    unsigned long long used = 1, reserved = 1;
    CHECK_CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &reserved), cudaSuccess);
    CHECK_CUDA(cudaDeviceGraphMemTrim(0), cudaSuccess);
}

CONFORMANCE_MAIN("graph_memory")
