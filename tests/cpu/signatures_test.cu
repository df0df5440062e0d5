// Types of the runtime's functions, which must be those of CUDA: programs store them in pointers, use them as
// deleters, or declare them again.
#include <functional>
#include <map>
#include <memory>
#include <type_traits>

#include "conformance.cuh"

// A declaration by the program, as in programs that do not include the header. Such a declaration must have
// the same type and linkage as the header's.
extern "C" cudaError_t cudaFreeHost(void* pointer);

__device__ int counter;
__constant__ float table[4];

__global__ void nothing() {}
__global__ void add(int* to, int value) {
    atomicAdd(to, value);
}
template <int N>
__global__ void store(int* to) {
    *to = N;
}

// Functions that are neither templates nor overloaded have exactly one type.
template <class Wanted, class Function>
constexpr bool is(Function*) {
    return std::is_same_v<Wanted, Function>;
}
using S = cudaStream_t;
using E = cudaEvent_t;
using Kind = cudaMemcpyKind;
using Size = std::size_t;
static_assert(is<cudaError_t(void*)>(cudaFree));
static_assert(is<cudaError_t(void*)>(cudaFreeHost));
static_assert(is<cudaError_t(void*, S)>(cudaFreeAsync));
static_assert(is<cudaError_t()>(cudaDeviceSynchronize));
static_assert(is<cudaError_t()>(cudaDeviceReset));
static_assert(is<cudaError_t()>(cudaGetLastError));
static_assert(is<const char*(cudaError_t)>(cudaGetErrorString));
static_assert(is<cudaError_t(int*)>(cudaGetDeviceCount));
static_assert(is<cudaError_t(int)>(cudaSetDevice));
static_assert(is<cudaError_t(cudaDeviceProp*, int)>(cudaGetDeviceProperties));
static_assert(is<cudaError_t(int*, cudaDeviceAttr, int)>(cudaDeviceGetAttribute));
static_assert(is<cudaError_t(void*, const void*, Size, Kind)>(cudaMemcpy));
static_assert(is<cudaError_t(void*, const void*, Size, Kind, S)>(cudaMemcpyAsync));
static_assert(is<cudaError_t(void*, Size, const void*, Size, Size, Size, Kind)>(cudaMemcpy2D));
static_assert(is<cudaError_t(void*, int, Size)>(cudaMemset));
static_assert(is<cudaError_t(void*, int, Size, S)>(cudaMemsetAsync));
static_assert(is<cudaError_t(void*, Size, int, Size, Size)>(cudaMemset2D));
static_assert(is<cudaError_t(void*, Size, unsigned)>(cudaHostRegister));
static_assert(is<cudaError_t(void*)>(cudaHostUnregister));
static_assert(is<cudaError_t(Size*, Size*)>(cudaMemGetInfo));
static_assert(is<cudaError_t(cudaPointerAttributes*, const void*)>(cudaPointerGetAttributes));
static_assert(is<cudaError_t(S*)>(cudaStreamCreate));
static_assert(is<cudaError_t(S*, unsigned)>(cudaStreamCreateWithFlags));
static_assert(is<cudaError_t(S*, unsigned, int)>(cudaStreamCreateWithPriority));
static_assert(is<cudaError_t(S)>(cudaStreamDestroy));
static_assert(is<cudaError_t(S)>(cudaStreamSynchronize));
static_assert(is<cudaError_t(S)>(cudaStreamQuery));
static_assert(is<cudaError_t(S, E, unsigned)>(cudaStreamWaitEvent));
static_assert(is<cudaError_t(S, cudaHostFn_t, void*)>(cudaLaunchHostFunc));
static_assert(is<cudaError_t(S, cudaStreamCaptureMode)>(cudaStreamBeginCapture));
static_assert(is<cudaError_t(S, cudaGraph_t*)>(cudaStreamEndCapture));
static_assert(is<cudaError_t(E*, unsigned)>(cudaEventCreateWithFlags));
static_assert(is<cudaError_t(E)>(cudaEventDestroy));
static_assert(is<cudaError_t(E)>(cudaEventSynchronize));
static_assert(is<cudaError_t(E)>(cudaEventQuery));
static_assert(is<cudaError_t(E, S)>(cudaEventRecord));
static_assert(is<cudaError_t(E, S, unsigned)>(cudaEventRecordWithFlags));
static_assert(is<cudaError_t(float*, E, E)>(cudaEventElapsedTime));
static_assert(is<cudaError_t(cudaGraph_t*, unsigned)>(cudaGraphCreate));
static_assert(is<cudaError_t(cudaGraph_t)>(cudaGraphDestroy));
static_assert(is<cudaError_t(cudaGraphExec_t)>(cudaGraphExecDestroy));
static_assert(is<cudaError_t(cudaGraphExec_t, S)>(cudaGraphLaunch));
static_assert(
    is<cudaError_t(cudaGraphExec_t*, cudaGraph_t, unsigned long long)>(cudaGraphInstantiateWithFlags));
static_assert(is<cudaError_t(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, Size,
                             const cudaKernelNodeParams*)>(cudaGraphAddKernelNode));
static_assert(is<cudaError_t(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                             Size, cudaGraphNodeParams*)>(cudaGraphAddNode));

CASE("overloaded functions are chosen by the pointer's type") {
    cudaError_t (*const allocate)(void**, std::size_t) = cudaMalloc;
    cudaError_t (*const allocate_ints)(int**, std::size_t) = cudaMalloc<int>;
    cudaError_t (*const pinned)(void**, std::size_t) = cudaMallocHost;
    cudaError_t (*const managed)(void**, std::size_t, unsigned) = cudaMallocManaged;
    cudaError_t (*const in_stream)(void**, std::size_t, cudaStream_t) = cudaMallocAsync;
    cudaError_t (*const event)(cudaEvent_t*) = cudaEventCreate;
    cudaError_t (*const with_flags)(cudaEvent_t*, unsigned) = cudaEventCreate;
    cudaError_t (*const launch)(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) =
        cudaLaunchKernel;
    cudaError_t (*const instantiate)(cudaGraphExec_t*, cudaGraph_t, unsigned long long) =
        cudaGraphInstantiate;

    void* memory = nullptr;
    CHECK_CUDA(allocate(&memory, 16), cudaSuccess);
    CHECK_CUDA(cudaFree(memory), cudaSuccess);
    int* ints = nullptr;
    CHECK_CUDA(allocate_ints(&ints, 16), cudaSuccess);
    CHECK_CUDA(cudaMemset(ints, 0, 16), cudaSuccess);
    int value = 3;
    void* arguments[] = {&ints, &value};
    CHECK_CUDA(launch(reinterpret_cast<const void*>(add), 1, 32, arguments, 0, nullptr), cudaSuccess);
    CHECK_CUDA(cudaMemcpy(&value, ints, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    CHECK_EQUAL(value, 96);
    CHECK_CUDA(cudaFree(ints), cudaSuccess);
    CHECK_CUDA(pinned(&memory, 16), cudaSuccess);
    CHECK_CUDA(cudaFreeHost(memory), cudaSuccess);
    CHECK_CUDA(managed(&memory, 16, cudaMemAttachGlobal), cudaSuccess);
    CHECK_CUDA(cudaFree(memory), cudaSuccess);
    CHECK_CUDA(in_stream(&memory, 16, nullptr), cudaSuccess);
    CHECK_CUDA(cudaFreeAsync(memory, nullptr), cudaSuccess);
    cudaEvent_t first, second;
    CHECK_CUDA(event(&first), cudaSuccess);
    CHECK_CUDA(with_flags(&second, cudaEventDisableTiming), cudaSuccess);
    CHECK_CUDA(cudaEventDestroy(first), cudaSuccess);
    CHECK_CUDA(cudaEventDestroy(second), cudaSuccess);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK_CUDA(cudaGraphCreate(&graph, 0), cudaSuccess);
    CHECK_CUDA(instantiate(&exec, graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

/// Owns an object that a function of the runtime destroys.
template <class Handle, cudaError_t (*Destroy)(Handle)>
struct Destroyed {
    void operator()(Handle handle) const { CHECK_CUDA(Destroy(handle), cudaSuccess); }
};
template <class Handle, cudaError_t (*Destroy)(Handle)>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Destroyed<Handle, Destroy>>;

CASE("functions of the runtime are deleters") {
    float* raw = nullptr;
    REQUIRE_CUDA(cudaMalloc(&raw, 64));
    {
        const std::unique_ptr<float, decltype(&cudaFree)> device(raw, &cudaFree);
        CHECK_CUDA(cudaMemset(device.get(), 0, 64), cudaSuccess);
    }
    REQUIRE_CUDA(cudaMallocHost(&raw, 64));
    {
        const std::unique_ptr<float[], cudaError_t (*)(void*)> pinned(raw, cudaFreeHost);
        pinned[0] = 1;
    }
    REQUIRE_CUDA(cudaMalloc(&raw, 64));
    std::shared_ptr<void> shared(raw, cudaFree);
    shared.reset();

    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    REQUIRE_CUDA(cudaStreamCreate(&stream));
    const Owner<cudaStream_t, cudaStreamDestroy> owned_stream(stream);
    REQUIRE_CUDA(cudaEventCreate(&event));
    const Owner<cudaEvent_t, cudaEventDestroy> owned_event(event);
    REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
    const Owner<cudaGraph_t, cudaGraphDestroy> owned_graph(graph);
    REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    const Owner<cudaGraphExec_t, cudaGraphExecDestroy> owned_exec(exec);
    CHECK_CUDA(cudaGraphLaunch(exec, stream), cudaSuccess);
    CHECK_CUDA(cudaEventRecord(event, stream), cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(event), cudaSuccess);
}

CASE("functions of the runtime in containers") {
    const std::map<std::string, cudaError_t (*)()> commands = {{"wait", cudaDeviceSynchronize},
                                                               {"last", cudaGetLastError}};
    for (const auto& [name, command] : commands) CHECK_CUDA(command(), cudaSuccess);
    const std::function<cudaError_t(void*, int, std::size_t)> fill = cudaMemset;
    Buffer<int> data(4);
    CHECK_CUDA(fill(data, 0, 16), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<int>(4, 0));
}

CASE("a kernel is named by itself, by a pointer, and by an address without a type") {
    int grid = 0, block = 0, blocks = 0;
    cudaFuncAttributes attributes{};
    void (*const typed)(int*, int) = add;
    void* const untyped = reinterpret_cast<void*>(add);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, untyped, 0, 0), cudaSuccess);
    CHECK(grid > 0 && block > 0);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store<3>), cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, typed, 0, 0, cudaOccupancyDefault),
               cudaSuccess);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, untyped, 128, 0), cudaSuccess);
    CHECK(blocks > 0);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, typed, 128, 0), cudaSuccess);
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, untyped), cudaSuccess);
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, add), cudaSuccess);
    CHECK_CUDA(cudaFuncSetAttribute(untyped, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096), cudaSuccess);
    CHECK_CUDA(cudaFuncSetCacheConfig(store<3>, cudaFuncCachePreferL1), cudaSuccess);
    std::size_t bytes = 0;
    CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 1, 128), cudaSuccess);
    CHECK(bytes > 0);
}

CASE("an empty graph is instantiated with the arguments of CUDA 11") {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CASE("a variable is named by itself") {
    const float values[] = {1, 2, 3, 4};
    float back[4] = {};
    CHECK_CUDA(cudaMemcpyToSymbol(table, values, sizeof values), cudaSuccess);
    CHECK_CUDA(cudaMemcpyFromSymbolAsync(back, table, sizeof back), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(back[3], 4.0f);
    std::size_t bytes = 0;
    CHECK_CUDA(cudaGetSymbolSize(&bytes, table), cudaSuccess);
    CHECK_EQUAL(bytes, sizeof table);
    void* address = nullptr;
    CHECK_CUDA(cudaGetSymbolAddress(&address, counter), cudaSuccess);
    CHECK_CUDA(cudaMemset(address, 0, sizeof(int)), cudaSuccess);
}

CONFORMANCE_MAIN("signatures")
