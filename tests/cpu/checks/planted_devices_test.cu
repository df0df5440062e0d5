// Mistakes with two devices: memory that the other device cannot access, and work of different devices
// without an order.
#include "../device_fixture.cuh"
#include "streams.cuh"

// ---- whose memory, whose stream ----

__global__ void write_it(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a kernel writes the other device's memory without peer access", "address",
        "cudaDeviceEnablePeerAccess(1, 0) while device 0 is current") {
    const Place a(0), b(1);
    write_it<<<1, 64, 0, a.stream>>>(b.data);
    cudaStreamSynchronize(a.stream);
}

__global__ void read_it(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("peer access is enabled in the other direction only", "address",
        "is memory of device 0, and the kernel runs on device 1") {
    const Place a(0), b(1);
    cudaDeviceEnablePeerAccess(1, 0);
    const OnDevice here(1);
    read_it<<<1, 64, 0, b.stream>>>(a.data, b.data);
    cudaStreamSynchronize(b.stream);
}

__global__ void write_pool(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("peer access does not open what cudaMallocAsync gives", "address", "Allocate it with cudaMalloc") {
    const Place a(0), b(1);
    cudaDeviceEnablePeerAccess(1, 0);
    int* data = nullptr;
    cudaMallocAsync(&data, 256, b.stream);
    cudaStreamSynchronize(b.stream);
    write_pool<<<1, 64, 0, a.stream>>>(data);
    cudaStreamSynchronize(a.stream);
}

__global__ void write_here(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a kernel in the other device's stream is that device's, whichever is current", "address",
        "the kernel runs on device 1") {
    const Place a(0), b(1);
    write_here<<<1, 64, 0, b.stream>>>(a.data);
    cudaStreamSynchronize(b.stream);
}
PLANTED("the other device's memory is filled without peer access", "argument",
        "cudaDeviceEnablePeerAccess(1, 0)") {
    const Place a(0), b(1);
    cudaMemsetAsync(b.data, 0, 256, a.stream);  // <-
}
PLANTED("cudaMemcpyPeerAsync in a capture", "capture", "cudaMemcpyDefault") {
    const Place a(0), b(1);
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeThreadLocal);
    cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 256, a.stream);  // <-
    cudaStreamEndCapture(a.stream, &graph);
}

PLANTED("an event is recorded on the other device", "argument",
        "of an event of device 0 in a stream of device 1") {
    const Place a(0), b(1);
    cudaEventRecord(a.event, b.stream);  // <-
}

PLANTED("cudaMemcpyPeer with the devices exchanged", "argument", "but they are on device 1") {
    const Place a(0), b(1);
    cudaMemcpyPeer(b.data, 0, a.data, 1, 256);  // <-
}

// ---- order ----

__global__ void produce(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a copy to the other device does not wait for the kernel", "race", "cudaMemcpyPeerAsync reads it") {
    const Place a(0), b(1);
    produce<<<1, 64, 0, a.stream>>>(a.data);
    cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 256, b.stream);  // <-
}

__global__ void produce_early(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a blocking copy does not wait for a stream that ignores the default stream", "race",
        "cudaMemcpyPeer reads it") {
    const Place a(0), b(1);
    produce_early<<<1, 64, 0, a.stream>>>(a.data);
    cudaMemcpyPeer(b.data, 1, a.data, 0, 256);  // <-
}

__global__ void produce_late(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a stream that ignores the default stream does not wait for a blocking copy", "race", "cudaMemcpy") {
    const Place a(0), b(1);
    cudaMemcpy(b.data, a.data, 256, cudaMemcpyDefault);  // <-
    const OnDevice here(1);
    produce_late<<<1, 64, 0, b.stream>>>(b.data);
}

__global__ void consume(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("the other device's kernel does not wait for the copy", "race", "cudaMemcpyPeerAsync writes it") {
    const Place a(0), b(1), out(1);
    cudaMemcpyPeerAsync(b.data, 1, a.data, 0, 256, a.stream);  // <-
    const OnDevice here(1);
    consume<<<1, 64, 0, b.stream>>>(b.data, out.data);
}

__global__ void default_0(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void default_1(int* data) {
    data[threadIdx.x] = 2;  // <-
}
PLANTED("each device has a default stream of its own", "race", "nothing orders the two kernels") {
    const Peers peers;
    const Place a(0);
    default_0<<<1, 64>>>(a.data);
    const OnDevice here(1);
    default_1<<<1, 64>>>(a.data);
    cudaDeviceSynchronize();
}

__global__ void produce_for_host(int* data) {
    data[threadIdx.x] = 1;  // <-
}
volatile int seen;
PLANTED("cudaDeviceSynchronize waits for the current device only", "race", "host code reads it") {
    Pinned memory(64);
    const Place b(1);
    {
        const OnDevice here(1);
        produce_for_host<<<1, 64, 0, b.stream>>>(memory.data);
    }
    cudaDeviceSynchronize();
    seen = memory.data[3];  // <-
}

__global__ void count_0(int* sum) {
    atomicAdd(sum, 1);  // <-
}
__global__ void count_1(int* sum) {
    atomicAdd_system(sum, 1);  // <-
}
PLANTED("an atomic of device scope does not reach the other device", "race", "atomicAdd_system()") {
    const Peers peers;
    const Place a(0), b(1);
    count_0<<<1, 64, 0, a.stream>>>(a.data);
    const OnDevice here(1);
    count_1<<<1, 64, 0, b.stream>>>(a.data);
}

// ---- limits of the checks with several devices ----

__constant__ int factor;
__global__ void multiply(int* data) {
    data[threadIdx.x] *= factor;
}
KNOWN_GAP("a constant that was copied to the other device only", "all devices share one variable") {
    const int five = 5;
    cudaMemcpyToSymbol(factor, &five, sizeof five);
    const Place b(1);
    const OnDevice here(1);
    multiply<<<1, 64, 0, b.stream>>>(b.data);
}

__device__ unsigned drawn;
__global__ void draw(unsigned* tickets) {
    tickets[threadIdx.x] = atomicAdd(&drawn, 1u);
}
KNOWN_ALARM("a counter in a __device__ variable, which each device has for itself",
            "all devices share one variable") {
    const Place a(0), b(1);
    draw<<<1, 64, 0, a.stream>>>(reinterpret_cast<unsigned*>(a.data));
    const OnDevice here(1);
    draw<<<1, 64, 0, b.stream>>>(reinterpret_cast<unsigned*>(b.data));
}

CHECKS_MAIN("planted_devices")
