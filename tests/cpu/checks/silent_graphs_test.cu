// Correct programs with graphs: they look like those in planted_graphs_test.cu.
#include "streams.cuh"

namespace {

__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;
}
__global__ void add(int* data, int value) {
    data[threadIdx.x] += value;
}
__global__ void sum(const int* a, const int* b, int* out) {
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

/// An instance of the graph of the work that `body` queues in the stream.
class Recorded {
  public:
    template <class Body>
    Recorded(cudaStream_t stream, Body body) {
        cudaGraph_t graph = nullptr;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        body();
        CHECK_CUDA(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        CHECK_CUDA(cudaGraphInstantiate(&exec_, graph, 0), cudaSuccess);
        cudaGraphDestroy(graph);
    }
    ~Recorded() { cudaGraphExecDestroy(exec_); }
    Recorded(const Recorded&) = delete;

    void launch(cudaStream_t stream) const { cudaGraphLaunch(exec_, stream); }

  private:
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace

SILENT("fork and join, launched many times") {
    Buffer<int> left(32), right(32), out(32);
    Branches s;
    const Recorded graph(s.a, [&] {
        put<<<1, 32, 0, s.a>>>(left, 1);
        s.fork();
        add<<<1, 32, 0, s.a>>>(left, 2);
        put<<<1, 32, 0, s.b>>>(right, 10);
        s.join();
        sum<<<1, 32, 0, s.a>>>(left, right, out);
    });
    for (int i = 0; i < 10; ++i) graph.launch(s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 13));
}

SILENT("the stream before and after a graph with branches") {
    Buffer<int> left(32), right(32), out(32);
    Branches s;
    const Recorded graph(s.a, [&] {
        s.fork();
        add<<<1, 32, 0, s.a>>>(left, 2);
        add<<<1, 32, 0, s.b>>>(right, 3);
        s.join();
    });
    put<<<1, 32, 0, s.a>>>(left, 1);
    put<<<1, 32, 0, s.a>>>(right, 1);
    graph.launch(s.a);
    sum<<<1, 32, 0, s.a>>>(left, right, out);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 7));
}

SILENT("launches of one instance into two streams follow each other") {
    Buffer<int> data(32, 0);
    Branches s;
    const Recorded graph(s.a, [&] { add<<<1, 32, 0, s.a>>>(data, 1); });
    for (int i = 0; i < 3; ++i) {
        graph.launch(s.a);
        graph.launch(s.b);
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(data.read(), std::vector<int>(32, 6));
}

SILENT("an event recorded behind a graph orders another stream with all of it") {
    Buffer<int> left(32, 0), right(32, 0), out(32);
    Branches s;
    const Recorded graph(s.a, [&] {
        s.fork();
        put<<<1, 32, 0, s.a>>>(left, 2);
        put<<<1, 32, 0, s.b>>>(right, 3);
        s.join();
    });
    graph.launch(s.a);
    s.fork();
    sum<<<1, 32, 0, s.b>>>(left, right, out);
    cudaStreamSynchronize(s.b);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 5));
}

SILENT("memory of a graph, used between its nodes, in two branches") {
    Buffer<int> out(32);
    Branches s;
    int *left = nullptr, *right = nullptr;
    const Recorded graph(s.a, [&] {
        cudaMallocAsync(&left, 128, s.a);
        cudaMallocAsync(&right, 128, s.a);
        s.fork();
        put<<<1, 32, 0, s.a>>>(left, 4);
        put<<<1, 32, 0, s.b>>>(right, 5);
        s.join();
        sum<<<1, 32, 0, s.a>>>(left, right, out);
        cudaFreeAsync(left, s.a);
        cudaFreeAsync(right, s.a);
    });
    for (int i = 0; i < 3; ++i) graph.launch(s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 9));
}

SILENT("a host thread that waits may use what a graph has copied to pinned memory") {
    Buffer<int> data(32, 7);
    Branches s;
    int* pinned = nullptr;
    cudaMallocHost(&pinned, 32 * sizeof(int));
    const Recorded graph(s.a, [&] {
        add<<<1, 32, 0, s.a>>>(data, 1);
        cudaMemcpyAsync(pinned, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, s.a);
    });
    for (int i = 1; i <= 3; ++i) {
        graph.launch(s.a);
        cudaStreamSynchronize(s.a);
        CHECK_EQUAL(pinned[31], 7 + i);
    }
    cudaFreeHost(pinned);
}

SILENT("pinned memory that is given out again as a larger piece") {
    Buffer<int> data(1024, 3);
    Branches s;
    for (const std::size_t n : {1, 1024, 16, 512}) {
        int* pinned = nullptr;
        cudaMallocHost(&pinned, n * sizeof(int));
        for (std::size_t i = 0; i < n; ++i) pinned[i] = 1;
        put<<<1, 32, 0, s.b>>>(data, 2);
        cudaMemcpyAsync(data + 32, pinned, n / 2 * sizeof(int), cudaMemcpyHostToDevice, s.a);
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
    }
    CHECK_EQUAL(data.read()[1000], 3);
}

SILENT("a reader in between, and everybody in order") {
    Buffer<int> data(32), left(32), right(32);
    Branches s;
    const Recorded graph(s.a, [&] {
        put<<<1, 32, 0, s.a>>>(data, 4);
        s.fork();
        sum<<<1, 32, 0, s.a>>>(data, data, left);
        sum<<<1, 32, 0, s.b>>>(data, data, right);
        s.join();
        add<<<1, 32, 0, s.a>>>(data, 1);
    });
    for (int i = 0; i < 3; ++i) graph.launch(s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(right.read(), std::vector<int>(32, 8));
    CHECK_EQUAL(data.read(), std::vector<int>(32, 5));
}

CHECKS_MAIN("silent_graphs")
