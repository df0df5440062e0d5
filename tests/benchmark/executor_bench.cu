// Measures how fast a backend runs the building blocks of kernels. The program is made for the CPU executor,
// and also runs on a GPU.
//
//   build: cmake --build --preset solutions -t benchmark.executor
//   run  : build/course/benchmark/executor
//
// empty kernel : launches without any work; the cost of a thread that does nothing
// barrier      : 256 threads, 500 x __syncthreads(); counted per thread that passes
// shuffle      : 500 x __shfl_xor_sync() in full warps; counted per lane
// atomic       : atomicAdd on one address of global memory, and on an address per thread
// tree         : the sum of 2^20 floats, one tile of 256 per block, in shared memory
//
// Rates are per second of wall-clock time. "per core" divides by the number of this machine's cores, not
// those of a GPU.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "kit.cuh"

constexpr int BLOCK = 256;
constexpr int STEPS = 500;

__global__ void empty() {}

__global__ void barriers() {
    for (int i = 0; i < STEPS; ++i) __syncthreads();
}

__global__ void shuffles(int* out) {
    int value = static_cast<int>(threadIdx.x);
    for (int i = 0; i < STEPS; ++i) value += __shfl_xor_sync(0xffffffffu, value, 1);
    if (value == -1) *out = value;  // never true; keeps the loop
}

__global__ void atomics_on_one(int* out) {
    for (int i = 0; i < STEPS; ++i) atomicAdd(out, 1);
}

__global__ void atomics_on_many(int* out) {
    int* const mine = out + blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < STEPS; ++i) atomicAdd(mine, 1);
}

__global__ void tree(const float* in, float* out) {
    __shared__ float tile[BLOCK];
    const unsigned i = threadIdx.x;
    tile[i] = in[blockIdx.x * BLOCK + i];
    __syncthreads();
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (i < stride) tile[i] += tile[i + stride];
        __syncthreads();
    }
    if (i == 0) atomicAdd(out, tile[0]);
}

/// Returns the median time of five runs in seconds, after one run that does not count.
double seconds(const std::function<void()>& launch) {
    std::vector<double> times;
    for (int run = 0; run < 6; ++run) {
        const auto start = std::chrono::steady_clock::now();
        launch();
        CUDA_CHECK_LAUNCH();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (run > 0) times.push_back(elapsed.count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

unsigned cores() {
    return std::max(1u, std::thread::hardware_concurrency());
}

void report_rate(const char* what, double operations, double time) {
    const double rate = operations / time / 1e3;
    std::printf("%-34s %10.0f k/s   %10.0f k/s per core\n", what, rate, rate / cores());
}

int main() {
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
#ifdef KIT_CPU
    std::printf("CPU executor as %s, %u cores\n", device.name, cores());
#else
    std::printf("%s\n", device.name);
#endif

    const int n = 1 << 20;
    const int blocks = 64;
    const double all_steps = static_cast<double>(blocks) * BLOCK * STEPS;
    kit::DeviceBuffer<int> cells(static_cast<std::size_t>(blocks) * BLOCK);
    kit::DeviceBuffer<float> in(std::vector<float>(n, 0.5f));
    kit::DeviceBuffer<float> sum(std::vector<float>(1, 0.0f));
    CUDA_CHECK(cudaMemset(cells.data(), 0, cells.size() * sizeof(int)));

    const double nothing = seconds([] { empty<<<n / BLOCK, BLOCK>>>(); });
    std::printf("%-34s %10.2f ns    %10.2f ns of one core\n", "empty kernel, per CUDA thread",
                nothing / n * 1e9, nothing / n * 1e9 * cores());
    const double launch = seconds([] { empty<<<1, 1>>>(); });
    std::printf("%-34s %10.2f us\n", "launch of one thread, synchronised", launch * 1e6);

    const double barrier = seconds([] { barriers<<<blocks, BLOCK>>>(); });
    report_rate("barriers passed by threads", all_steps, barrier);
    report_rate("barriers completed by blocks", all_steps / BLOCK, barrier);
    report_rate("shuffles, per lane", all_steps, seconds([&] { shuffles<<<blocks, BLOCK>>>(cells.data()); }));
    report_rate("atomics on one address", all_steps,
                seconds([&] { atomics_on_one<<<blocks, BLOCK>>>(cells.data()); }));
    report_rate("atomics, an address per thread", all_steps,
                seconds([&] { atomics_on_many<<<blocks, BLOCK>>>(cells.data()); }));

    const double reduction = seconds([&] { tree<<<n / BLOCK, BLOCK>>>(in.data(), sum.data()); });
    std::printf("%-34s %10.2f ms\n", "tree reduction of 2^20 floats", reduction * 1e3);

    float total = 0;
    CUDA_CHECK(cudaMemcpy(&total, sum.data(), sizeof total, cudaMemcpyDeviceToHost));
    const float want = 6 * 0.5f * n;  // the results of six runs are added
    if (!(std::fabs(total - want) <= 1e-3f * want)) {
        std::printf("wrong sum: got %g, expected %g\n", total, want);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
