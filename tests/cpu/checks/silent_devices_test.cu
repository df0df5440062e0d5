// Correct programs for two devices that look like the mistakes in planted_devices_test.cu. On a machine with one GPU, these
// cases are skipped.
#include "../device_fixture.cuh"
#include "streams.cuh"

namespace {

__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;
}
__global__ void copy(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void count(int* sum) {
    atomicAdd_system(sum, 1);
}

}  // namespace

SILENT("peer access in the direction in which it is used") {
    if (!two_peers()) return;
    const Place a(0), b(1);
    cudaDeviceEnablePeerAccess(1, 0);
    put<<<1, 64, 0, a.stream>>>(b.data, 4);
    cudaStreamSynchronize(a.stream);
    CHECK_EQUAL(b.read(), std::vector<int>(64, 4));
    cudaDeviceDisablePeerAccess(1);
}

SILENT("an event of the one device orders a copy and a kernel on the other") {
    if (!two_peers()) return;
    const Place a(0), b(1), out(1);
    put<<<1, 64, 0, a.stream>>>(a.data, 9);
    cudaEventRecord(a.event, a.stream);
    cudaStreamWaitEvent(b.stream, a.event, 0);
    cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 256, b.stream);
    const OnDevice here(1);
    copy<<<1, 64, 0, b.stream>>>(b.data, out.data);
    cudaStreamSynchronize(b.stream);
    CHECK_EQUAL(out.read(), std::vector<int>(64, 9));
}

SILENT("the host waits for each device") {
    if (!two_peers()) return;
    Pinned memory(128);
    const Place a(0), b(1);
    put<<<1, 64, 0, a.stream>>>(memory.data, 1);
    {
        const OnDevice here(1);
        put<<<1, 64, 0, b.stream>>>(memory.data + 64, 2);
        cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(memory.data[63] + memory.data[64], 3);
}

SILENT("a blocking copy between devices is ordered with both default streams") {
    if (!two_peers()) return;
    const Place a(0), b(1);
    put<<<1, 64>>>(a.data, 6);
    cudaMemcpy(b.data, a.data, 256, cudaMemcpyDefault);
    const OnDevice here(1);
    put<<<1, 32>>>(b.data, 7);
    std::vector<int> want(64, 6);
    std::fill(want.begin(), want.begin() + 32, 7);
    CHECK_EQUAL(b.read(), want);
}

SILENT("atomics of system scope from two devices") {
    if (!two_peers()) return;
    const Peers peers;
    const Place a(0), b(1);
    count<<<2, 64, 0, a.stream>>>(a.data);
    {
        const OnDevice here(1);
        count<<<2, 64, 0, b.stream>>>(a.data);
        cudaDeviceSynchronize();
    }
    CHECK_EQUAL(a.read()[0], 256);
}

SILENT("memory of the one device is freed while the other is current") {
    if (!two_peers()) return;
    int* data = nullptr;
    {
        const OnDevice here(1);
        cudaMalloc(&data, 256);
        put<<<1, 64>>>(data, 1);
    }
    CHECK_CUDA(cudaFree(data), cudaSuccess);
}

CHECKS_MAIN("silent_devices")
