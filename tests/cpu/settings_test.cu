// Settings that only affect performance. The executor accepts such settings, and returns the values that were
// set.
#include "conformance.cuh"

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

CONFORMANCE_MAIN("settings")
