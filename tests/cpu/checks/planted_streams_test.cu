// Races between kernels in two streams, copies, and host code that does not wait.
#include <cuda/atomic>

#include "streams.cuh"

namespace {

struct Managed {
    int* data = nullptr;
    explicit Managed(int n) {
        cudaMallocManaged(&data, static_cast<std::size_t>(n) * sizeof(int));
        std::fill(data, data + n, 0);
    }
    ~Managed() {
        cudaDeviceSynchronize();
        cudaFree(data);
    }
};

/// Receives values, so that the compiler does not remove their reads.
volatile int seen;

}  // namespace

// ---- kernels of two streams ----

__global__ void put_first(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void put_second(int* data) {
    data[threadIdx.x] = 2;  // <-
}
PLANTED("two streams write", "race", "nothing orders the two kernels") {
    Buffer<int> data(32);
    Streams streams;
    put_first<<<1, 32, 0, streams.a>>>(data);
    put_second<<<1, 32, 0, streams.b>>>(data);
}

__global__ void produce(int* data) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // <-
}
__global__ void consume(const int* data, int* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = data[i] + 1;  // <-
}
PLANTED("one stream writes, the other reads", "race", "of `produce`") {
    Buffer<int> data(256, 0), out(256);
    Streams streams;
    produce<<<2, 128, 0, streams.a>>>(data);
    consume<<<2, 128, 0, streams.b>>>(data, out);
}

__global__ void produce_late(int* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void consume_early(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x] + 1;  // <-
}
PLANTED("the event is recorded before the kernel", "race", "event") {
    Buffer<int> data(64, 0), out(64);
    Streams streams;
    Event event;
    cudaEventRecord(event, streams.a);
    produce_late<<<1, 64, 0, streams.a>>>(data);
    cudaStreamWaitEvent(streams.b, event, 0);
    consume_early<<<1, 64, 0, streams.b>>>(data, out);
}

__global__ void in_default(int* data) {
    data[threadIdx.x] = 3;  // <-
}
__global__ void in_nonblocking(int* data) {
    data[threadIdx.x] = 4;  // <-
}
PLANTED("a non-blocking stream does not wait for the default stream", "race", "two kernels") {
    Buffer<int> data(64);
    Streams streams(cudaStreamNonBlocking);
    in_default<<<1, 64>>>(data);
    in_nonblocking<<<1, 64, 0, streams.a>>>(data);
}

__global__ void left(int* data) {
    data[threadIdx.x] = 1;
}
__global__ void right(int* data) {
    data[64 + threadIdx.x] = 2;  // <-
}
__global__ void join_halves(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x] + data[64 + threadIdx.x];  // <-
}
PLANTED("waits for one of two streams", "race", "of `right`") {
    Buffer<int> data(128, 0), out(64);
    Streams streams;
    Event event;
    left<<<1, 64, 0, streams.b>>>(data);
    cudaEventRecord(event, streams.b);
    right<<<1, 64, 0, streams.b>>>(data);
    cudaStreamWaitEvent(streams.a, event, 0);
    join_halves<<<1, 64, 0, streams.a>>>(data, out);
}

__global__ void count_in_block_scope(int* sum) {
    atomicAdd_block(sum, 1);  // <-
}
__global__ void count_too(int* sum) {
    atomicAdd(sum, 1);  // <-
}
PLANTED("atomics of block scope in one of two kernels", "race", "`count_too`") {
    Buffer<int> sum(1, 0);
    Streams streams;
    count_in_block_scope<<<1, 32, 0, streams.a>>>(sum);
    count_too<<<1, 32, 0, streams.b>>>(sum);
}

__global__ void read_first(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
__global__ void read_again(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void overwrite(int* data) {
    data[threadIdx.x] = 9;  // <-
}
PLANTED("two readers in two streams, the writer waits for one", "race", "`overwrite`") {
    Buffer<int> data(32, 5), out(64);
    Streams streams;
    read_first<<<1, 32, 0, streams.b>>>(data, out);
    read_again<<<1, 32, 0, streams.a>>>(data, out + 32);
    overwrite<<<1, 32, 0, streams.a>>>(data);
}

__global__ void write_bytes(unsigned char* data) {
    data[threadIdx.x] = 1;  // <-
}
__global__ void write_words(unsigned char* data) {
    reinterpret_cast<int*>(data)[threadIdx.x] = 7;  // <-
}
PLANTED("bytes in one stream, words in the other", "race", "two kernels") {
    Buffer<unsigned char> data(64);
    Streams streams;
    write_bytes<<<1, 64, 0, streams.a>>>(data);
    write_words<<<1, 16, 0, streams.b>>>(data);
}

// ---- copies ----

__global__ void fill(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("a copy in a different stream from the kernel", "race", "cudaMemcpyAsync reads it") {
    Buffer<int> data(32, 0), copy(32);
    Streams streams;
    fill<<<1, 32, 0, streams.a>>>(data);
    cudaMemcpyAsync(copy, data, 128, cudaMemcpyDeviceToDevice, streams.b);  // <-
}

__global__ void add_one(int* data) {
    data[threadIdx.x] += 1;  // <-
}
PLANTED("cleared in another stream", "race", "cudaMemsetAsync writes it") {
    Buffer<int> data(32, 0);
    Streams streams;
    cudaMemsetAsync(data, 0, 128, streams.a);  // <-
    add_one<<<1, 32, 0, streams.b>>>(data);
}

PLANTED("two copies to one place", "race", "nothing orders the two") {
    Buffer<int> from(32, 1), to(32);
    Streams streams;
    cudaMemcpyAsync(to, from, 128, cudaMemcpyDeviceToDevice, streams.a);     // <-
    cudaMemcpyAsync(to + 31, from, 4, cudaMemcpyDeviceToDevice, streams.b);  // <-
}

// ---- both pieces of work are named ----

__global__ void fill_for_other(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("who was launched where", "race", "`, launched at line") {
    Buffer<int> data(32, 0), copy(32);
    Streams streams(cudaStreamNonBlocking);
    fill_for_other<<<1, 32, 0, streams.a>>>(data);
    cudaMemcpyAsync(copy, data, 128, cudaMemcpyDeviceToDevice, streams.b);  // <-
}

__global__ void fill_for_copy(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("what was copied where", "race", "cudaMemcpyAsync, queued at line") {
    Buffer<int> data(32, 0), copy(32);
    Streams streams(cudaStreamNonBlocking);
    fill_for_copy<<<1, 32, 0, streams.a>>>(data);
    cudaMemcpyAsync(copy, data, 128, cudaMemcpyDeviceToDevice, streams.b);  // <-
}

void add_up(void* data) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += static_cast<int*>(data)[i];  // <-
    seen = sum;
}
PLANTED("a host function in another stream than the copy", "race", "a host function, queued at line") {
    Pinned memory(32);
    Buffer<int> data(32, 1);
    Streams streams(cudaStreamNonBlocking);
    cudaMemcpyAsync(memory.data, data, 128, cudaMemcpyDeviceToHost, streams.a);  // <-
    cudaLaunchHostFunc(streams.b, add_up, memory.data);
}

// ---- memory of a stream ----

__global__ void use_scratch(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("used in a stream that does not wait for the allocation", "race", "cudaMallocAsync allocates it") {
    Streams streams(cudaStreamNonBlocking);
    int* scratch = nullptr;
    cudaMallocAsync(&scratch, 128, streams.a);  // <-
    use_scratch<<<1, 32, 0, streams.b>>>(scratch);
    cudaDeviceSynchronize();
    cudaFreeAsync(scratch, streams.a);
}

__global__ void use_until_freed(int* data) {
    data[threadIdx.x] = 1;  // <-
}
PLANTED("freed in a stream that does not wait for the kernel", "race", "cudaFreeAsync frees it") {
    Streams streams(cudaStreamNonBlocking);
    int* scratch = nullptr;
    cudaMallocAsync(&scratch, 128, streams.a);
    cudaStreamSynchronize(streams.a);
    use_until_freed<<<1, 32, 0, streams.b>>>(scratch);
    cudaStreamQuery(streams.b);         // runs the kernel before the free
    cudaFreeAsync(scratch, streams.a);  // <-
}

// ---- host code ----

__global__ void fill_managed(int* data) {
    data[threadIdx.x] = 5;  // <-
}
PLANTED("the host reads managed memory before the kernel is done", "race", "synchronize before host code") {
    Managed memory(32);
    fill_managed<<<1, 32>>>(memory.data);
    seen = memory.data[3];  // <-
}

__global__ void read_managed(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("the host changes managed memory that a kernel reads", "race", "host code writes it") {
    Managed memory(32);
    Buffer<int> out(32);
    read_managed<<<1, 32>>>(memory.data, out);
    memory.data[3] = 7;  // <-
}

PLANTED("the host reads the target of an asynchronous copy", "race", "host code reads it") {
    Pinned memory(32);
    Buffer<int> data(32, 1);
    Streams streams;
    cudaMemcpyAsync(memory.data, data, 128, cudaMemcpyDeviceToHost, streams.a);  // <-
    seen = memory.data[31];                                                      // <-
}

PLANTED("the host reuses the source of an asynchronous copy", "race", "host code writes it") {
    Pinned memory(32);
    Buffer<int> data(32);
    Streams streams;
    cudaMemcpyAsync(data, memory.data, 128, cudaMemcpyHostToDevice, streams.a);  // <-
    memory.data[0] = 1;                                                          // <-
}

PLANTED("waits for the wrong stream", "race", "host code reads it") {
    Pinned memory(32);
    Buffer<int> data(32, 1);
    Streams streams;
    cudaMemcpyAsync(memory.data, data, 128, cudaMemcpyDeviceToHost, streams.a);  // <-
    cudaStreamSynchronize(streams.b);
    seen = memory.data[0];  // <-
}

// ---- uninitialized bytes that pass through the host ----

__global__ void half_written(int* data) {
    if (threadIdx.x < 16) data[threadIdx.x] = 1;
}
PLANTED("the host uses unwritten bytes", "uninitialised", "uses a copy of `data[16]` of") {
    int* data = nullptr;
    int host[32];
    cudaMalloc(&data, sizeof host);
    half_written<<<1, 32>>>(data);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int value : host) sum += value;  // <-
    seen = sum;
    cudaFree(data);
}

/// A kernel that writes only the odd elements of the second half.
__global__ void half_full_of_gaps(int* data, int n) {
    const unsigned i = n / 2 + 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
    data[i] = 1;
}
// The host first overwrites a large uninitialized range word by word, and then reads between 32,768 small
// ranges. If each word needed a search through all ranges, the case would take minutes and be stopped.
PLANTED("the host uses one of 32,768 gaps", "uninitialised", "uses a copy of `data[131070]` of") {
    constexpr int n = 1 << 17;
    std::vector<int> host(n);
    int* data = nullptr;
    cudaMalloc(&data, n * sizeof(int));
    half_full_of_gaps<<<n / 1024, 256>>>(data, n);
    cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n / 2; ++i) host[i] = 1;
    int sum = 0;
    for (int i = 0; i < n / 2; ++i) sum += host[i];
    for (int i = n / 2 + 1; i < n; i += 2) sum += host[i];
    seen = sum + host[n - 2];  // <-
    cudaFree(data);
}

__global__ void use_copy(const int* data, int* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("unwritten bytes come back from the host", "uninitialised", "but nothing has written") {
    int *data = nullptr, host[32];
    Buffer<int> again(32), out(32);
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(again, host, sizeof host, cudaMemcpyHostToDevice);
    use_copy<<<1, 32>>>(again, out);
    cudaFree(data);
}

// ---- flags in mapped memory ----

struct Mail {
    int* data = nullptr;
    int* flag = nullptr;
    Mail() {
        cudaHostAlloc((void**)&data, 64 * sizeof(int), cudaHostAllocMapped);
        cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocMapped);
        std::fill(data, data + 64, 0);
        *flag = 0;
    }
    ~Mail() {
        cudaDeviceSynchronize();
        cudaFreeHost(data);
        cudaFreeHost(flag);
    }
    void wait() const {
        while (*(volatile int*)flag == 0) {
        }
    }
};

__global__ void send_without_fence(int* data, volatile int* flag) {
    *data = 5;  // <-
    *flag = 1;
}
PLANTED("a kernel sets a flag for the host without a fence", "race", "call __threadfence_system() before") {
    const Mail mail;
    send_without_fence<<<1, 1>>>(mail.data, mail.flag);
    mail.wait();
    seen = *mail.data;  // <-
}

__global__ void send_with_device_fence(int* data, volatile int* flag) {
    *data = 5;  // <-
    __threadfence();
    *flag = 1;
}
PLANTED("a fence of device scope before a flag for the host", "race", "call __threadfence_system() before") {
    const Mail mail;
    send_with_device_fence<<<1, 1>>>(mail.data, mail.flag);
    mail.wait();
    seen = *mail.data;  // <-
}

__global__ void send_with_device_scope(int* flag) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);  // <-
}
PLANTED("a flag for the host is an atomic of device scope", "race",
        "device scope does not include host code") {
    const Mail mail;
    send_with_device_scope<<<1, 1>>>(mail.flag);
    while (*(volatile int*)mail.flag == 0) {  // <-
    }
}

__global__ void send_of_64(int* data, volatile int* flag) {
    data[threadIdx.x] = 5;  // <-
    if (threadIdx.x == 0) {
        __threadfence_system();
        *flag = 1;
    }
}
PLANTED("only one thread's data are before the flag for the host", "race",
        "call __threadfence_system() before") {
    const Mail mail;
    send_of_64<<<1, 64>>>(mail.data, mail.flag);
    mail.wait();
    seen = mail.data[63];  // <-
}

CHECKS_MAIN("planted_streams")
