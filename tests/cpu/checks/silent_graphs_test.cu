// Graphs in order: near misses of planted_graphs_test.cu.
#include "checks.cuh"

namespace {

struct Streams {
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    Streams() {
        cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
        cudaEventCreate(&fork);
        cudaEventCreate(&join);
    }
    ~Streams() {
        cudaDeviceSynchronize();
        cudaEventDestroy(fork);
        cudaEventDestroy(join);
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
    }
};

__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;
}
__global__ void add(int* data, int value) {
    data[threadIdx.x] += value;
}
__global__ void sum(const int* a, const int* b, int* out) {
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

cudaGraphExec_t end_capture(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    cudaGraphDestroy(graph);
    return exec;
}

}  // namespace

SILENT("fork and join, launched many times") {
    Buffer<int> left(32), right(32), out(32);
    Streams s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    put<<<1, 32, 0, s.a>>>(left, 1);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    add<<<1, 32, 0, s.a>>>(left, 2);
    put<<<1, 32, 0, s.b>>>(right, 10);
    cudaEventRecord(s.join, s.b);
    cudaStreamWaitEvent(s.a, s.join, 0);
    sum<<<1, 32, 0, s.a>>>(left, right, out);
    cudaGraphExec_t exec = end_capture(s.a);
    for (int i = 0; i < 10; ++i) cudaGraphLaunch(exec, s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 13));
    cudaGraphExecDestroy(exec);
}

SILENT("the stream before and after a graph with branches") {
    Buffer<int> left(32), right(32), out(32);
    Streams s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    add<<<1, 32, 0, s.a>>>(left, 2);
    add<<<1, 32, 0, s.b>>>(right, 3);
    cudaEventRecord(s.join, s.b);
    cudaStreamWaitEvent(s.a, s.join, 0);
    cudaGraphExec_t exec = end_capture(s.a);
    put<<<1, 32, 0, s.a>>>(left, 1);
    put<<<1, 32, 0, s.a>>>(right, 1);
    cudaGraphLaunch(exec, s.a);
    sum<<<1, 32, 0, s.a>>>(left, right, out);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 7));
    cudaGraphExecDestroy(exec);
}

SILENT("launches of one instance into two streams follow each other") {
    Buffer<int> data(32, 0);
    Streams s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, s.a>>>(data, 1);
    cudaGraphExec_t exec = end_capture(s.a);
    for (int i = 0; i < 3; ++i) {
        cudaGraphLaunch(exec, s.a);
        cudaGraphLaunch(exec, s.b);
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(data.read(), std::vector<int>(32, 6));
    cudaGraphExecDestroy(exec);
}

SILENT("an event recorded behind a graph orders another stream with all of it") {
    Buffer<int> left(32, 0), right(32, 0), out(32);
    Streams s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    put<<<1, 32, 0, s.a>>>(left, 2);
    put<<<1, 32, 0, s.b>>>(right, 3);
    cudaEventRecord(s.join, s.b);
    cudaStreamWaitEvent(s.a, s.join, 0);
    cudaGraphExec_t exec = end_capture(s.a);
    cudaGraphLaunch(exec, s.a);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    sum<<<1, 32, 0, s.b>>>(left, right, out);
    cudaStreamSynchronize(s.b);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 5));
    cudaGraphExecDestroy(exec);
}

SILENT("memory of a graph, used between its nodes, in two branches") {
    Buffer<int> out(32);
    Streams s;
    int *left = nullptr, *right = nullptr;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&left, 128, s.a);
    cudaMallocAsync(&right, 128, s.a);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    put<<<1, 32, 0, s.a>>>(left, 4);
    put<<<1, 32, 0, s.b>>>(right, 5);
    cudaEventRecord(s.join, s.b);
    cudaStreamWaitEvent(s.a, s.join, 0);
    sum<<<1, 32, 0, s.a>>>(left, right, out);
    cudaFreeAsync(left, s.a);
    cudaFreeAsync(right, s.a);
    cudaGraphExec_t exec = end_capture(s.a);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(out.read(), std::vector<int>(32, 9));
    cudaGraphExecDestroy(exec);
}

SILENT("a host thread that waits may use what a graph has copied to pinned memory") {
    Buffer<int> data(32, 7);
    Streams s;
    int* pinned = nullptr;
    cudaMallocHost(&pinned, 32 * sizeof(int));
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, s.a>>>(data, 1);
    cudaMemcpyAsync(pinned, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, s.a);
    cudaGraphExec_t exec = end_capture(s.a);
    for (int i = 1; i <= 3; ++i) {
        cudaGraphLaunch(exec, s.a);
        cudaStreamSynchronize(s.a);
        CHECK_EQUAL(pinned[31], 7 + i);
    }
    cudaGraphExecDestroy(exec);
    cudaFreeHost(pinned);
}

SILENT("pinned memory that is given out again as a larger piece") {
    Buffer<int> data(1024, 3);
    Streams s;
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
    Streams s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    put<<<1, 32, 0, s.a>>>(data, 4);
    cudaEventRecord(s.fork, s.a);
    cudaStreamWaitEvent(s.b, s.fork, 0);
    sum<<<1, 32, 0, s.a>>>(data, data, left);
    sum<<<1, 32, 0, s.b>>>(data, data, right);
    cudaEventRecord(s.join, s.b);
    cudaStreamWaitEvent(s.a, s.join, 0);
    add<<<1, 32, 0, s.a>>>(data, 1);
    cudaGraphExec_t exec = end_capture(s.a);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, s.a);
    cudaStreamSynchronize(s.a);
    CHECK_EQUAL(right.read(), std::vector<int>(32, 8));
    CHECK_EQUAL(data.read(), std::vector<int>(32, 5));
    cudaGraphExecDestroy(exec);
}

CHECKS_MAIN("checks.silent_graphs")
