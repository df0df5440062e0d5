// Which line a report about a call of the runtime names: the student's, also where a library or a pointer makes the call.
#include <functional>
#include <memory>

#include "checks.cuh"

int* allocated(std::size_t bytes) {
    int* pointer = nullptr;
    cudaMalloc(&pointer, bytes);
    return pointer;
}

PLANTED("freed twice, in one line after the other", "address", "freed twice") {
    int* const data = allocated(4);
    cudaFree(data);
    cudaFree(data);  // <-
}

// The call is the last of its function: a compiler might jump there instead of calling.
__attribute__((noinline)) cudaError_t release(void* pointer) {
    return cudaFree(pointer);  // <-
}
PLANTED("a wrapper whose last word is the call", "address", "freed twice") {
    int* const data = allocated(4);
    cudaFree(data);
    release(data);
}

PLANTED("through a pointer to the function", "address", "freed twice") {
    int* const data = allocated(4);
    cudaError_t (*volatile const free)(void*) = cudaFree;
    free(data);
    free(data);  // <-
}

PLANTED("by unique_ptr", "address", "freed twice") {
    int* const data = allocated(4);
    std::unique_ptr<int, decltype(&cudaFree)> owner(data, cudaFree);
    cudaFree(data);
    owner.reset();  // <-
}

PLANTED("by shared_ptr", "address", "freed twice") {
    int* const data = allocated(4);
    std::shared_ptr<int> owner(data, cudaFree);
    cudaFree(data);
    owner.reset();  // <-
}

PLANTED("by std::function", "address", "writes 64 bytes, 60 bytes past the end") {
    int* const data = allocated(4);
    const std::function<cudaError_t(void*, int, std::size_t)> fill = cudaMemset;
    fill(data, 0, 64);  // <-
    cudaFree(data);
}

__device__ int counter[4];
PLANTED("a template of the API", "address", "the variable has only") {
    const int values[8] = {};
    cudaMemcpyToSymbol(counter, values, sizeof values);  // <-
}

struct Holder {
    explicit Holder(std::size_t bytes) { cudaMalloc(&data, bytes); }
    ~Holder() { cudaFree(data); }  // <-
    void* data;
};
PLANTED("in a destructor", "address", "freed twice") {
    const Holder holder(4);
    cudaFree(holder.data);
}

__global__ void nothing() {}
PLANTED("a launch by cudaLaunchKernel", "launch", "`nothing`") {
    cudaLaunchKernel(nothing, 1, 2048, nullptr);  // <-
}

PLANTED("a launch by cudaLaunchKernelEx", "launch", "`nothing`") {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(2048);
    cudaLaunchKernelEx(&config, nothing);  // <-
}

PLANTED("what is not offered", "argument", "cudaMallocArray is not offered by the CPU backend") {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &format, 64);  // <-
}

CHECKS_MAIN("planted_callers")
