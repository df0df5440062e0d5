// Copies that go past the end of host memory: heap blocks, local and global arrays, and memory that is freed
// while the copy is queued.
#include <cstdlib>
#include <memory>
#include <vector>

#include "checks.cuh"

constexpr std::size_t few = 32 * sizeof(int), many = 256 * sizeof(int);

// ---- more is written than the block has ----

PLANTED("256 ints into 32 by malloc", "address",
        "writes 1024 bytes, 896 bytes past the end of the 128 bytes") {
    Buffer<int> data(256, 1);
    int* const host = static_cast<int*>(std::malloc(few));
    cudaMemcpy(host, data, many, cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("the line that allocated it", "address", "allocated by malloc (planted_host_copies_test.cu:") {
    Buffer<int> data(256, 1);
    int* const host = static_cast<int*>(std::malloc(few));
    cudaMemcpy(host, data, many, cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("one byte too many, which malloc's rounding hides", "address",
        "1 byte past the end of the 13 bytes") {
    Buffer<char> data(14);
    char* const host = static_cast<char*>(std::malloc(13));
    cudaMemcpy(host, data, 14, cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("new[]", "address", "allocated by new[] (planted_host_copies_test.cu:") {
    Buffer<int> data(256, 1);
    const std::unique_ptr<int[]> host(new int[32]);
    cudaMemcpy(host.get(), data, many, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("a struct by new", "address", "4 bytes past the end of the 8 bytes allocated by new (") {
    struct Pair {
        int first, second;
    };
    Buffer<int> data(3, 1);
    const std::unique_ptr<Pair> host(new Pair);
    cudaMemcpy(host.get(), data, 3 * sizeof(int), cudaMemcpyDeviceToHost);  // <-
}

PLANTED("a vector", "address", "allocated by new (planted_host_copies_test.cu:") {
    Buffer<int> data(256, 1);
    std::vector<int> host(32);
    cudaMemcpy(host.data(), data, many, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("a vector that grew", "address", "allocated by new (planted_host_copies_test.cu:") {
    Buffer<int> data(256, 1);
    std::vector<int> host;
    for (int i = 0; i < 32; ++i) host.push_back(i);
    cudaMemcpy(host.data(), data, many, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("a row of a vector of vectors", "address", "allocated by new (planted_host_copies_test.cu:") {
    Buffer<int> data(256, 1);
    std::vector<std::vector<int>> host(3, std::vector<int>(32));
    cudaMemcpy(host[1].data(), data, many, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("from the middle on", "address", "4 bytes past the end of the 128 bytes") {
    Buffer<int> data(32, 1);
    std::vector<int> host(32);
    cudaMemcpy(host.data() + 1, data, few, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("bytes where floats were meant", "address", "allocated by calloc") {
    Buffer<float> data(100, 1.0f);
    float* const host = static_cast<float*>(std::calloc(100, 1));
    cudaMemcpy(host, data, 100 * sizeof(float), cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("made smaller by realloc", "address", "allocated by realloc") {
    Buffer<int> data(256, 1);
    int* host = static_cast<int*>(std::malloc(many));
    host = static_cast<int*>(std::realloc(host, few));
    cudaMemcpy(host, data, many, cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("aligned memory", "address", "124 bytes past the end of the 128 bytes allocated by aligned_alloc") {
    Buffer<int> data(64, 1);
    int* const host = static_cast<int*>(std::aligned_alloc(64, few));
    cudaMemcpy(host + 31, data, few, cudaMemcpyDeviceToHost);  // <-
    std::free(host);
}

PLANTED("a large block, which has pages of its own", "address", "4 bytes past the end of the 4194304 bytes") {
    Buffer<int> data((1 << 20) + 1, 1);
    std::vector<int> host(1 << 20);
    cudaMemcpy(host.data(), data, sizeof(int) << 20 | sizeof(int), cudaMemcpyDeviceToHost);  // <-
}

PLANTED("the last row of a picture", "address", "past the end of the 4096 bytes") {
    Buffer<char> data(64 * 64);
    std::vector<char> host(64 * 64);
    cudaMemcpy2D(host.data() + 1, 64, data, 64, 64, 64, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("asynchronously", "address", "cudaMemcpyAsync writes 1024 bytes, 896 bytes past the end") {
    Buffer<int> data(256, 1);
    std::vector<int> host(32);
    cudaMemcpyAsync(host.data(), data, many, cudaMemcpyDeviceToHost, nullptr);  // <-
    cudaDeviceSynchronize();
}

// ---- more is read than the block has ----

PLANTED("reads past a vector", "address",
        "cudaMemcpy reads 1024 bytes, 896 bytes past the end of the 128 bytes") {
    Buffer<int> data(256);
    const std::vector<int> host(32, 1);
    cudaMemcpy(data, host.data(), many, cudaMemcpyHostToDevice);  // <-
}

__device__ int table[256];
PLANTED("cudaMemcpyToSymbol reads past a vector", "address",
        "cudaMemcpyToSymbol reads 1024 bytes, 896 bytes past") {
    const std::vector<int> host(32, 1);
    cudaMemcpyToSymbol(table, host.data(), many);  // <-
}

PLANTED("between two blocks of the host", "address", "writes 1024 bytes") {
    const std::vector<int> from(256, 1);
    std::vector<int> to(32);
    cudaMemcpy(to.data(), from.data(), many, cudaMemcpyHostToHost);  // <-
}

// ---- local and global variables ----

PLANTED("a local array, to the end of its function's frame", "address",
        "past the end of the stack frame of") {
    Buffer<int> data(1 << 14, 1);
    int host[32];
    cudaMemcpy(host, data, sizeof(int) << 14, cudaMemcpyDeviceToHost);  // <-
}

PLANTED("reads a local array", "address", "past the end of the stack frame of") {
    Buffer<int> data(1 << 14, 1);
    const int host[32] = {1};
    cudaMemcpy(data, host, sizeof(int) << 14, cudaMemcpyHostToDevice);  // <-
}

KNOWN_GAP("a local array, within its function's frame", "where a local variable ends is not known") {
    Buffer<int> data(256, 1);
    const int host[32] = {1};
    volatile int behind[64] = {2};
    cudaMemcpy(data, host, few + sizeof(int), cudaMemcpyHostToDevice);
    CHECK_EQUAL(behind[0], 2);
}

int global_few[32];
int global_many[256];
PLANTED("a global array", "address", "896 bytes past the end of `global_few` (128 bytes)") {
    Buffer<int> data(256, 1);
    cudaMemcpy(global_few, data, many, cudaMemcpyDeviceToHost);  // <-
    CHECK_EQUAL(global_many[0], 0);
}

PLANTED("the tail of a global array", "address",
        "reads 128 bytes, 4 bytes past the end of `global_many` (1024 bytes)") {
    Buffer<int> data(32);
    cudaMemcpy(data, global_many + 225, few, cudaMemcpyHostToDevice);  // <-
}

// ---- freed while the copy is queued ----

PLANTED("registered memory, freed before the copy is done", "address", "were freed before") {
    Buffer<int> data(32);
    int* const host = static_cast<int*>(std::malloc(few));
    cudaHostRegister(host, few, cudaHostRegisterDefault);
    cudaMemcpyAsync(data, host, few, cudaMemcpyHostToDevice, nullptr);  // <-
    std::free(host);                                                    // <-
    cudaDeviceSynchronize();
}

PLANTED("a vector that is destroyed too early", "address", "were freed before") {
    Buffer<int> data(32, 1);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    {
        std::vector<int> host(32);
        cudaHostRegister(host.data(), few, cudaHostRegisterDefault);
        cudaMemcpyAsync(host.data(), data, few, cudaMemcpyDeviceToHost, stream);  // <-
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

PLANTED("memory of a captured copy, freed before the launch", "address", "were freed before") {
    Buffer<int> data(32, 1);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamCreate(&stream);
    int* const host = new int[32];
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(host, data, few, cudaMemcpyDeviceToHost, stream);  // <-
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    delete[] host;  // <-
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

PLANTED("a node that copies too much", "address", "896 bytes past the end of the 128 bytes") {
    Buffer<int> data(256, 1);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    std::vector<int> host(32);
    const cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host.data(), data, many, kind);  // <-
    cudaGraphDestroy(graph);
}

CHECKS_MAIN("planted_host_copies")
