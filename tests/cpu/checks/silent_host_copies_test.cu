// Copies that stay within host memory of any origin: the last byte, memory pools, array headers of new[],
// capacity of vectors, pages, rows, and memory that is freed when CUDA no longer needs it.
#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "checks.cuh"

constexpr std::size_t few = 32 * sizeof(int), many = 256 * sizeof(int);

SILENT("the last byte of a block of odd size") {
    Buffer<char> data(13, 7);
    char* const host = static_cast<char*>(std::malloc(13));
    CHECK_CUDA(cudaMemcpy(host, data, 13, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host[12], 7);
    std::free(host);
}

SILENT("no bytes at the end") {
    Buffer<int> data(32);
    std::vector<int> host(32);
    CHECK_CUDA(cudaMemcpy(host.data() + 32, data, 0, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(data, host.data() + 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

SILENT("from the middle of a block to its end") {
    Buffer<int> data(32, 3);
    std::vector<int> host(256);
    CHECK_CUDA(cudaMemcpy(host.data() + 224, data, few, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host[255], 3);
}

SILENT("the middle of a block of many pages") {
    constexpr std::size_t n = std::size_t(32) << 20;
    Buffer<char> data(many, 5);
    std::vector<char> host(n);
    CHECK_CUDA(cudaMemcpy(host.data() + n - many, data, many, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(host.data() + n / 2, data, many, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host[n - 1], 5);
    CHECK_EQUAL(host[n / 2 + many - 1], 5);
}

SILENT("capacity that no element uses") {
    Buffer<int> data(256, 3);
    std::vector<int> host;
    host.reserve(256);
    CHECK_CUDA(cudaMemcpy(host.data(), data, many, cudaMemcpyDeviceToHost), cudaSuccess);
}

struct Counted {
    ~Counted() { value = 0; }
    int value;
};
SILENT("new[] with a count before the elements") {
    Buffer<int> data(32, 3);
    const std::unique_ptr<Counted[]> host(new Counted[32]);
    CHECK_CUDA(cudaMemcpy(host.get(), data, few, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host[31].value, 3);
}

SILENT("a pool in one large block") {
    Buffer<int> data(32, 3);
    std::vector<char> pool(1 << 16);
    for (std::size_t at = 0; at + few <= pool.size(); at += few)
        CHECK_CUDA(cudaMemcpy(pool.data() + at, data, few, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(pool.back(), 0);
}

SILENT("pages by mmap") {
    Buffer<char> data(4096, 7);
    void* const pages = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    CHECK_CUDA(cudaMemcpy(pages, data, 4096, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(static_cast<char*>(pages)[4095], 7);
    munmap(pages, 4096);
}

SILENT("every size, every way to allocate") {
    Buffer<char> data(300, 9);
    for (std::size_t n = 1; n <= 300; ++n) {
        void* aligned = nullptr;
        CHECK_EQUAL(posix_memalign(&aligned, 128, n), 0);
        void* const blocks[] = {std::malloc(n), std::calloc(n, 1), std::realloc(nullptr, n),
                                std::realloc(std::malloc(2 * n), n), aligned};
        for (void* const block : blocks) {
            CHECK_CUDA(cudaMemcpy(block, data, n, cudaMemcpyDeviceToHost), cudaSuccess);
            CHECK_CUDA(cudaMemcpy(data, block, n, cudaMemcpyHostToDevice), cudaSuccess);
            std::free(block);
        }
    }
}

SILENT("what realloc moved") {
    Buffer<int> data(256, 4);
    int* host = static_cast<int*>(std::malloc(few));
    host[31] = 17;
    int* const neighbour = static_cast<int*>(std::malloc(few));  // makes realloc move the block
    host = static_cast<int*>(std::realloc(host, many));
    CHECK_EQUAL(host[31], 17);
    CHECK_CUDA(cudaMemcpy(host, data, many, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(neighbour, data, few, cudaMemcpyDeviceToHost), cudaSuccess);
    std::free(host);
    std::free(neighbour);
}

SILENT("a large block where small ones have been") {
    Buffer<int> data(256, 4);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::unique_ptr<int[]>> small;
        for (int i = 0; i < 200; ++i) small.emplace_back(new int[1 + i % 40]);
        small.clear();
        std::vector<int> host(256);
        CHECK_CUDA(cudaMemcpy(host.data(), data, many, cudaMemcpyDeviceToHost), cudaSuccess);
    }
}

SILENT("rows within one block") {
    Buffer<char> data(64 * 64, 2);
    std::vector<char> host(60 * 64 - 4);  // 60 rows; the last row has no padding
    CHECK_CUDA(cudaMemcpy2D(host.data(), 64, data, 64, 60, 60, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(host.back(), 2);
    CHECK_CUDA(cudaMemcpy2D(data, 64, host.data(), 64, 60, 60, cudaMemcpyHostToDevice), cudaSuccess);
}

int global_ints[32];
static const int constant_ints[32] = {1, 2, 3};
struct Pair {
    int first[32], second[32];
} pair;
SILENT("local, static and global variables to their last byte") {
    Buffer<int> data(64, 6);
    int local[64];
    static int kept[64];
    int single = 0;
    CHECK_CUDA(cudaMemcpy(local, data, sizeof local, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(local + 63, data, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(&single, data, sizeof single, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(kept, data, sizeof kept, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(global_ints, data, few, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(&pair, data, sizeof pair, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(local[63] + kept[63] + single + global_ints[31] + pair.second[31], 30);
    CHECK_CUDA(cudaMemcpy(data, constant_ints, few, cudaMemcpyHostToDevice), cudaSuccess);
    CHECK_EQUAL(data.read()[2], 3);
}

struct Large {
    int values[64];
};
__attribute__((noinline)) cudaError_t copy_argument(int* data, Large by_value) {
    return cudaMemcpy(data, by_value.values, sizeof by_value, cudaMemcpyHostToDevice);
}
__attribute__((noinline)) cudaError_t copy_dynamic(int* data, std::size_t n) {
    int* const local = static_cast<int*>(__builtin_alloca(n * sizeof(int)));
    local[n - 1] = 8;
    return cudaMemcpy(data, local, n * sizeof(int), cudaMemcpyHostToDevice);
}
__attribute__((noinline)) cudaError_t fill_for_caller(int* to, const int* data, std::size_t bytes) {
    return cudaMemcpy(to, data, bytes, cudaMemcpyDeviceToHost);
}
SILENT("arguments by value, alloca, and the caller's array") {
    Buffer<int> data(64, 6);
    Large large{};
    large.values[63] = 5;
    CHECK_CUDA(copy_argument(data, large), cudaSuccess);
    CHECK_EQUAL(data.read()[63], 5);
    CHECK_CUDA(copy_dynamic(data, 64), cudaSuccess);
    CHECK_EQUAL(data.read()[63], 8);
    int local[64];
    CHECK_CUDA(fill_for_caller(local, data, sizeof local), cudaSuccess);
    CHECK_EQUAL(local[63], 8);
    alignas(128) int aligned[64];
    CHECK_CUDA(fill_for_caller(aligned, data, sizeof aligned), cudaSuccess);
    CHECK_EQUAL(aligned[63], 8);
}

SILENT("the stack of another thread") {
    Buffer<int> data(64, 6);
    int local[64];
    cudaError_t error = cudaErrorUnknown;
    std::thread([&] { error = cudaMemcpy(local, data, sizeof local, cudaMemcpyDeviceToHost); }).join();
    CHECK_CUDA(error, cudaSuccess);
    CHECK_EQUAL(local[63], 6);
}

SILENT("threads that allocate while others copy") {
    Buffer<int> data(256, 6);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([] {
            for (int i = 0; i < 3000; ++i) std::vector<int>(static_cast<std::size_t>(1 + i * 37 % 5000), i);
        });
    for (int i = 0; i < 300; ++i) {
        std::vector<int> host(256);
        CHECK_CUDA(cudaMemcpy(host.data(), data, many, cudaMemcpyDeviceToHost), cudaSuccess);
    }
    for (std::thread& thread : threads) thread.join();
}

SILENT("ordinary memory may be freed when the call returns") {
    Buffer<int> data(32);
    {
        const std::vector<int> host(32, 5);
        CHECK_CUDA(cudaMemcpyAsync(data, host.data(), few, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
    }
    const std::vector<int> other(32, 9);  // may get the address of the freed vector
    CHECK_EQUAL(other[31], 9);
    CHECK_EQUAL(data.read()[31], 5);
}

SILENT("registered memory, freed after the wait") {
    Buffer<int> data(32);
    for (int round = 0; round < 3; ++round) {
        int* const host = static_cast<int*>(std::malloc(few));
        host[31] = round;
        CHECK_CUDA(cudaHostRegister(host, few, cudaHostRegisterDefault), cudaSuccess);
        CHECK_CUDA(cudaMemcpyAsync(data, host, few, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        CHECK_CUDA(cudaHostUnregister(host), cudaSuccess);
        std::free(host);
        CHECK_EQUAL(data.read()[31], round);
    }
}

SILENT("memory that a graph copies to, freed after the last launch") {
    Buffer<int> data(32, 8);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t instance;
    CHECK_CUDA(cudaStreamCreate(&stream), cudaSuccess);
    int* const host = new int[32];
    CHECK_CUDA(cudaGraphCreate(&graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host, data, few, cudaMemcpyDeviceToHost),
               cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    for (int round = 0; round < 3; ++round) CHECK_CUDA(cudaGraphLaunch(instance, stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK_EQUAL(host[31], 8);
    delete[] host;
    CHECK_CUDA(cudaGraphExecDestroy(instance), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
    CHECK_CUDA(cudaStreamDestroy(stream), cudaSuccess);
}

CHECKS_MAIN("silent_host_copies")
