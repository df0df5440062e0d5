// Limits of a launch: threads, dimensions, shared memory, launch bounds, cooperative grids; error codes.
#include "conformance.cuh"

__global__ void nothing() {}

cudaError_t error_of_launch(dim3 grid, dim3 block, std::size_t shared = 0) {
    nothing<<<grid, block, shared>>>();
    const cudaError_t error = cudaGetLastError();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    return error;
}

CASE_MISUSE("no blocks or no threads: cudaErrorInvalidValue") {
    CHECK_CUDA(error_of_launch(0, 1), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(dim3(1, 0), 1), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(dim3(1, 1, 0), 1), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, 0), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, dim3(32, 0)), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, dim3(32, 1, 0)), cudaErrorInvalidValue);
}

CASE_MISUSE("more than 1024 threads per block: cudaErrorInvalidValue") {
    CHECK_CUDA(error_of_launch(1, 1024), cudaSuccess);
    CHECK_CUDA(error_of_launch(1, 1025), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, dim3(32, 33)), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, dim3(32, 32, 2)), cudaErrorInvalidValue);
}

CASE_MISUSE("a block is at most 64 threads deep: cudaErrorInvalidValue") {
    CHECK_CUDA(error_of_launch(1, dim3(1, 1, 64)), cudaSuccess);
    CHECK_CUDA(error_of_launch(1, dim3(1, 1, 65)), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, dim3(1, 1024, 1)), cudaSuccess);
}

CASE_MISUSE("a grid has at most 65535 blocks in y and z: cudaErrorInvalidValue") {
    CHECK_CUDA(error_of_launch(dim3(1, 65535), 1), cudaSuccess);
    CHECK_CUDA(error_of_launch(dim3(1, 65536), 1), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(dim3(1, 1, 65535), 1), cudaSuccess);
    CHECK_CUDA(error_of_launch(dim3(1, 1, 65536), 1), cudaErrorInvalidValue);
}

CASE_MISUSE("a grid has at most 2^31-1 blocks in x: cudaErrorInvalidValue") {
    CHECK_CUDA(error_of_launch(0x80000000u, 1), cudaErrorInvalidValue);
}

CASE_MISUSE("negative counts become huge ones and are refused") {
    CHECK_CUDA(error_of_launch(static_cast<unsigned>(-1), 1), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, static_cast<unsigned>(-32)), cudaErrorInvalidValue);
}

/// Writes the last byte of its dynamic shared memory. Each TAG makes a kernel with separate attributes.
template <int TAG, int STATIC_BYTES>
__global__ void use_shared(int bytes, int* out) {
    __shared__ char fixed[STATIC_BYTES];
    extern __shared__ char flexible[];
    const int last = STATIC_BYTES - 1 - (bytes < 0);  // the compiler cannot know this index, with which it
                                                      // would shrink the array
    if (threadIdx.x == 0) fixed[last] = 1;
    if (threadIdx.x == 1) flexible[bytes - 1] = 2;
    __syncthreads();
    if (threadIdx.x == 0) *out = fixed[last] + flexible[bytes - 1];
}

template <int TAG, int STATIC_BYTES>
cudaError_t error_of_shared(int bytes) {
    Buffer<int> out(1, 0);
    use_shared<TAG, STATIC_BYTES><<<1, 32, bytes>>>(bytes, out);
    const cudaError_t error = cudaGetLastError();
    CHECK_EQUAL(out.read()[0], error == cudaSuccess ? 3 : 0);
    return error;
}

constexpr int KIB = 1024;

int opt_in_limit() {
    int bytes = 0;
    REQUIRE_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return bytes;
}

CASE_MISUSE("48 KiB of shared memory in all without opt-in, beyond that cudaErrorInvalidValue") {
    CHECK_CUDA((error_of_shared<0, 1 * KIB>(47 * KIB)), cudaSuccess);
    CHECK_CUDA((error_of_shared<0, 1 * KIB>(47 * KIB + 16)), cudaErrorInvalidValue);
    CHECK_CUDA((error_of_shared<0, 1 * KIB>(64 * KIB)), cudaErrorInvalidValue);
    CHECK_CUDA(error_of_launch(1, 1, 48 * KIB), cudaSuccess);
    CHECK_CUDA(error_of_launch(1, 1, 48 * KIB + 16), cudaErrorInvalidValue);
}

CASE_MISUSE("with opt-in up to the device's limit, static memory included") {
    const int limit = opt_in_limit();
    CHECK(limit > 48 * KIB);
    auto kernel = use_shared<1, 16>;
    CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit - 16),
               cudaSuccess);
    CHECK_CUDA((error_of_shared<1, 16>(limit - 16)), cudaSuccess);
    CHECK_CUDA((error_of_shared<1, 16>(49 * KIB)), cudaSuccess);
    CHECK_CUDA((error_of_shared<1, 16>(limit)), cudaErrorInvalidValue);
}

CASE_MISUSE("the opt-in is each kernel's own, and ends where it was set") {
    auto kernel = use_shared<2, 16>;
    CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 56 * KIB),
               cudaSuccess);
    CHECK_CUDA((error_of_shared<2, 16>(56 * KIB)), cudaSuccess);
    CHECK_CUDA((error_of_shared<2, 16>(57 * KIB)), cudaErrorInvalidValue);
    CHECK_CUDA((error_of_shared<3, 16>(56 * KIB)), cudaErrorInvalidValue);
}

CASE_MISUSE("an opt-in beyond the device's limit: cudaErrorInvalidValue") {
    auto kernel = use_shared<4, 16>;
    CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in_limit() + 1),
               cudaErrorInvalidValue);
    CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1),
               cudaErrorInvalidValue);
}

__global__ void __launch_bounds__(128) bounded(int* out) {
    atomicAdd(out, 1);
}

CASE_MISUSE("more threads than __launch_bounds__: refused, nothing runs") {
    Buffer<int> out(1);
    bounded<<<1, 128>>>(out);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 128);
    bounded<<<1, 256>>>(out);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    CHECK_EQUAL(out.read()[0], 128);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS) bounded_template(int* out) {
    atomicAdd(out, 1);
}

CASE_MISUSE("launch bounds of a template depend on its argument") {
    Buffer<int> out(1);
    bounded_template<64><<<1, 65>>>(out);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
    bounded_template<512><<<1, 512>>>(out);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    CHECK_EQUAL(out.read()[0], 512);
}

CASE_MISUSE("a cooperative grid must be resident as a whole: cudaErrorCooperativeLaunchTooLarge") {
    CHECK_CUDA(cudaLaunchCooperativeKernel(nothing, dim3(1000000), dim3(1024), nullptr, 0, nullptr),
               cudaErrorCooperativeLaunchTooLarge);
    CHECK_CUDA(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    CHECK_CUDA(cudaLaunchCooperativeKernel(nothing, dim3(2), dim3(1024), nullptr, 0, nullptr), cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CASE_MISUSE("cudaLaunchKernel returns the error of the launch and records it too") {
    CHECK_CUDA(cudaLaunchKernel(nothing, dim3(1), dim3(2000), nullptr, 0, nullptr), cudaErrorInvalidValue);
    CHECK_CUDA(cudaGetLastError(), cudaErrorInvalidValue);
}

CASE("the largest cooperative grid that the occupancy calculator allows does run") {
    int blocks = 0, processors = 0;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    CHECK(blocks >= 1 && processors >= 1);
    CHECK_CUDA(
        cudaLaunchCooperativeKernel(nothing, dim3(blocks * processors), dim3(1024), nullptr, 0, nullptr),
        cudaSuccess);
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
}

CONFORMANCE_MAIN("limits")
