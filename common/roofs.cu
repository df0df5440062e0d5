// Measures the limits in roofs.hpp, each with one small kernel or loop.
#include "kit.cuh"
#include "roofs.hpp"

namespace kit {

#ifdef KIT_CPU
const Roofs& roofs() {
    static const Roofs none;
    return none;
}
#else
namespace {

constexpr int block = 256;
constexpr int launches = 1000;

__global__ void nothing() {}

/// Each thread reads 16 bytes `steps` times. Neighbouring lanes read neighbouring words, so there are no bank
/// conflicts.
__global__ void read_shared(int steps, float* out) {
    __shared__ float4 tile[2 * block];
    tile[threadIdx.x] = tile[threadIdx.x + block] = make_float4(1, 2, 3, 4);
    __syncthreads();  // the whole tile has been written
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 16
    for (int i = 0; i < steps; ++i) {
        const float4 v = tile[threadIdx.x + i % block];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    // Never true, but the compiler does not know that, so it keeps the loop.
    if (sum.x + sum.y + sum.z + sum.w == 0.1234f) *out = sum.x;
}

/// Eight independent chains of multiply-adds per thread, which are enough to hide the latency of each.
__global__ void multiply_add(int steps, float a, float b, float* out) {
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) v[j] = static_cast<float>(threadIdx.x + j);
#pragma unroll 128  // reduces the number of jumps, which are also instructions
    for (int i = 0; i < steps; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) v[j] = a * v[j] + b;
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += v[j];
    if (sum == 0.1234f) *out = sum;
}

/// Returns the time in microseconds from the first call of `work` to the end of a wait, as the median of 11
/// measurements.
template <class Work>
double host_us(Work work) {
    std::vector<double> times;
    for (int i = -2; i < 11; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        work();
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        if (i >= 0) times.push_back(time.count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

double graph_us() {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i) nothing<<<1, 1, 0, stream>>>();
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    const double us = host_us([&] { CUDA_CHECK(cudaGraphLaunch(exec, stream)); });
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
    return us;
}

Roofs measure_roofs() {
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 8 * multiprocessors, shared_steps = 1 << 13, chain_steps = 1 << 13;
    const double threads = static_cast<double>(blocks) * block;
    DeviceBuffer<float> out(1);
    TimeOptions warm;
    warm.cold_l2 = false;
    const auto median_s = [&](auto launch) { return time(launch, 0, warm).median_ms * 1e-3; };
    Roofs all;
    all.copy_gb_per_s = copy_gb_per_s();
    const double shared_s = median_s([&] { read_shared<<<blocks, block>>>(shared_steps, out.data()); });
    all.shared_gb_per_s = threads * shared_steps * sizeof(float4) / shared_s * 1e-9;
    const double chain_s =
        median_s([&] { multiply_add<<<blocks, block>>>(chain_steps, 0.999f, 0.001f, out.data()); });
    all.fp32_tflop_per_s = threads * chain_steps * 8 * 2 / chain_s * 1e-12;
    CUDA_CHECK_LAUNCH();
    const auto queue = [] {
        for (int i = 0; i < launches; ++i) nothing<<<1, 1>>>();
    };
    all.launch_us = host_us(queue) / launches;
    all.launch_and_wait_us = host_us([] { nothing<<<1, 1>>>(); });
    all.graph_node_us = graph_us() / launches;
    return all;
}

}  // namespace

const Roofs& roofs() {
    static const Roofs measured = measure_roofs();
    return measured;
}
#endif

}  // namespace kit
