// Correct programs with streams, copies and host code: they look like those in planted_streams_test.cu.
#include <atomic>
#include <cuda/atomic>
#include <numeric>

#include "streams.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace {

__global__ void put(int* data, int value) {
    data[threadIdx.x] = value;
}
__global__ void add(int* data, int value) {
    data[threadIdx.x] += value;
}
__global__ void copy(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void count(int* sum) {
    atomicAdd(sum, 1);
}

}  // namespace

SILENT("an event orders two streams") {
    Buffer<int> data(32), out(32);
    Streams streams;
    Event event;
    put<<<1, 32, 0, streams.a>>>(data, 3);
    cudaEventRecord(event, streams.a);
    cudaStreamWaitEvent(streams.b, event, 0);
    copy<<<1, 32, 0, streams.b>>>(data, out);
    cudaDeviceSynchronize();
    CHECK_EQUAL(out.read()[31], 3);
}

SILENT("the host waits for one stream before it uses the other") {
    Buffer<int> data(32), out(32);
    Streams streams;
    put<<<1, 32, 0, streams.a>>>(data, 3);
    cudaStreamSynchronize(streams.a);
    copy<<<1, 32, 0, streams.b>>>(data, out);
    cudaDeviceSynchronize();
    CHECK_EQUAL(out.read()[0], 3);
}

SILENT("blocking streams and the default stream wait for each other") {
    Buffer<int> data(32);
    Streams streams;
    put<<<1, 32, 0, streams.a>>>(data, 1);
    add<<<1, 32>>>(data, 2);
    add<<<1, 32, 0, streams.b>>>(data, 4);
    CHECK_EQUAL(data.read()[7], 7);
}

SILENT("memory of a stream is used and freed by another one that waits for it") {
    Buffer<int> out(32);
    Streams streams(cudaStreamNonBlocking);
    Event allocated, used;
    for (int round = 0; round < 3; ++round) {
        int* scratch = nullptr;
        cudaMallocAsync(&scratch, 128, streams.a);
        cudaEventRecord(allocated, streams.a);
        cudaStreamWaitEvent(streams.b, allocated, 0);
        put<<<1, 32, 0, streams.b>>>(scratch, round);
        copy<<<1, 32, 0, streams.b>>>(scratch, out);
        cudaEventRecord(used, streams.b);
        cudaStreamWaitEvent(streams.a, used, 0);
        cudaFreeAsync(scratch, streams.a);
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(out.read()[31], 2);
}

SILENT("memory is reused by another stream after the host has waited") {
    Streams streams(cudaStreamNonBlocking);
    for (int round = 0; round < 3; ++round) {
        cudaStream_t stream = round % 2 ? streams.a : streams.b;
        int* scratch = nullptr;
        cudaMallocAsync(&scratch, 128, stream);
        put<<<1, 32, 0, stream>>>(scratch, round);
        cudaFreeAsync(scratch, stream);
        cudaStreamSynchronize(stream);
    }
}

SILENT("two streams, two halves") {
    Buffer<int> data(64);
    Streams streams;
    put<<<1, 32, 0, streams.a>>>(data, 1);
    put<<<1, 32, 0, streams.b>>>(data + 32, 2);
    cudaDeviceSynchronize();
    CHECK_EQUAL(data.read()[31] + data.read()[32], 3);
}

SILENT("two streams read the same") {
    Buffer<int> data(32, 4), one(32), two(32);
    Streams streams;
    copy<<<1, 32, 0, streams.a>>>(data, one);
    copy<<<1, 32, 0, streams.b>>>(data, two);
    cudaDeviceSynchronize();
    CHECK_EQUAL(one.read()[5] + two.read()[6], 8);
}

SILENT("two streams count with atomics") {
    Buffer<int> sum(1, 0);
    Streams streams;
    count<<<2, 32, 0, streams.a>>>(sum);
    count<<<2, 32, 0, streams.b>>>(sum);
    cudaDeviceSynchronize();
    CHECK_EQUAL(sum.read()[0], 128);
}

SILENT("fork and join") {
    Buffer<int> data(64, 1), out(32);
    Streams streams;
    Event forked, joined;
    add<<<1, 32, 0, streams.a>>>(data, 1);
    cudaEventRecord(forked, streams.a);
    cudaStreamWaitEvent(streams.b, forked, 0);
    add<<<1, 32, 0, streams.b>>>(data, 2);
    add<<<1, 32, 0, streams.a>>>(data + 32, 3);
    cudaEventRecord(joined, streams.b);
    cudaStreamWaitEvent(streams.a, joined, 0);
    copy<<<1, 32, 0, streams.a>>>(data, out);
    cudaDeviceSynchronize();
    CHECK_EQUAL(out.read()[0], 4);
}

SILENT("an order that goes through three streams") {
    Buffer<int> data(32);
    Streams streams, more;
    Event first, second;
    put<<<1, 32, 0, streams.a>>>(data, 1);
    cudaEventRecord(first, streams.a);
    cudaStreamWaitEvent(streams.b, first, 0);
    cudaEventRecord(second, streams.b);
    cudaStreamWaitEvent(more.a, second, 0);
    add<<<1, 32, 0, more.a>>>(data, 1);
    cudaDeviceSynchronize();
    CHECK_EQUAL(data.read()[0], 2);
}

SILENT("two buffers in turn, copied while the other is worked on") {
    constexpr int chunks = 6, n = 32;
    Pinned in(chunks * n), out(chunks * n);
    std::iota(in.data, in.data + chunks * n, 0);
    Buffer<int> buffers(2 * n);
    Streams streams;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        cudaStream_t stream = chunk % 2 ? streams.a : streams.b;
        int* const buffer = buffers + chunk % 2 * n;
        cudaMemcpyAsync(buffer, in.data + chunk * n, n * sizeof(int), cudaMemcpyHostToDevice, stream);
        add<<<1, n, 0, stream>>>(buffer, 1);
        cudaMemcpyAsync(out.data + chunk * n, buffer, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(out.data[chunks * n - 1], chunks * n);
}

SILENT("the host waits for an event before it reads managed memory") {
    int* data = nullptr;
    cudaMallocManaged(&data, 128);
    Event event;
    put<<<1, 32>>>(data, 6);
    cudaEventRecord(event);
    cudaEventSynchronize(event);
    CHECK_EQUAL(data[31], 6);
    data[0] = 1;
    add<<<1, 32>>>(data, 1);
    cudaDeviceSynchronize();
    CHECK_EQUAL(data[0], 2);
    cudaFree(data);
}

SILENT("the host works on other managed memory while a kernel runs") {
    int *data = nullptr, *other = nullptr;
    cudaMallocManaged(&data, 128);
    cudaMallocManaged(&other, 128);
    put<<<1, 32>>>(data, 6);
    for (int i = 0; i < 32; ++i) other[i] = i;
    cudaDeviceSynchronize();
    CHECK_EQUAL(data[1] + other[1], 7);
    cudaFree(data);
    cudaFree(other);
}

SILENT("the host fills the second pinned buffer while the first is copied") {
    Pinned one(32), two(32);
    Buffer<int> data(64);
    Streams streams;
    one.data[5] = 1;
    cudaMemcpyAsync(data, one.data, 128, cudaMemcpyHostToDevice, streams.a);
    two.data[5] = 2;
    cudaMemcpyAsync(data + 32, two.data, 128, cudaMemcpyHostToDevice, streams.a);
    cudaStreamSynchronize(streams.a);
    one.data[5] = 3;
    CHECK_EQUAL(data.read()[5] + data.read()[37], 3);
}

SILENT("pageable memory is staged: its owner may go on") {
    std::vector<int> host(32, 1);
    Buffer<int> data(32);
    Streams streams;
    cudaMemcpyAsync(data, host.data(), 128, cudaMemcpyHostToDevice, streams.a);
    host[0] = 5;
    cudaDeviceSynchronize();
    CHECK_EQUAL(data.read()[1], 1);
}

struct Sum {
    const int* data;
    int result;
};

SILENT("a host function behind the copy it uses") {
    Pinned host(32);
    Buffer<int> data(32, 2);
    Streams streams;
    Sum sum{host.data, 0};
    cudaMemcpyAsync(host.data, data, 128, cudaMemcpyDeviceToHost, streams.a);
    cudaLaunchHostFunc(
        streams.a,
        [](void* user) {
            auto& sum = *static_cast<Sum*>(user);
            sum.result = std::accumulate(sum.data, sum.data + 32, 0);
        },
        &sum);
    cudaStreamSynchronize(streams.a);
    CHECK_EQUAL(sum.result, 64);
}

SILENT("cudaStreamQuery says that the work is done") {
    int* data = nullptr;
    cudaMallocManaged(&data, 128);
    Streams streams;
    put<<<1, 32, 0, streams.a>>>(data, 6);
    while (cudaStreamQuery(streams.a) == cudaErrorNotReady) {
    }
    CHECK_EQUAL(data[31], 6);
    cudaFree(data);
}

SILENT("unwritten bytes are copied and not used") {
    Buffer<int> out(1);
    int *data = nullptr, host[32];
    cudaMalloc(&data, sizeof host);
    put<<<1, 16>>>(data, 1);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    CHECK_EQUAL(std::accumulate(host, host + 16, 0), 16);
    for (int i = 16; i < 32; ++i) host[i] = 2;
    CHECK_EQUAL(std::accumulate(host, host + 32, 0), 48);
    cudaFree(data);
}

SILENT("more kernels in two streams than the records have numbers for") {
    Buffer<int> one(32, 0), two(32, 0);
    Streams streams;
    for (int i = 0; i < 1200; ++i) {
        add<<<1, 32, 0, streams.a>>>(one, 1);
        add<<<1, 32, 0, streams.b>>>(two, 1);
    }
    cudaDeviceSynchronize();
    CHECK_EQUAL(one.read()[0] + two.read()[31], 2400);
}

// ---- host code that waits by polling ----

__global__ void raise(volatile int* flag, int* data) {
    *data = 5;
    __threadfence_system();
    *flag = 1;
}
SILENT("host code looks at a flag in mapped memory until a kernel has set it") {
    volatile int* flag = nullptr;
    int* data = nullptr;
    CHECK_CUDA(cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocMapped), cudaSuccess);
    CHECK_CUDA(cudaHostAlloc((void**)&data, sizeof(int), cudaHostAllocMapped), cudaSuccess);
    *flag = *data = 0;
    raise<<<1, 1>>>(flag, data);
    while (*flag == 0) {
    }
    CHECK_EQUAL(*data, 5);
    cudaDeviceSynchronize();
    cudaFreeHost((void*)flag);
    cudaFreeHost(data);
}

struct Mail {
    int* data = nullptr;
    int* flag = nullptr;
    explicit Mail(int first = 0) {
        CHECK_CUDA(cudaHostAlloc((void**)&data, 64 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
        CHECK_CUDA(cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocMapped), cudaSuccess);
        std::fill(data, data + 64, first);
        *flag = 0;
    }
    ~Mail() {
        cudaDeviceSynchronize();
        cudaFreeHost(data);
        cudaFreeHost(flag);
    }
    int sum() const {
        while (*(volatile int*)flag == 0) {
        }
        return std::accumulate(data, data + 64, 0);
    }
};
using SystemFlag = cuda::atomic_ref<int, cuda::thread_scope_system>;

__global__ void send_after_barrier(int* data, volatile int* flag) {
    data[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x > 0) return;
    __threadfence_system();
    *flag = 1;
}
SILENT("one thread fences for its block, and sets a flag for the host") {
    const Mail mail;
    send_after_barrier<<<1, 64>>>(mail.data, mail.flag);
    CHECK_EQUAL(mail.sum(), 320);
}

__global__ void send_before_barrier(int* data, volatile int* flag) {
    data[threadIdx.x] = 5;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}
SILENT("all threads fence, and after a barrier one sets a flag for the host") {
    const Mail mail;
    send_before_barrier<<<1, 64>>>(mail.data, mail.flag);
    CHECK_EQUAL(mail.sum(), 320);
}

__global__ void send_with_release(int* data, int* flag) {
    data[threadIdx.x] = 5;
    __syncthreads();
    if (threadIdx.x == 0) SystemFlag(*flag).store(1, cuda::memory_order_release);
}
SILENT("a flag for the host is a release of system scope, and the host acquires it") {
    const Mail mail;
    send_with_release<<<1, 64>>>(mail.data, mail.flag);
    while (SystemFlag(*mail.flag).load(cuda::memory_order_acquire) == 0) {
    }
    CHECK_EQUAL(std::accumulate(mail.data, mail.data + 64, 0), 320);
}

__global__ void send_by_last_block(int* data, int* done, volatile int* flag) {
    data[blockIdx.x] = 5;
    __threadfence();
    if (atomicAdd(done, 1) != static_cast<int>(gridDim.x) - 1) return;
    __threadfence_system();
    *flag = 1;
}
SILENT("the last block sets a flag for the host") {
    const Mail mail;
    Buffer<int> done(1, 0);
    send_by_last_block<<<64, 1>>>(mail.data, done, mail.flag);
    CHECK_EQUAL(mail.sum(), 320);
}

__global__ void send_only_flag(volatile int* flag) {
    __threadfence_system();
    *flag = 1;
}
SILENT("a second kernel sets the flag for the data of the first") {
    const Mail mail;
    Streams streams;
    put<<<1, 64, 0, streams.a>>>(mail.data, 5);
    send_only_flag<<<1, 1, 0, streams.a>>>(mail.flag);
    CHECK_EQUAL(mail.sum(), 320);
    cudaDeviceSynchronize();
    mail.data[0] = 1;
}

__global__ void receive(const int* data, int* flag, int* out) {
    while (SystemFlag(*flag).load(cuda::memory_order_acquire) == 0) {
    }
    *out = data[7];
}
SILENT("the host sends data to a kernel that already runs") {
    const Mail mail;
    Buffer<int> out(1, 0);
    cudaDeviceSynchronize();
    receive<<<1, 1>>>(mail.data, mail.flag, out);
    mail.data[7] = 9;
    SystemFlag(*mail.flag).store(1, cuda::memory_order_release);
    CHECK_EQUAL(out.read()[0], 9);
}

std::atomic<bool> told{false};

SILENT("host code looks at a flag until a host function has set it") {
    Buffer<int> data(64, 1);
    cudaDeviceSynchronize();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    told = false;
    put<<<1, 64, 0, stream>>>(data, 3);
    cudaLaunchHostFunc(
        stream, [](void*) { told = true; }, nullptr);
    while (!told) {
    }
    CHECK_EQUAL(data.read()[63], 3);
    cudaStreamDestroy(stream);
}

int written_by_host;

SILENT("host code that writes one place again and again does not wait") {
    Buffer<int> data(64, 1);
    cudaDeviceSynchronize();
#ifdef KIT_CPU
    const auto before = kit::cpu::counters().kernels;
#endif
    put<<<1, 64>>>(data, 3);
    for (int i = 0; i < 5000; ++i) *const_cast<volatile int*>(&written_by_host) = i;
#ifdef KIT_CPU
    CHECK_EQUAL(kit::cpu::counters().kernels == before, true);
#endif
    CHECK_EQUAL(data.read()[63], 3);
}

CHECKS_MAIN("silent_streams")
