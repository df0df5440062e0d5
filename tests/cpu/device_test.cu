// Properties of the device and attributes of kernels.
#include <algorithm>

#include "conformance.cuh"

int attribute(cudaDeviceAttr which) {
    int value = -1;
    CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
}

cudaDeviceProp properties() {
    cudaDeviceProp all{};
    REQUIRE_CUDA(cudaGetDeviceProperties(&all, 0));
    return all;
}

CASE("devices are counted, chosen and named") {
    int count = 0, current = -1;
    CHECK_CUDA(cudaGetDeviceCount(&count), cudaSuccess);
    CHECK(count >= 1);
    CHECK_CUDA(cudaSetDevice(0), cudaSuccess);
    CHECK_CUDA(cudaGetDevice(&current), cudaSuccess);
    CHECK_EQUAL(current, 0);
    CHECK(properties().name[0] != '\0');
}

CASE_MISUSE("a device that does not exist: cudaErrorInvalidDevice") {
    cudaDeviceProp all{};
    int value = 0;
    CHECK_CUDA(cudaSetDevice(1000), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaSetDevice(-1), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaGetDeviceProperties(&all, 1000), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1000), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0), cudaErrorInvalidValue);
}

CASE("limits that all devices of this toolkit share") {
    const cudaDeviceProp all = properties();
    CHECK(all.major >= 7);
    CHECK_EQUAL(all.warpSize, 32);
    CHECK_EQUAL(all.maxThreadsPerBlock, 1024);
    CHECK_EQUAL(all.maxThreadsDim[0], 1024);
    CHECK_EQUAL(all.maxThreadsDim[1], 1024);
    CHECK_EQUAL(all.maxThreadsDim[2], 64);
    CHECK_EQUAL(all.maxGridSize[0], 2147483647);
    CHECK_EQUAL(all.maxGridSize[1], 65535);
    CHECK_EQUAL(all.maxGridSize[2], 65535);
    CHECK_EQUAL(all.sharedMemPerBlock, 49152u);
    CHECK_EQUAL(all.totalConstMem, 65536u);
    CHECK_EQUAL(all.regsPerBlock, 65536);
    CHECK_EQUAL(all.unifiedAddressing, 1);
}

CASE("properties and attributes agree") {
    const cudaDeviceProp all = properties();
    CHECK_EQUAL(attribute(cudaDevAttrWarpSize), all.warpSize);
    CHECK_EQUAL(attribute(cudaDevAttrMaxThreadsPerBlock), all.maxThreadsPerBlock);
    CHECK_EQUAL(attribute(cudaDevAttrMaxBlockDimX), all.maxThreadsDim[0]);
    CHECK_EQUAL(attribute(cudaDevAttrMaxBlockDimZ), all.maxThreadsDim[2]);
    CHECK_EQUAL(attribute(cudaDevAttrMaxGridDimX), all.maxGridSize[0]);
    CHECK_EQUAL(attribute(cudaDevAttrMaxGridDimY), all.maxGridSize[1]);
    CHECK_EQUAL(attribute(cudaDevAttrMaxSharedMemoryPerBlock), static_cast<int>(all.sharedMemPerBlock));
    CHECK_EQUAL(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
                static_cast<int>(all.sharedMemPerBlockOptin));
    CHECK_EQUAL(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                static_cast<int>(all.sharedMemPerMultiprocessor));
    CHECK_EQUAL(attribute(cudaDevAttrReservedSharedMemoryPerBlock),
                static_cast<int>(all.reservedSharedMemPerBlock));
    CHECK_EQUAL(attribute(cudaDevAttrMultiProcessorCount), all.multiProcessorCount);
    CHECK_EQUAL(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), all.maxThreadsPerMultiProcessor);
    CHECK_EQUAL(attribute(cudaDevAttrMaxBlocksPerMultiprocessor), all.maxBlocksPerMultiProcessor);
    CHECK_EQUAL(attribute(cudaDevAttrMaxRegistersPerBlock), all.regsPerBlock);
    CHECK_EQUAL(attribute(cudaDevAttrL2CacheSize), all.l2CacheSize);
    CHECK_EQUAL(attribute(cudaDevAttrGlobalMemoryBusWidth), all.memoryBusWidth);
    CHECK_EQUAL(attribute(cudaDevAttrComputeCapabilityMajor), all.major);
    CHECK_EQUAL(attribute(cudaDevAttrComputeCapabilityMinor), all.minor);
    CHECK_EQUAL(attribute(cudaDevAttrConcurrentKernels), all.concurrentKernels);
    CHECK_EQUAL(attribute(cudaDevAttrCooperativeLaunch), all.cooperativeLaunch);
    CHECK_EQUAL(attribute(cudaDevAttrManagedMemory), all.managedMemory);
    CHECK_EQUAL(attribute(cudaDevAttrUnifiedAddressing), all.unifiedAddressing);
    CHECK_EQUAL(attribute(cudaDevAttrAsyncEngineCount), all.asyncEngineCount);
}

CASE("the clock rates are attributes, in kHz") {
    CHECK(attribute(cudaDevAttrClockRate) > 100000);
    CHECK(attribute(cudaDevAttrMemoryClockRate) > 100000);
}

CASE("sizes are consistent with each other") {
    const cudaDeviceProp all = properties();
    std::size_t available = 0, total = 0;
    CHECK_CUDA(cudaMemGetInfo(&available, &total), cudaSuccess);
    CHECK(total <= all.totalGlobalMem && 2 * total > all.totalGlobalMem);
    CHECK(all.sharedMemPerBlock < all.sharedMemPerBlockOptin);
    CHECK(all.sharedMemPerBlockOptin <= all.sharedMemPerMultiprocessor);
    CHECK(all.maxThreadsPerMultiProcessor % all.warpSize == 0);
    CHECK(all.maxThreadsPerMultiProcessor >= all.maxThreadsPerBlock);
}

CASE("versions: the driver is at least as new as the runtime") {
    int runtime = 0, driver = 0;
    CHECK_CUDA(cudaRuntimeGetVersion(&runtime), cudaSuccess);
    CHECK_CUDA(cudaDriverGetVersion(&driver), cudaSuccess);
    CHECK_EQUAL(runtime, CUDART_VERSION);
    CHECK(driver >= 12000);
}

__global__ void plain(int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = 1;
}

__global__ void with_shared(int* out) {
    __shared__ int tile[300];
    __shared__ double more[10];
    tile[threadIdx.x] = 1;
    more[threadIdx.x % 10] = 2;
    __syncthreads();
    *out = tile[(threadIdx.x + 1) % blockDim.x] + static_cast<int>(more[0]);
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS) bounded(int* out) {
    *out = THREADS;
}

CASE("cudaFuncGetAttributes: static shared memory") {
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncGetAttributes(&facts, plain), cudaSuccess);
    CHECK_EQUAL(facts.sharedSizeBytes, 0u);
    CHECK_EQUAL(facts.maxDynamicSharedSizeBytes, 49152);
    CHECK_CUDA(cudaFuncGetAttributes(&facts, with_shared), cudaSuccess);
    CHECK_EQUAL(facts.sharedSizeBytes, 1280u);
}

CASE("cudaFuncGetAttributes: threads per block, registers, version") {
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncGetAttributes(&facts, plain), cudaSuccess);
    CHECK_EQUAL(facts.maxThreadsPerBlock, 1024);
    CHECK(facts.numRegs > 0 && facts.numRegs <= 255);
    CHECK(facts.binaryVersion >= 70);
    CHECK_CUDA(cudaFuncGetAttributes(&facts, bounded<96>), cudaSuccess);
    CHECK_EQUAL(facts.maxThreadsPerBlock, 96);
    CHECK_CUDA(cudaFuncGetAttributes(&facts, bounded<256>), cudaSuccess);
    CHECK_EQUAL(facts.maxThreadsPerBlock, 256);
}

template <int TAG>
__global__ void opted_in(int* out) {
    *out = TAG;
}

CASE("cudaFuncSetAttribute is seen by cudaFuncGetAttributes") {
    cudaFuncAttributes facts{};
    CHECK_CUDA(cudaFuncSetAttribute(opted_in<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024),
               cudaSuccess);
    CHECK_CUDA(cudaFuncGetAttributes(&facts, opted_in<1>), cudaSuccess);
    CHECK_EQUAL(facts.maxDynamicSharedSizeBytes, 60 * 1024);
    CHECK_CUDA(cudaFuncGetAttributes(&facts, opted_in<2>), cudaSuccess);
    CHECK_EQUAL(facts.maxDynamicSharedSizeBytes, 48 * 1024);
    CHECK_CUDA(cudaFuncSetCacheConfig(opted_in<1>, cudaFuncCachePreferL1), cudaSuccess);
}

CASE("occupancy: threads limit large blocks, dynamic shared memory limits hungry ones") {
    const cudaDeviceProp all = properties();
    int blocks = 0;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0), cudaSuccess);
    CHECK_EQUAL(blocks, all.maxThreadsPerMultiProcessor / 1024);
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0), cudaSuccess);
    CHECK_EQUAL(blocks, std::min(all.maxBlocksPerMultiProcessor, all.maxThreadsPerMultiProcessor / 32));
    const std::size_t shared = 40 * 1024;
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 64, shared), cudaSuccess);
    CHECK_EQUAL(blocks,
                static_cast<int>(all.sharedMemPerMultiprocessor / (shared + all.reservedSharedMemPerBlock)));
}

CASE("cudaOccupancyMaxPotentialBlockSize suggests a launch that runs") {
    int grid = 0, block = 0;
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0), cudaSuccess);
    CHECK(block >= 32 && block <= 1024 && block % 32 == 0);
    CHECK(grid >= properties().multiProcessorCount);
    Buffer<int> out(1);
    plain<<<grid, block>>>(out);
    CHECK_EQUAL(out.read()[0], 1);
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded<96>, 0, 0), cudaSuccess);
    CHECK(block <= 96);
}

CASE("limits of the device can be read and set") {
    std::size_t stack = 0, fifo = 0;
    CHECK_CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize), cudaSuccess);
    CHECK(stack >= 1024);
    CHECK_CUDA(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize), cudaSuccess);
    CHECK(fifo >= 65536);
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetLimit(&stack, cudaLimitStackSize), cudaSuccess);
    CHECK(stack >= 4096);
}

CASE("cudaDeviceReset frees everything, and the device can be used again") {
    int* p = nullptr;
    REQUIRE_CUDA(cudaMalloc(&p, 1 << 20));
    CHECK_CUDA(cudaDeviceReset(), cudaSuccess);
    Buffer<int> out(1);
    plain<<<1, 1>>>(out);
    CHECK_EQUAL(out.read()[0], 1);
}

__global__ void which_architecture(int* out) {
#ifdef __CUDA_ARCH__
    *out = __CUDA_ARCH__;
#else
    *out = -1;
#endif
}

CASE("__CUDA_ARCH__ is defined in device code only, and not beyond the device") {
    Buffer<int> out(1);
    which_architecture<<<1, 1>>>(out);
    const cudaDeviceProp all = properties();
    const int architecture = out.read()[0];
#ifdef __CUDA_ARCH__
    CHECK(false);
#endif
    CHECK(architecture >= 700 && architecture <= 100 * all.major + 10 * all.minor);
}

// Settings that only affect performance. The executor accepts such settings, and returns the values that were
// set.

// The functions for the width of banks are deprecated, but programs still call them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

__global__ void nothing() {}

CASE("flags of the device") {
    CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceBlockingSync), cudaSuccess);
    unsigned flags = 0;
    CHECK_CUDA(cudaGetDeviceFlags(&flags), cudaSuccess);
    CHECK(flags & cudaDeviceMapHost);
    CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleAuto), cudaSuccess);
}

CASE("the banks of shared memory are 4 bytes wide, whatever is asked for") {
    cudaSharedMemConfig config = cudaSharedMemBankSizeDefault;
    CHECK_CUDA(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetSharedMemConfig(&config), cudaSuccess);
    CHECK_EQUAL(static_cast<int>(config), static_cast<int>(cudaSharedMemBankSizeFourByte));
}

CASE("attributes of a stream") {
    cudaStream_t first, second;
    REQUIRE_CUDA(cudaStreamCreate(&first));
    REQUIRE_CUDA(cudaStreamCreate(&second));
    const Buffer<int> data(1024);
    cudaStreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = data.data();
    value.accessPolicyWindow.num_bytes = 4096;
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    CHECK_CUDA(cudaStreamSetAttribute(first, cudaStreamAttributeAccessPolicyWindow, &value), cudaSuccess);
    CHECK_CUDA(cudaStreamCopyAttributes(second, first), cudaSuccess);
    cudaStreamAttrValue answer{};
    CHECK_CUDA(cudaStreamGetAttribute(second, cudaStreamAttributeAccessPolicyWindow, &answer), cudaSuccess);
    CHECK_EQUAL(answer.accessPolicyWindow.num_bytes, std::size_t(4096));
    CHECK(answer.accessPolicyWindow.base_ptr == data.data());
    nothing<<<1, 1, 0, first>>>();
    CHECK_CUDA(cudaStreamSynchronize(first), cudaSuccess);
    CHECK_CUDA(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    CHECK_CUDA(cudaStreamDestroy(first), cudaSuccess);
    CHECK_CUDA(cudaStreamDestroy(second), cudaSuccess);
}

CASE("a device is found by its place on the bus") {
    char name[32] = "";
    int device = -1;
    CHECK_CUDA(cudaDeviceGetPCIBusId(name, sizeof name, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetByPCIBusId(&device, name), cudaSuccess);
    CHECK_EQUAL(device, 0);
    cudaDeviceProp wanted{};
    CHECK_CUDA(cudaChooseDevice(&device, &wanted), cudaSuccess);
    CHECK(device >= 0);
}

CONFORMANCE_MAIN("device")
