// Several devices: to which device a call refers, memory that belongs to a device, peer access, copies
// between devices, and streams and events of one device that are used on another.
#include <thread>

#include "conformance.cuh"
#include "device_fixture.cuh"

#define NEEDS_TWO_DEVICES \
    if (!two_peers()) SKIP("this needs two GPUs that can touch each other's memory")

__global__ void set(int* data, int value) {
    data[threadIdx.x] = value + static_cast<int>(threadIdx.x);
}
__global__ void add(int* data, const int* more) {
    data[threadIdx.x] += more[threadIdx.x];
}
__global__ void count_system(int* sum) {
    atomicAdd_system(sum, 1);
}

CASE("each host thread has its own current device, and begins with device 0") {
    NEEDS_TWO_DEVICES;
    const OnDevice here(1);
    int mine = -1, at_first = -1, then = -1;
    std::thread other([&] {
        cudaGetDevice(&at_first);
        cudaSetDevice(0);
        cudaGetDevice(&then);
    });
    other.join();
    CHECK_CUDA(cudaGetDevice(&mine), cudaSuccess);
    CHECK_EQUAL(mine, 1);
    CHECK_EQUAL(at_first, 0);
    CHECK_EQUAL(then, 0);
}

CASE("memory, streams and properties belong to the device that was current") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1);
    cudaPointerAttributes of_a, of_b;
    CHECK_CUDA(cudaPointerGetAttributes(&of_a, a.data), cudaSuccess);
    CHECK_CUDA(cudaPointerGetAttributes(&of_b, b.data + 3), cudaSuccess);
    CHECK_EQUAL(of_a.device, 0);
    CHECK_EQUAL(of_b.device, 1);
    CHECK(of_b.type == cudaMemoryTypeDevice);
    int device = -1;
    CHECK_CUDA(cudaStreamGetDevice(b.stream, &device), cudaSuccess);
    CHECK_EQUAL(device, 1);
    cudaDeviceProp first, second;
    CHECK_CUDA(cudaGetDeviceProperties(&first, 0), cudaSuccess);
    CHECK_CUDA(cudaGetDeviceProperties(&second, 1), cudaSuccess);
    CHECK(first.pciBusID != second.pciBusID || first.pciDeviceID != second.pciDeviceID ||
          first.pciDomainID != second.pciDomainID);
}

CASE("what one device has allocated is missing there only") {
    NEEDS_TWO_DEVICES;
    std::size_t before[2], after[2], total;
    const auto ask = [&](std::size_t* free) {
        for (int device = 0; device < 2; ++device) {
            const OnDevice here(device);
            CHECK_CUDA(cudaMemGetInfo(free + device, &total), cudaSuccess);
        }
    };
    const OnDevice here(1);
    const std::size_t bytes = std::size_t(1) << 30;
    bool seen = false;
    // Other programs on the devices also allocate and free memory, but rarely as much as this at the same moment.
    for (int time = 0; time < 20 && !seen; ++time) {
        ask(before);
        void* much = nullptr;
        CHECK_CUDA(cudaMalloc(&much, bytes), cudaSuccess);
        ask(after);
        seen = before[0] < after[0] + bytes / 2 && before[1] > after[1] + bytes / 2;
        CHECK_CUDA(cudaFree(much), cudaSuccess);
    }
    CHECK(seen);
}

CASE_MISUSE("peer access is enabled once, and disabled once") {
    NEEDS_TWO_DEVICES;
    int answer = -1;
    CHECK_CUDA(cudaDeviceCanAccessPeer(&answer, 0, 1), cudaSuccess);
    CHECK_EQUAL(answer, 1);
    CHECK_CUDA(cudaDeviceCanAccessPeer(&answer, 1, 1), cudaSuccess);
    CHECK_EQUAL(answer, 0);
    CHECK_CUDA(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
    CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    CHECK_CUDA(cudaDeviceDisablePeerAccess(1), cudaSuccess);
    CHECK_CUDA(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    // The device itself is not a peer.
    CHECK_CUDA(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    CHECK_CUDA(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    CHECK_CUDA(cudaDeviceEnablePeerAccess(-1, 0), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceDisablePeerAccess(-1), cudaErrorInvalidDevice);
    CHECK_CUDA(cudaDeviceCanAccessPeer(&answer, 0, -1), cudaErrorInvalidDevice);
    cudaGetLastError();
}

CASE("with peer access a kernel reads and writes the other device's memory") {
    NEEDS_TWO_DEVICES;
    const Peers peers;
    const Place a(0, 64, 5), b(1, 64, 7);
    add<<<1, 64, 0, a.stream>>>(b.data, a.data);
    CHECK_CUDA(cudaStreamSynchronize(a.stream), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(64, 12));
}

CASE("copies between devices need no peer access") {
    NEEDS_TWO_DEVICES;
    const Place a(0, 64, 5), b(1, 64, 7);
    CHECK_CUDA(cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 16 * sizeof(int), a.stream), cudaSuccess);
    CHECK_CUDA(cudaMemcpyAsync(b.data + 16, a.data, 16 * sizeof(int), cudaMemcpyDeviceToDevice, a.stream),
               cudaSuccess);
    CHECK_CUDA(cudaMemcpyAsync(b.data + 32, a.data, 16 * sizeof(int), cudaMemcpyDefault, a.stream),
               cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(a.stream), cudaSuccess);
    std::vector<int> want(64, 5);
    std::fill(want.begin() + 48, want.end(), 7);
    CHECK_EQUAL(b.read(), want);
}

CASE("cudaMemcpyPeer is ordered with the default streams of both devices") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1), c(1);
    set<<<1, 64>>>(a.data, 100);
    CHECK_CUDA(cudaMemcpyPeer(b.data, 1, a.data, 0, 64 * sizeof(int)), cudaSuccess);
    {
        const OnDevice here(1);
        add<<<1, 64>>>(c.data, b.data);
    }
    std::vector<int> want(64);
    for (int i = 0; i < 64; ++i) want[static_cast<std::size_t>(i)] = 100 + i;
    CHECK_EQUAL(c.read(), want);
}

CASE("a stream waits for an event of another device") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1);
    set<<<1, 64, 0, a.stream>>>(a.data, 1);
    CHECK_CUDA(cudaEventRecord(a.event, a.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamWaitEvent(b.stream, a.event, 0), cudaSuccess);
    CHECK_CUDA(cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 64 * sizeof(int), b.stream), cudaSuccess);
    const OnDevice here(1);
    CHECK_CUDA(cudaEventQuery(a.event) == cudaErrorInvalidResourceHandle ? cudaErrorUnknown : cudaSuccess,
               cudaSuccess);
    CHECK_CUDA(cudaEventSynchronize(a.event), cudaSuccess);
    CHECK_EQUAL(b.read()[63], 64);
}

CASE("work in a stream of another device is that device's, whichever is current") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1, 64, 3);
    set<<<1, 64, 0, b.stream>>>(b.data, 1);  // possible without peer access; a kernel on device 0 could not
                                             // do it
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    int value = 7;
    int* data = b.data + 32;
    void* arguments[] = {&data, &value};
    CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(set), dim3(1), dim3(32), arguments,
                                           0, b.stream),
               cudaSuccess);
    CHECK_CUDA(cudaMemcpyAsync(a.data, b.data, 64 * sizeof(int), cudaMemcpyDefault, b.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(b.stream), cudaSuccess);
    int now = -1;
    CHECK_CUDA(cudaGetDevice(&now), cudaSuccess);
    CHECK_EQUAL(now, 0);
    const std::vector<int> got = a.read();
    CHECK_EQUAL(got[5], 6);
    CHECK_EQUAL(got[37], 12);
}

CASE("a graph is launched in a stream of any device, and its kernels are of the device of the capture") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    set<<<1, 64, 0, b.stream>>>(b.data, 20);
    CHECK_CUDA(cudaStreamEndCapture(b.stream, &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(exec, a.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(a.stream), cudaSuccess);
    CHECK_EQUAL(b.read()[5], 25);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CASE_MISUSE("instances are neither made nor destroyed while another stream of the thread is captured") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1);
    cudaGraph_t graph[2] = {};
    cudaGraphExec_t exec = nullptr;
    for (const Place* place : {&a, &b})
        CHECK_CUDA(cudaStreamBeginCapture(place->stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    CHECK_CUDA(cudaStreamEndCapture(a.stream, &graph[0]), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph[0], 0), cudaErrorStreamCaptureUnsupported);
    CHECK_CUDA(cudaStreamEndCapture(b.stream, &graph[1]), cudaErrorStreamCaptureInvalidated);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph[0], 0), cudaSuccess);
    CHECK_CUDA(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaErrorStreamCaptureUnsupported);
    CHECK_CUDA(cudaStreamEndCapture(b.stream, &graph[1]), cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph[0]), cudaSuccess);
}

CASE_MISUSE("cudaMemcpyPeerAsync cannot be captured, cudaMemcpyAsync between devices can") {
    NEEDS_TWO_DEVICES;
    const Place a(0, 64, 5), b(1);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    CHECK_CUDA(cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 64 * sizeof(int), a.stream),
               cudaErrorStreamCaptureUnsupported);
    CHECK_CUDA(cudaStreamEndCapture(a.stream, &graph), cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    CHECK_CUDA(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    CHECK_CUDA(cudaMemcpyAsync(b.data, a.data, 64 * sizeof(int), cudaMemcpyDefault, a.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamEndCapture(a.stream, &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(exec, a.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(a.stream), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(64, 5));
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CASE_MISUSE("to fill another device's memory needs peer access") {
    NEEDS_TWO_DEVICES;
    const Place a(0, 64, 5), b(1, 64, 7);
    CHECK_CUDA(cudaMemsetAsync(b.data, 0, 64 * sizeof(int), a.stream), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemset(b.data, 0, 64 * sizeof(int)), cudaErrorInvalidValue);
    CHECK_CUDA(cudaMemsetAsync(b.data, 0, 32 * sizeof(int), b.stream), cudaSuccess);
    cudaGetLastError();
    CHECK_EQUAL(b.read()[40], 7);
    const Peers peers;
    CHECK_CUDA(cudaMemsetAsync(b.data, 0, 64 * sizeof(int), a.stream), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(a.stream), cudaSuccess);
    CHECK_EQUAL(b.read(), std::vector<int>(64, 0));
}

CASE_MISUSE("an event is recorded in streams of its own device") {
    NEEDS_TWO_DEVICES;
    const Place a(0), b(1);
    CHECK_CUDA(cudaEventRecord(a.event, b.stream), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    CHECK_CUDA(cudaEventRecord(b.event, b.stream), cudaSuccess);  // possible with any current device
    // The default stream belongs to the current device.
    CHECK_CUDA(cudaEventRecord(a.event, nullptr), cudaSuccess);
    const OnDevice here(1);
    CHECK_CUDA(cudaEventRecord(a.event, nullptr), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

CASE("atomics of system scope meet in the memory of one device") {
    NEEDS_TWO_DEVICES;
    const Peers peers;
    const Place a(0), b(1);
    count_system<<<2, 64, 0, a.stream>>>(a.data);
    {
        const OnDevice here(1);
        count_system<<<3, 64, 0, b.stream>>>(a.data);
    }
    b.read();
    CHECK_EQUAL(a.read()[0], 5 * 64);
}

CASE("a graph may have nodes on two devices") {
    NEEDS_TWO_DEVICES;
    const Peers peers;
    const Place a(0), b(1);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    set<<<1, 64, 0, a.stream>>>(a.data, 10);
    cudaEventRecord(a.event, a.stream);
    cudaStreamWaitEvent(b.stream, a.event, 0);
    {
        const OnDevice here(1);
        add<<<1, 64, 0, b.stream>>>(b.data, a.data);
        cudaEventRecord(b.event, b.stream);
    }
    cudaStreamWaitEvent(a.stream, b.event, 0);
    add<<<1, 64, 0, a.stream>>>(a.data, b.data);
    CHECK_CUDA(cudaStreamEndCapture(a.stream, &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    CHECK_CUDA(cudaGraphLaunch(exec, a.stream), cudaSuccess);
    CHECK_EQUAL(a.read()[5], 30);
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

namespace {

/// Two kernels on two devices count in turn, so each waits for the other.
__global__ void count_in_turn(int* counter, int me, int turns) {
    for (int turn = me; turn < turns; turn += 2) {
        while (atomicAdd_system(counter, 0) != turn) __nanosleep(100);
        atomicAdd_system(counter, 1);
    }
}

}  // namespace

CASE("kernels of two devices make progress together") {
    NEEDS_TWO_DEVICES;
    const Peers peers;
    const Place a(0), b(1);
    count_in_turn<<<1, 1, 0, a.stream>>>(a.data, 0, 10);
    {
        const OnDevice here(1);
        count_in_turn<<<1, 1, 0, b.stream>>>(a.data, 1, 10);
        CHECK_CUDA(cudaGetLastError(), cudaSuccess);
    }
    b.read();  // waits for the kernel that counts last
    CHECK_EQUAL(a.read()[0], 10);
}

CONFORMANCE_MAIN("several_devices")
