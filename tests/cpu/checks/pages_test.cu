// The examples of lectures/diagnoses about threads, kernels and launches: the mistake and the fix.
#include <cooperative_groups.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cassert>

#include "pages.cuh"

// ---- race ----

// [race]
__global__ void reverse_at_once(float* data) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = data[t];        // <-
    data[t] = tile[255 - t];  // <-
}
// [/race]
PLANTED("race", "race", "no barrier between") {
    Buffer<float> data(256, 1.0f);
    reverse_at_once<<<1, 256>>>(data);
}

// [race_cure]
__global__ void reverse(float* data) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = data[t];
    __syncthreads();  // other threads wrote what this thread reads
    data[t] = tile[255 - t];
}
// [/race_cure]
SILENT("race, cured") {
    std::vector<float> up, down;
    for (int i = 0; i < 256; ++i) up.push_back(float(i)), down.push_back(float(255 - i));
    Buffer<float> data(up);
    reverse<<<1, 256>>>(data);
    CHECK_EQUAL(data.read(), down);
}

__global__ void count_up(float* data) {
    data[threadIdx.x] = static_cast<float>(threadIdx.x);  // <-
}
__global__ void twice(const float* data, float* out) {
    out[threadIdx.x] = 2 * data[threadIdx.x];  // <-
}
PLANTED("race/streams", "race", "nothing orders the two kernels") {
    Buffer<float> data(256), out(256);
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    count_up<<<1, 256, 0, a>>>(data);
    twice<<<1, 256, 0, b>>>(data, out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}
SILENT("race/streams, cured") {
    Buffer<float> data(256), out(256);
    cudaStream_t a, b;
    cudaEvent_t filled;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&filled);
    // [race_streams_cure]
    count_up<<<1, 256, 0, a>>>(data);
    cudaEventRecord(filled, a);
    cudaStreamWaitEvent(b, filled, 0);
    twice<<<1, 256, 0, b>>>(data, out);
    // [/race_streams_cure]
    CHECK_EQUAL(out.read()[255], 510.0f);
    cudaEventDestroy(filled);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// ---- barrier ----

// [barrier]
__global__ void sum_of_left_some_wait(const float* in, int n, float* out) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    if (t >= n) return;
    tile[t] = in[t];
    __syncthreads();  // <-
    out[t] = tile[t] + (t > 0 ? tile[t - 1] : 0.0f);
}
// [/barrier]
PLANTED("barrier", "barrier", "have returned from the kernel") {
    Buffer<float> in(200, 1.0f), out(200);
    sum_of_left_some_wait<<<1, 256>>>(in, 200, out);
}

// [barrier_cure]
__global__ void sum_of_left(const float* in, int n, float* out) {
    __shared__ float tile[256];
    int t = threadIdx.x;
    if (t < n) tile[t] = in[t];
    __syncthreads();  // other threads wrote what this thread reads; all come here
    if (t < n) out[t] = tile[t] + (t > 0 ? tile[t - 1] : 0.0f);
}
// [/barrier_cure]
SILENT("barrier, cured") {
    Buffer<float> in(200, 1.0f), out(200);
    sum_of_left<<<1, 256>>>(in, 200, out);
    CHECK_EQUAL(out.read()[199], 2.0f);
}

// ---- warp ----

// [warp]
__global__ void add_neighbour_in_if(int* data, int n) {
    int t = threadIdx.x;
    if (t < n) data[t] += __shfl_down_sync(0xffffffffu, data[t], 1);  // <-
}
// [/warp]
PLANTED("warp", "warp", "this lane has returned from the kernel") {
    Buffer<int> data(32, 1);
    add_neighbour_in_if<<<1, 32>>>(data, 20);
    CHECK_EQUAL(data.read()[19] == 2, false);
}

// [warp_cure]
__global__ void add_neighbour(int* data, int n) {
    int t = threadIdx.x;
    int mine = t < n ? data[t] : 0;
    int next = __shfl_down_sync(0xffffffffu, mine, 1);  // all 32 lanes
    if (t < n) data[t] = mine + next;
}
// [/warp_cure]
SILENT("warp, cured") {
    Buffer<int> data(20, 1);
    add_neighbour<<<1, 32>>>(data, 20);
    CHECK_EQUAL(data.read()[0] == 2 && data.read()[19] == 1, true);
}

// ---- deadlock ----

// [deadlock]
__global__ void two_phases(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
    cooperative_groups::this_grid().sync();  // <-
    if (i < n) data[i] += data[n - 1];
}
// [/deadlock]
PLANTED("deadlock", "deadlock", "cudaLaunchCooperativeKernel") {
    Buffer<int> data(512);
    // [deadlock_launch]
    two_phases<<<4, 128>>>(data, 512);
    // [/deadlock_launch]
}

// [deadlock_cure]
cudaError_t launch_two_phases(int* data, int n) {
    void* arguments[] = {&data, &n};
    return cudaLaunchCooperativeKernel(two_phases, dim3((n + 127) / 128), dim3(128), arguments);
}
// [/deadlock_cure]
SILENT("grid.sync(), launched as it must be") {
    Buffer<int> data(512);
    CHECK_CUDA(launch_two_phases(data, 1), cudaSuccess);
    CHECK_EQUAL(data.read()[0], 0);
}

// ---- timeout ----

// [timeout]
__global__ void collatz(const int* in, int* steps) {
    int x = in[threadIdx.x], count = 0;
    while (x != 1) x = x % 2 ? 3 * x + 1 : x / 2, ++count;  // <-
    steps[threadIdx.x] = count;
}
// [/timeout]
PLANTED("timeout", "timeout", "did not end within") {
    Buffer<int> in(32, 0), steps(32);
#ifdef KIT_CPU
    kit::cpu::set_kernel_time_limit(0.5);
    collatz<<<1, 32>>>(in, steps);
    cudaDeviceSynchronize();
    kit::cpu::set_kernel_time_limit(20);
#endif
}

// [timeout_cure]
__global__ void collatz_of_positive(const int* in, int* steps) {
    int x = in[threadIdx.x], count = 0;
    while (x > 1) x = x % 2 ? 3 * x + 1 : x / 2, ++count;
    steps[threadIdx.x] = count;
}
// [/timeout_cure]
SILENT("timeout, cured") {
    Buffer<int> in(32, 6), steps(32);
    collatz_of_positive<<<1, 32>>>(in, steps);
    CHECK_EQUAL(steps.read()[0], 8);
}

// ---- assert ----

// [assert]
__global__ void roots(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    assert(in[i] >= 0);  // <-
    out[i] = sqrtf(in[i]);
}
// [/assert]
PLANTED("assert", "assert", "assertion `in[i] >= 0` failed") {
    Buffer<float> in(64, -1.0f), out(64);
    roots<<<1, 64>>>(in, out, 64);
}
SILENT("assert, cured") {
    Buffer<float> in(64, 4.0f), out(64);
    roots<<<1, 64>>>(in, out, 64);
    CHECK_EQUAL(out.read()[63], 2.0f);
}

// ---- division ----

// [division]
__global__ void means_of_all(const int* sum, const int* count, int* mean) {
    int i = threadIdx.x;
    mean[i] = sum[i] / count[i];  // <-
}
// [/division]
PLANTED("division", "division", "divided by zero") {
    Buffer<int> sum(32, 6), count(32, 0), mean(32);
    means_of_all<<<1, 32>>>(sum, count, mean);
}

// [division_cure]
__global__ void means(const int* sum, const int* count, int* mean) {
    int i = threadIdx.x;
    mean[i] = count[i] > 0 ? sum[i] / count[i] : 0;
}
// [/division_cure]
SILENT("division, cured") {
    Buffer<int> sum(32, 6), count(32, 0), mean(32);
    means<<<1, 32>>>(sum, count, mean);
    CHECK_EQUAL(mean.read()[0], 0);
}

// ---- trap ----

// [trap]
__global__ void apply(const char* operations, int* values) {
    int i = threadIdx.x;
    switch (operations[i]) {
        case '+':
            values[i] += 1;
            break;
        case '-':
            values[i] -= 1;
            break;
        default:
            __trap();  // <-
    }
}
// [/trap]
PLANTED("trap", "trap", "__trap()") {
    Buffer<char> operations(32, '*');
    Buffer<int> values(32);
    apply<<<1, 32>>>(operations, values);
}

// [trap_cure]
__global__ void apply_known(const char* operations, int* values, int* unknown) {
    int i = threadIdx.x;
    switch (operations[i]) {
        case '+':
            values[i] += 1;
            break;
        case '-':
            values[i] -= 1;
            break;
        default:
            atomicAdd(unknown, 1);  // the host looks at it
    }
}
// [/trap_cure]
SILENT("trap, cured") {
    Buffer<char> operations(32, '*');
    Buffer<int> values(32), unknown(1);
    apply_known<<<1, 32>>>(operations, values, unknown);
    CHECK_EQUAL(unknown.read()[0], 32);
}

// ---- launch ----

__global__ void scale(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

// [launch]
void scale_in_one_block(float* data, int n) {
    scale<<<1, n>>>(data, n);  // <-
}
// [/launch]
PLANTED("launch", "launch", "a block has 2000 threads") {
    Buffer<float> data(2000);
    scale_in_one_block(data, 2000);
}

// [launch_cure]
cudaError_t scale_in_blocks(float* data, int n) {
    scale<<<(n + 255) / 256, 256>>>(data, n);
    return cudaGetLastError();  // a launch returns no value, so this call returns its error
}
// [/launch_cure]
SILENT("launch, cured") {
    Buffer<float> data(2000, 1.0f);
    CHECK_CUDA(scale_in_blocks(data, 2000), cudaSuccess);
    CHECK_EQUAL(data.read(), std::vector<float>(2000, 2.0f));
}

// ---- host_api ----

#ifdef KIT_CPU  // nvcc does not compile it
// [host_api]
__global__ void clear_by_api(int* data) {
    cudaMemset(data, 0, 32 * sizeof(int));
}
// [/host_api]
ALONE("host_api") {
    Buffer<int> data(32, 1);
    clear_by_api<<<1, 1>>>(data);
}
#endif

// [host_api_cure]
__global__ void clear(int* data) {
    data[threadIdx.x] = 0;
}
// [/host_api_cure]
SILENT("host_api, cured") {
    Buffer<int> data(32, 1);
    clear<<<1, 32>>>(data);
    CHECK_EQUAL(data.read(), std::vector<int>(32, 0));
}

// ---- memory ----

/// Limits the address space that this process can still allocate.
void limit_memory_to(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = pages * static_cast<std::size_t>(getpagesize()) + more;
    setrlimit(RLIMIT_AS, &limit);
}

ALONE("memory") {
    // [memory]
    Buffer<float> in(1024, 1.0f), out(1024);
    sum_of_left<<<1, 32>>>(in, 32, out);
    cudaDeviceSynchronize();
    limit_memory_to(1 << 20);
    sum_of_left<<<1, 256>>>(in, 256, out);
    // [/memory]
}

PAGES_MAIN("pages")
