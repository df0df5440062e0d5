// Stream capture: calls that become a graph, fork and join, and calls that cannot be captured.
#include <algorithm>
#include <numeric>
#include <thread>

#include "graph_fixture.cuh"

namespace {

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    CHECK_CUDA(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    return status;
}

std::size_t nodes_in(cudaGraph_t graph) {
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    return count;
}

std::size_t edges_in(cudaGraph_t graph) {
    std::size_t count = 0;
    CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
    return count;
}

/// Ends a capture that an invalid call has invalidated.
void end_broken(cudaStream_t stream, cudaError_t want) {
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph), want);
    CHECK(graph == nullptr);
    CHECK_EQUAL(status_of(stream), cudaStreamCaptureStatusNone);
    cudaGetLastError();
}

struct Big {
    int values[8];
    float factor;
};

__global__ void take_struct(int* out, Big big) {
    out[threadIdx.x] = big.values[threadIdx.x] * static_cast<int>(big.factor);
}

}  // namespace

CASE("captured work runs at the launch, as often as it is launched") {
    Stream stream;
    Buffer<int> data(32, 0);
    const Captured graph(stream, [&] {
        for (int i = 0; i < 3; ++i) add_one<<<1, 32, 0, stream>>>(data);
    });
    CHECK_EQUAL(data.read(), std::vector<int>(32, 0));
    CHECK_EQUAL(nodes_in(graph), std::size_t{3});
    CHECK_EQUAL(edges_in(graph), std::size_t{2});
    Instance instance(graph);
    instance.run(stream, 4);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 12));
}

CASE("arguments are copied at the time of the capture, memory is read at the launch") {
    Stream stream;
    Buffer<int> in(8, 5), out(8);
    int value = 100;
    const Captured graph(stream, [&] { plus<<<1, 8, 0, stream>>>(in, out, value); });
    value = 900;
    Instance instance(graph);
    const std::vector<int> other(8, 7);
    CHECK_CUDA(cudaMemcpy(in, other.data(), 8 * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    instance.run(stream);
    CHECK_EQUAL(out.read(), std::vector<int>(8, 107));
}

CASE("a structure as an argument") {
    Stream stream;
    Buffer<int> out(8);
    Big big = {{0, 1, 2, 3, 4, 5, 6, 7}, 3};
    const Captured graph(stream, [&] { take_struct<<<1, 8, 0, stream>>>(out, big); });
    Instance instance(graph);
    instance.run(stream);
    CHECK_EQUAL(out.read()[7], 21);
}

CASE("copies, fills and host functions are captured") {
    const int n = 64;
    Stream stream;
    Pinned<int> in(n), out(n);
    Buffer<int> data(n);
    const Captured graph(stream, [&] {
        CHECK_CUDA(cudaMemsetAsync(data, 0, n * sizeof(int), stream), cudaSuccess);
        CHECK_CUDA(cudaMemcpyAsync(data, in.data, n / 2 * sizeof(int), cudaMemcpyHostToDevice, stream),
                   cudaSuccess);
        add_one<<<1, n, 0, stream>>>(data);
        CHECK_CUDA(cudaMemcpyAsync(out.data, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream),
                   cudaSuccess);
        CHECK_CUDA(cudaLaunchHostFunc(stream, double_on_host, out.data), cudaSuccess);
    });
    CHECK_EQUAL(nodes_in(graph), std::size_t{5});
    Instance instance(graph);
    for (int round = 1; round <= 3; ++round) {
        std::fill(in.data, in.data + n, round * 10);
        instance.run(stream);
        CHECK_EQUAL(out.data[0], (round * 10 + 1) * 2);
        CHECK_EQUAL(out.data[n / 2 - 1], round * 10 + 1);
        CHECK_EQUAL(out.data[n - 1], 1);
    }
}

CASE("fork and join: a stream that waits for an event of the capture takes part") {
    Stream main(cudaStreamNonBlocking), side(cudaStreamNonBlocking);
    Event fork, join;
    Buffer<int> in(32, 1), left(32), right(32), out(32);
    const Captured graph(main, [&] {
        scale<<<1, 32, 0, main>>>(in, 3, 32);
        CHECK_CUDA(cudaEventRecord(fork, main), cudaSuccess);
        CHECK_CUDA(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
        CHECK_EQUAL(status_of(side), cudaStreamCaptureStatusActive);
        plus<<<1, 32, 0, main>>>(in, left, 1);
        plus<<<1, 32, 0, side>>>(in, right, 10);
        CHECK_CUDA(cudaEventRecord(join, side), cudaSuccess);
        CHECK_CUDA(cudaStreamWaitEvent(main, join, 0), cudaSuccess);
        sum_of<<<1, 32, 0, main>>>(left, right, out);
    });
    CHECK_EQUAL(nodes_in(graph), std::size_t{4});
    CHECK_EQUAL(edges_in(graph), std::size_t{4});
    CHECK_EQUAL(status_of(side), cudaStreamCaptureStatusNone);
    Instance instance(graph);
    instance.run(main);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 4 + 13));
}

CASE("work of other streams runs while one captures") {
    Stream capturing(cudaStreamNonBlocking), busy(cudaStreamNonBlocking);
    Buffer<int> a(8, 0), b(8, 0);
    const Captured graph(
        capturing,
        [&] {
            add_one<<<1, 8, 0, capturing>>>(a);
            add_one<<<1, 8, 0, busy>>>(b);
            CHECK_CUDA(cudaStreamSynchronize(busy), cudaSuccess);
        },
        cudaStreamCaptureModeRelaxed);
    CHECK_EQUAL(nodes_in(graph), std::size_t{1});
    CHECK_EQUAL(b.read(), std::vector<int>(8, 1));
    CHECK_EQUAL(a.read(), std::vector<int>(8, 0));
}

CASE_MISUSE("a graph cannot be launched into a capturing stream") {
    Stream stream;
    Buffer<int> data(8, 0);
    Graph inner;
    inner.kernel({}, add_one, 1, 8, data.data());
    Instance inside(inner);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(inside, stream), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    CHECK_EQUAL(data.read(), std::vector<int>(8, 0));
}

CASE_MISUSE("waiting for another stream breaks a capture, unless it is relaxed") {
    for (cudaStreamCaptureMode mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
        Stream capturing(cudaStreamNonBlocking), busy(cudaStreamNonBlocking);
        CHECK_CUDA(cudaStreamBeginCapture(capturing, mode), cudaSuccess);
        CHECK_CUDA(cudaStreamSynchronize(busy), cudaErrorStreamCaptureUnsupported);
        CHECK_CUDA(cudaStreamQuery(busy), cudaErrorStreamCaptureUnsupported);
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaStreamEndCapture(capturing, &graph), cudaErrorStreamCaptureInvalidated);
        cudaGetLastError();
    }
}

CASE("status, id and graph of a capture can be asked for") {
    Stream stream;
    Buffer<int> data(8, 0);
    CHECK_EQUAL(status_of(stream), cudaStreamCaptureStatusNone);
    cudaGraph_t during = nullptr;
    const Captured graph(stream, [&] {
        add_one<<<1, 8, 0, stream>>>(data);
        cudaStreamCaptureStatus status;
        unsigned long long id = 0;
        const cudaGraphNode_t* next_after = nullptr;
        std::size_t count = 0;
        CHECK_CUDA(cudaStreamGetCaptureInfo(stream, &status, &id, &during, &next_after, nullptr, &count),
                   cudaSuccess);
        CHECK_EQUAL(status, cudaStreamCaptureStatusActive);
        CHECK_EQUAL(count, std::size_t{1});
        CHECK_EQUAL(nodes_in(during), std::size_t{1});
    });
    CHECK(graph == during);
}

CASE("a capture into a graph that exists") {
    Stream stream;
    Buffer<int> data(8, 1);
    Graph graph;
    cudaGraphNode_t first = graph.kernel({}, scale, 1, 8, data.data(), 5, 8);
    CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal),
               cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    cudaGraph_t same = nullptr;
    CHECK_CUDA(cudaStreamEndCapture(stream, &same), cudaSuccess);
    CHECK(same == graph.handle);
    Instance instance(graph);
    instance.run(stream);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 6));
}

CASE("a capture may end without saying where its graph goes") {
    Stream stream;
    Buffer<int> data(8, 1);
    Graph graph;
    CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal),
               cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
    Instance instance(graph);
    instance.run(stream);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 2));

    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
    cudaStreamCaptureStatus status{};
    CHECK_CUDA(cudaStreamIsCapturing(stream, &status), cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusNone);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 2));
    CHECK_CUDA(cudaStreamEndCapture(stream, nullptr), cudaErrorIllegalState);
    cudaGetLastError();
}

CASE("in relaxed mode cudaMalloc is allowed, and is not part of the graph") {
    Stream stream;
    Buffer<int> data(8, 0);
    void* memory = nullptr;
    const Captured graph(
        stream,
        [&] {
            add_one<<<1, 8, 0, stream>>>(data);
            CHECK_CUDA(cudaMalloc(&memory, 1024), cudaSuccess);
        },
        cudaStreamCaptureModeRelaxed);
    CHECK_EQUAL(nodes_in(graph), std::size_t{1});
    CHECK_CUDA(cudaFree(memory), cudaSuccess);
}

CASE("a thread-local capture does not hinder another thread") {
    Stream stream(cudaStreamNonBlocking);
    Buffer<int> data(8, 0);
    cudaError_t error = cudaErrorUnknown;
    const Captured graph(
        stream,
        [&] {
            add_one<<<1, 8, 0, stream>>>(data);
            std::thread other([&] {
                void* memory = nullptr;
                error = cudaMalloc(&memory, 256);
                cudaFree(memory);
            });
            other.join();
        },
        cudaStreamCaptureModeThreadLocal);
    CHECK_CUDA(error, cudaSuccess);
}

CASE("a thread may exchange its mode") {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    CHECK_EQUAL(mode, cudaStreamCaptureModeGlobal);
    CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
    CHECK_EQUAL(mode, cudaStreamCaptureModeRelaxed);
}

CASE_MISUSE("cudaMalloc breaks a capture") {
    Stream stream;
    Buffer<int> data(8, 0);
    void* memory = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaMalloc(&memory, 1024), cudaErrorStreamCaptureUnsupported);
    CHECK_EQUAL(status_of(stream), cudaStreamCaptureStatusInvalidated);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 0));
}

CASE_MISUSE("waiting for a stream that captures breaks the capture") {
    Stream stream;
    Buffer<int> data(8, 0);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
}

CASE_MISUSE("waiting for the device breaks the capture") {
    Stream stream;
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    CHECK(cudaDeviceSynchronize() != cudaSuccess);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
}

CASE_MISUSE("an event of a capture cannot be waited for") {
    Stream stream;
    Event event;
    Buffer<int> data(8, 0);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    add_one<<<1, 8, 0, stream>>>(data);
    CHECK_CUDA(cudaEventRecord(event, stream), cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(event), cudaErrorCapturedEvent);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
}

CASE_MISUSE("the legacy default stream and a blocking stream that captures") {
    Stream stream;
    Buffer<int> data(8, 0);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    add_one<<<1, 8>>>(data);
    CHECK_CUDA(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
    CHECK_EQUAL(data.read(), std::vector<int>(8, 0));
}

CASE_MISUSE("a synchronous copy breaks the capture") {
    Stream stream;
    Buffer<int> data(8, 0);
    int host[8] = {};
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess);
    end_broken(stream, cudaErrorStreamCaptureInvalidated);
}

CASE_MISUSE("work that has not been joined") {
    Stream main(cudaStreamNonBlocking), side(cudaStreamNonBlocking);
    Event fork;
    Buffer<int> a(8, 0), b(8, 0);
    CHECK_CUDA(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal), cudaSuccess);
    add_one<<<1, 8, 0, main>>>(a);
    CHECK_CUDA(cudaEventRecord(fork, main), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
    add_one<<<1, 8, 0, side>>>(b);
    end_broken(main, cudaErrorStreamCaptureUnjoined);
    CHECK_EQUAL(status_of(side), cudaStreamCaptureStatusNone);
}

CASE_MISUSE("an event from outside, another capture's event, another stream's end") {
    Stream one(cudaStreamNonBlocking), two(cudaStreamNonBlocking);
    Event outside, of_two;
    CHECK_CUDA(cudaEventRecord(outside, one), cudaSuccess);
    CHECK_CUDA(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(one, outside, 0), cudaErrorStreamCaptureIsolation);
    end_broken(one, cudaErrorStreamCaptureInvalidated);

    CHECK_CUDA(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
    CHECK_CUDA(cudaStreamBeginCapture(two, cudaStreamCaptureModeRelaxed), cudaSuccess);
    CHECK_CUDA(cudaEventRecord(of_two, two), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(one, of_two, 0), cudaErrorStreamCaptureMerge);
    end_broken(one, cudaErrorStreamCaptureInvalidated);
    end_broken(two, cudaErrorStreamCaptureInvalidated);
}

CASE_MISUSE("a capture ends in the stream in which it began") {
    Stream one(cudaStreamNonBlocking), two(cudaStreamNonBlocking);
    Event fork;
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed), cudaSuccess);
    CHECK_CUDA(cudaEventRecord(fork, one), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(two, fork, 0), cudaSuccess);
    CHECK_CUDA(cudaStreamEndCapture(two, &graph), cudaErrorStreamCaptureUnmatched);
    CHECK(graph == nullptr);
    cudaStreamEndCapture(one, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
    CHECK_EQUAL(status_of(one), cudaStreamCaptureStatusNone);
}

CASE_MISUSE("a capture that is not relaxed ends in the thread in which it began") {
    Stream stream(cudaStreamNonBlocking);
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaSuccess;
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    std::thread other([&] { error = cudaStreamEndCapture(stream, &graph); });
    other.join();
    CHECK_CUDA(error, cudaErrorStreamCaptureWrongThread);
    cudaStreamEndCapture(stream, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
}

CASE_MISUSE("the legacy default stream cannot be captured; no capture within a capture; no end without one") {
    Stream stream;
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(stream, &graph) != cudaSuccess);
    CHECK_CUDA(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
               cudaErrorStreamCaptureUnsupported);
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) != cudaSuccess);
    cudaStreamEndCapture(stream, &graph);
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
}

CONFORMANCE_MAIN("capture")
