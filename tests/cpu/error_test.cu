// How CUDA reports errors: as the result of a call, of a launch, of the execution; peeked at, cleared,
// sticky.
#include "conformance.cuh"

__global__ void nothing() {}
__global__ void store(int* p, int value) {
    *p = value;
}
__global__ void load(const int* p, int* out) {
    *out = *p;
}

CASE("names and texts of errors") {
    CHECK_EQUAL(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    CHECK_EQUAL(cudaGetErrorString(cudaSuccess), "no error");
    CHECK_EQUAL(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    CHECK_EQUAL(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    CHECK_EQUAL(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    CHECK_EQUAL(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorAssert), "device-side assert triggered");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorLaunchFailure), "unspecified launch failure");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorNotReady), "device not ready");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorInvalidResourceHandle), "invalid resource handle");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge),
                "too many blocks in cooperative launch");
    CHECK_EQUAL(cudaGetErrorString(cudaErrorLaunchOutOfResources), "too many resources requested for launch");
}

CASE("a code that is no error has a name and a text that say so") {
    const auto none = static_cast<cudaError_t>(12345);
    CHECK_EQUAL(cudaGetErrorName(none), "unrecognized error code");
    CHECK_EQUAL(cudaGetErrorString(none), "unrecognized error code");
}

CASE("numbers of the common errors") {
    CHECK_EQUAL(static_cast<int>(cudaErrorInvalidValue), 1);
    CHECK_EQUAL(static_cast<int>(cudaErrorMemoryAllocation), 2);
    CHECK_EQUAL(static_cast<int>(cudaErrorInvalidConfiguration), 9);
    CHECK_EQUAL(static_cast<int>(cudaErrorInvalidMemcpyDirection), 21);
    CHECK_EQUAL(static_cast<int>(cudaErrorInvalidDevice), 101);
    CHECK_EQUAL(static_cast<int>(cudaErrorInvalidResourceHandle), 400);
    CHECK_EQUAL(static_cast<int>(cudaErrorNotReady), 600);
    CHECK_EQUAL(static_cast<int>(cudaErrorIllegalAddress), 700);
    CHECK_EQUAL(static_cast<int>(cudaErrorLaunchOutOfResources), 701);
    CHECK_EQUAL(static_cast<int>(cudaErrorAssert), 710);
    CHECK_EQUAL(static_cast<int>(cudaErrorLaunchFailure), 719);
}

CASE("success leaves no error behind") {
    nothing<<<1, 1>>>();
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_CUDA(cudaPeekAtLastError(), cudaSuccess);
}

CASE_MISUSE("a refused launch: cudaPeekAtLastError keeps the error, cudaGetLastError takes it") {
    nothing<<<1, 1025>>>();
    CHECK_CUDA(cudaPeekAtLastError(), cudaErrorInvalidValue);
    CHECK_CUDA(cudaPeekAtLastError(), cudaErrorInvalidValue);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

CASE_MISUSE("a refused launch is not an execution error: synchronising succeeds, and keeps the error") {
    nothing<<<1, 1025>>>();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
}

CASE_MISUSE("a refused launch runs nothing, and the next launch is unharmed") {
    Buffer<int> out(2, 7);
    store<<<1, 2048>>>(out, 1);
    store<<<1, 1>>>(out + 1, 2);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_EQUAL(out.read(), std::vector<int>{7, 2});
}

CASE_MISUSE("a later success does not clear the last error") {
    void* p = nullptr;
    CHECK_CUDA(cudaMalloc(&p, ~std::size_t{0} >> 4), cudaErrorMemoryAllocation);
    CHECK_CUDA(cudaMalloc(&p, 256), cudaSuccess);
    CHECK_CUDA(cudaFree(p), cudaSuccess);
    CHECK_CUDA(cudaGetLastError(), cudaErrorMemoryAllocation);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

CASE_MISUSE("a later error replaces the one that nobody has taken") {
    nothing<<<1, 1025>>>();
    CHECK_CUDA(cudaSetDevice(1000), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

CASE_FATAL("a write through null: the launch succeeds, the synchronisation gives cudaErrorIllegalAddress") {
    store<<<1, 1>>>(nullptr, 1);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

CASE_FATAL("a read through null is illegal too") {
    Buffer<int> out(1);
    load<<<1, 1>>>(nullptr, out);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

CASE_FATAL("a wild pointer: cudaErrorIllegalAddress") {
    store<<<1, 1>>>(reinterpret_cast<int*>(0x1000), 1);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

CASE_FATAL("memory that was freed, far from any other: cudaErrorIllegalAddress") {
    int* p = nullptr;
    // A large allocation, because freeing it unmaps the addresses.
    REQUIRE_CUDA(cudaMalloc(&p, std::size_t{256} << 20));
    REQUIRE_CUDA(cudaFree(p));
    store<<<1, 1>>>(p + (32 << 20), 1);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

CASE_FATAL("an execution error is sticky: every later call returns it") {
    Buffer<int> data(1);
    int host = 0;
    void* p = nullptr;
    store<<<1, 1>>>(nullptr, 1);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaGetLastError(), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);  // the error is cleared, but the device stays unusable
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    nothing<<<1, 1>>>();
    CHECK_CUDA(cudaGetLastError(), cudaErrorIllegalAddress);
}

CASE_FATAL("an execution error surfaces at whatever call synchronises next: cudaMemcpy") {
    Buffer<int> data(1);
    int host = 0;
    store<<<1, 1>>>(nullptr, 1);
    CHECK_CUDA(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
}

CASE_FATAL("an execution error surfaces at cudaStreamSynchronize and cudaEventSynchronize") {
    cudaStream_t stream;
    cudaEvent_t event;
    REQUIRE_CUDA(cudaStreamCreate(&stream));
    REQUIRE_CUDA(cudaEventCreate(&event));
    store<<<1, 1, 0, stream>>>(nullptr, 1);
    cudaEventRecord(event, stream);  // can already return the error
    CHECK_CUDA(cudaEventSynchronize(event), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
}

__global__ void store_through_table(int* const* table) {
    *table[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

CASE_FATAL("one bad thread among many is enough") {
    Buffer<int> out(256);
    std::vector<int*> table(256);
    for (int i = 0; i < 256; ++i) table[i] = i == 200 ? nullptr : out + i;
    Buffer<int*> pointers(table);
    store_through_table<<<4, 64>>>(pointers);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

CONFORMANCE_MAIN("error")
