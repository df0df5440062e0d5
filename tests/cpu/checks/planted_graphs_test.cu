// Missing edges in graphs, memory of graphs that is used outside of its lifetime, and calls that invalidate a
// capture.
#include "streams.cuh"

namespace {

/// Launches the graph once, waits, and destroys it.
void run(cudaGraph_t graph, cudaStream_t stream = nullptr) {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

/// Ends the capture, and runs the resulting graph.
void end_and_run(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) run(graph, stream);
}

/// Adds a node for a kernel whose parameter is one pointer.
cudaGraphNode_t node_of(cudaGraph_t graph, void (*kernel)(int*), int* data,
                        cudaGraphNode_t before = nullptr) {
    void* arguments[] = {&data};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(kernel);
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, &before, before ? 1 : 0, &params);
    return node;
}

}  // namespace

__global__ void produce(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void consume(int* data) {
    data[threadIdx.x] *= 2;  // <-
}
PLANTED("two nodes without an edge", "race", "add an edge") {
    Buffer<int> data(32, 0);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    node_of(graph, produce, data);
    node_of(graph, consume, data);
    run(graph);
}

__global__ void branch_left(int* data) {
    data[threadIdx.x] = 1;
}
__global__ void branch_right(int* data) {
    data[32 + threadIdx.x] = 2;  // <-
}
__global__ void join_both(int* data) {
    data[threadIdx.x] += data[32 + threadIdx.x];  // <-
}
PLANTED("a capture that forks and joins too early", "race", "`branch_right`") {
    Buffer<int> data(64, 0);
    Branches s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    s.fork();
    cudaEventRecord(s.joined, s.b);
    branch_right<<<1, 32, 0, s.b>>>(data);
    branch_left<<<1, 32, 0, s.a>>>(data);
    cudaStreamWaitEvent(s.a, s.joined, 0);
    join_both<<<1, 32, 0, s.a>>>(data);
    s.join();
    end_and_run(s.a);
}

__global__ void written_first(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void read_in_order(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void read_in_branch(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x] + 1;  // <-
}
PLANTED("a fork before the kernel that the branch needs, and a reader that is in order", "race",
        "`read_in_branch`") {
    Buffer<int> data(32, 0), out(32), other(32);
    Branches s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    s.fork();
    written_first<<<1, 32, 0, s.a>>>(data);
    read_in_order<<<1, 32, 0, s.a>>>(data, out);
    read_in_branch<<<1, 32, 0, s.b>>>(data, other);
    s.join();
    end_and_run(s.a);
}

__global__ void stream_writes(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void stream_reads(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void other_reads(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x] + 1;  // <-
}
PLANTED("two streams, and a reader in order between writer and stranger", "race", "of `other_reads`") {
    Buffer<int> data(32, 0), out(32), other(32);
    Branches s;
    stream_writes<<<1, 32, 0, s.a>>>(data);
    stream_reads<<<1, 32, 0, s.a>>>(data, out);
    other_reads<<<1, 32, 0, s.b>>>(data, other);
}

__global__ void in_graph(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void beside_it(int* data) {
    data[threadIdx.x] = 2;  // <-
}
PLANTED("a graph in one stream, a kernel in another", "race", "nothing orders the two") {
    Buffer<int> data(32, 0);
    Branches s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    in_graph<<<1, 32, 0, s.a>>>(data);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamEndCapture(s.a, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s.a);
    beside_it<<<1, 32, 0, s.b>>>(data);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

__global__ void in_child(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void beside_child(int* data) {
    data[threadIdx.x] = 2;  // <-
}
PLANTED("a node beside a child graph", "race", "add an edge") {
    Buffer<int> data(32, 0);
    cudaGraph_t graph, child;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&child, 0);
    node_of(child, in_child, data);
    cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child);
    node_of(graph, beside_child, data);
    run(graph);
    cudaGraphDestroy(child);
}

__global__ void use_it(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("memory of a graph used after the node that frees it", "address", "have been freed") {
    Branches s;
    int* memory = nullptr;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&memory, 128, s.a);
    cudaFreeAsync(memory, s.a);
    use_it<<<1, 32, 0, s.a>>>(memory);
    end_and_run(s.a);
}

__global__ void never_written(int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("each launch gives its memory new, unwritten bytes", "uninitialised", "never_written") {
    Branches s;
    Buffer<int> out(32);
    int* memory = nullptr;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&memory, 128, s.a);
    never_written<<<1, 32, 0, s.a>>>(memory, out);
    cudaFreeAsync(memory, s.a);
    end_and_run(s.a);
}

__global__ void nothing(int* data) {
    data[threadIdx.x] = 1;
}
PLANTED("cudaMalloc during a capture", "capture", "cudaMalloc") {
    Branches s;
    Buffer<int> data(32);
    void* memory = nullptr;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    nothing<<<1, 32, 0, s.a>>>(data);
    cudaMalloc(&memory, 1024);  // <-
    end_and_run(s.a);
}

PLANTED("the default stream during a capture", "capture", "the capturing stream") {
    Buffer<int> data(32);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    nothing<<<1, 32>>>(data);  // <-
    end_and_run(stream);
    cudaStreamDestroy(stream);
}

PLANTED("a capture that does not join", "capture", "kernel `nothing`") {
    Buffer<int> data(32);
    Branches s;
    cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
    s.fork();
    nothing<<<1, 32, 0, s.b>>>(data);
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(s.a, &graph);  // <-
}

CHECKS_MAIN("planted_graphs")
