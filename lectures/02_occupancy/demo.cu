// Demo of 02_occupancy: how many warps fit, and how many are needed. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.02_occupancy
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/02_occupancy/demo.cu
//            solutions/02_occupancy/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/02_occupancy [--help]
//
//   affine       v4 one element per thread, v5 four: times on a GPU, counts on the CPU executor
//   fits         blocks, warps and percent of the kernel with 200 bytes of shared memory per thread
//   bandwidth    reading, by the bytes in flight             arithmetic   multiply-adds, by warps and independent chains
//   grids        grids too small for the device              matrix, fourier   products and transforms at lower occupancy
//
// The last five run only on a GPU, because the CPU executor's times say nothing about a GPU.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "02_occupancy/02_occupancy.hpp"
#include "demo.hpp"
#include "kit.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#else
#include "lower_occupancy.cuh"
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

cudaDeviceProp properties() {
    cudaDeviceProp all;
    CUDA_CHECK(cudaGetDeviceProperties(&all, 0));
    return all;
}

/// v4 and v5 of the topic: out = a * in + b.
void affine(Demo& demo) {
    const auto n = static_cast<std::size_t>(demo.n());
    kit::DeviceBuffer<float> in(n), out(n);
    in.clear();
    out.clear();
    const auto version = [&](const char* id, const char* name, const char* change, auto function) {
        return Version{id, name, change,
                       [&, function](long long count) {
                           function(in.data(), static_cast<std::size_t>(count), 2.0f, 1.0f, out.data());
                       },
                       [&](long long) {
                           const std::vector<float> got = out.to_vector();
                           out.clear();
                           return std::all_of(got.begin(), got.end(), [](float value) { return value == 1; });
                       }};
    };
    Work work;
    work.n = demo.n();
    work.bytes = 2.0 * sizeof(float) * static_cast<double>(demo.n());
    work.repetitions = 30;
    demo.ladder("affine", "out = a * in + b for " + std::to_string(demo.n()) + " floats", work,
                {version("v4", "one element each", "As many threads as elements.", occupancy::one_each),
                 version("v5", "four, a quarter", "A quarter of the warps, four loads on the way in each.",
                         occupancy::ilp)});
}

/// Section 3 of the lecture: the kernel with 200 bytes of shared memory per thread.
void what_fits(Demo& demo) {
    if (!demo.part("fits")) return;
    demo.table("fits", "count_states (200 bytes of shared memory per thread): what fits",
               {"device and block", 39},
               {{"block", 0, 5}, {"active_warps", 0, 5}, {"maximum_warps", 0, 5}, {"percent", 1, 5}});
    const void* kernel = reinterpret_cast<const void*>(occupancy::states_kernel());
    const auto rows = [&](const std::string& id) {
        const cudaDeviceProp device = properties();
        for (int block = 32; block <= 256; block += 32) {
            const occupancy::Report r = occupancy::report(kernel, block, occupancy::states_shared(block));
            demo.row(id + std::to_string(block), device.name,
                     {block, r.active_warps, r.maximum_warps, r.percent});
        }
        const int all = device.multiProcessorCount * device.maxThreadsPerMultiProcessor / 32;
        demo.row(id + "grid_of_80", std::string(device.name) + ", 80 blocks in all",
                 {512, 80 * 16, all, 100.0 * 80 * 16 / all});
    };
#ifdef KIT_CPU
    for (const char* device : {"h200", "a100", "t4"}) {
        kit::cpu::set_device(device);
        rows(std::string(device) + "_");
    }
    kit::cpu::set_device(nullptr);
#else
    rows("");
#endif
}

#ifndef KIT_CPU

/// Reads everything and keeps a sum, so the compiler cannot remove the loads. Each thread has LOADS loads of T in flight.
template <class T, int LOADS>
__global__ void read(const T* in, std::size_t n, float* out) {
    float sum = 0;
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x * LOADS;
    std::size_t base = std::size_t{blockIdx.x} * blockDim.x * LOADS + threadIdx.x;
    for (; base + (LOADS - 1) * blockDim.x < n; base += step) {
        T value[LOADS];
#pragma unroll
        for (int j = 0; j < LOADS; ++j) value[j] = in[base + j * blockDim.x];
#pragma unroll
        for (int j = 0; j < LOADS; ++j) {
            if constexpr (sizeof(T) == 4) {
                sum += value[j];
            } else {
                sum += (value[j].x + value[j].y) + (value[j].z + value[j].w);
            }
        }
    }
    if (sum == 0.1234f) *out = sum;
}

double time_ms(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
               int repetitions = 15) {
    kit::TimeOptions options;
    options.repetitions = repetitions;
    return kit::time([&] { CUDA_CHECK(cudaLaunchKernel(kernel, grid, block, arguments, shared, nullptr)); },
                     0, options)
        .median_ms;
}

template <class T, int LOADS>
void bandwidth_rows(Demo& demo, const float* in, std::size_t n, float* out) {
    const T* vectors = reinterpret_cast<const T*>(in);
    std::size_t count = n * sizeof(float) / sizeof(T);
    void* arguments[] = {&vectors, &count, &out};
    for (const int warps : {2, 4, 8, 16, 32, 64}) {
        const int threads = std::min(warps * 32, 256), blocks = warps * 32 / threads;
        const int processors = properties().multiProcessorCount;
        const double ms =
            time_ms(reinterpret_cast<const void*>(read<T, LOADS>), processors * blocks, threads, arguments);
        const double rate = static_cast<double>(n) * 4 / ms / 1e6;
        const double flight = static_cast<double>(processors) * warps * 32 * LOADS * sizeof(T) / 1e6;
        const std::string bytes = std::to_string(sizeof(T)), loads = std::to_string(LOADS);
        demo.row("b" + bytes + "x" + loads + "_w" + std::to_string(warps),
                 loads + " x " + bytes + " bytes per thread",
                 {warps, flight, rate, rate / kit::copy_gb_per_s()});
    }
}

void bandwidth(Demo& demo, const float* in, std::size_t n, float* out) {
    if (!demo.part("bandwidth")) return;
    demo.table("bandwidth",
               "reading " + std::to_string(n) + " floats: warps per multiprocessor, MB on the way at most",
               {"loads", 24}, {{"warps"}, {"mb_on_the_way", 2}, {"gb_per_s"}, {"of_copy", 2}});
    bandwidth_rows<float, 1>(demo, in, n, out);
    bandwidth_rows<float, 2>(demo, in, n, out);
    bandwidth_rows<float, 4>(demo, in, n, out);
    bandwidth_rows<float, 8>(demo, in, n, out);
    bandwidth_rows<float4, 1>(demo, in, n, out);
    bandwidth_rows<float4, 2>(demo, in, n, out);
    bandwidth_rows<float4, 4>(demo, in, n, out);
    bandwidth_rows<float4, 8>(demo, in, n, out);
}

/// CHAINS independent chains of multiply-adds. Each iteration of the loop has 128 multiply-adds, so the loop itself costs
/// the same for every number of chains.
template <int CHAINS>
__global__ void chains(float* out, float a, float b, int steps) {
    float value[CHAINS];
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) value[j] = static_cast<float>(threadIdx.x + j);
#pragma unroll(128 / CHAINS)
    for (int i = 0; i < steps; ++i) {
#pragma unroll
        for (int j = 0; j < CHAINS; ++j) value[j] = a * value[j] + b;
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) sum += value[j];
    if (sum == 0.1234f) *out = sum;
}

template <int CHAINS>
void arithmetic_rows(Demo& demo, float* out) {
    float a = 0.999f, b = 0.001f;
    int steps = (1 << 18) / CHAINS;
    void* arguments[] = {&out, &a, &b, &steps};
    for (const int warps : {4, 8, 16, 32, 64}) {
        const int threads = std::min(warps * 32, 512), blocks = warps * 32 / threads;
        const int processors = properties().multiProcessorCount;
        const double ms = time_ms(reinterpret_cast<const void*>(chains<CHAINS>), processors * blocks, threads,
                                  arguments, 0, 7);
        const double rate = 2.0 * processors * warps * 32 * steps * CHAINS / ms / 1e9;
        demo.row("c" + std::to_string(CHAINS) + "_w" + std::to_string(warps),
                 std::to_string(CHAINS) + (CHAINS == 1 ? " chain" : " chains") + " per thread",
                 {warps, rate});
    }
}

void arithmetic(Demo& demo, float* out) {
    if (!demo.part("arithmetic")) return;
    demo.table("arithmetic", "multiply-adds, by warps per multiprocessor and independent chains",
               {"chains", 20}, {{"warps"}, {"tflop_per_s", 1}});
    arithmetic_rows<1>(demo, out);
    arithmetic_rows<2>(demo, out);
    arithmetic_rows<4>(demo, out);
    arithmetic_rows<8>(demo, out);
}

/// Times a kernel with all the blocks that fit, and with fewer: about a half and a quarter of the warps are resident.
void at_lower_occupancies(Demo& demo, const std::string& id, const std::string& name, const void* kernel,
                          dim3 grid, dim3 block, void** arguments, double work) {
    cudaFuncAttributes facts;
    CUDA_CHECK(cudaFuncGetAttributes(&facts, kernel));
    const int threads = static_cast<int>(block.x * block.y);
    const int room = static_cast<int>(properties().sharedMemPerBlockOptin - facts.sharedSizeBytes);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
    int last = 0;
    for (const int percent : {100, 50, 25}) {
        // Unused shared memory keeps other blocks away.
        const int blocks = std::max(1, properties().maxThreadsPerMultiProcessor * percent / 100 / threads);
        const int share = static_cast<int>(properties().sharedMemPerMultiprocessor) / blocks - 1024 -
                          static_cast<int>(facts.sharedSizeBytes);
        const std::size_t shared =
            percent == 100 ? 0 : static_cast<std::size_t>(std::clamp(share / 128 * 128, 0, room));
        const occupancy::Report r = occupancy::report(kernel, threads, shared);
        if (r.active_warps == last) continue;
        last = r.active_warps;
        const double rate = work / time_ms(kernel, grid, block, arguments, shared, 9) / 1e6;
        demo.row(id + "_" + std::to_string(percent), name, {facts.numRegs, r.percent, rate});
    }
}

void expect(bool right, const std::string& what) {
    if (right) return;
    std::fprintf(stderr, "%s: the output is wrong\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

template <int OUTPUTS>
void matrix_rows(Demo& demo, const float* a, const float* b, float* c, int n) {
    void* arguments[] = {&a, &b, &c, &n};
    const std::string name =
        std::to_string(OUTPUTS) + (OUTPUTS == 1 ? " output" : " outputs") + " per thread";
    CUDA_CHECK(cudaMemset(c, 0, sizeof(float) * 12346));
    at_lower_occupancies(demo, "o" + std::to_string(OUTPUTS), name,
                         reinterpret_cast<const void*>(lower_occupancy::multiply<OUTPUTS>),
                         dim3(n / 32, n / 32), dim3(32, 32 / OUTPUTS), arguments, 2.0 * n * n * n);
    float one = 0;
    CUDA_CHECK(cudaMemcpy(&one, c + 12345, sizeof(float), cudaMemcpyDeviceToHost));
    expect(std::fabs(one - static_cast<float>(n)) < 0.5f, name);
}

/// The input of each transform is one wave of frequency 3, so the output must be zero except at point 3.
template <int RADIX>
void fourier_rows(Demo& demo, kit::DeviceBuffer<float2>& in, kit::DeviceBuffer<float2>& out) {
    const float2* from = in.data();
    float2* to = out.data();
    void* arguments[] = {&from, &to};
    const auto blocks = static_cast<unsigned>(in.size() / (RADIX * lower_occupancy::kPoints));
    const std::string name = std::to_string(RADIX) + " points per thread";
    CUDA_CHECK(cudaMemset(to, 0, sizeof(float2) * 8));
    at_lower_occupancies(demo, "r" + std::to_string(RADIX), name,
                         reinterpret_cast<const void*>(lower_occupancy::fourier<RADIX>), dim3(blocks),
                         dim3(256), arguments, 5.0 * static_cast<double>(in.size()) * 8);
    std::vector<float2> first(8);
    CUDA_CHECK(cudaMemcpy(first.data(), to, sizeof(float2) * 8, cudaMemcpyDeviceToHost));
    expect(std::fabs(first[3].x - 256) < 0.1f && std::fabs(first[2].x) < 0.1f, name);
}

__global__ void make_wave(float2* wave, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) sincospif(6 * static_cast<float>(i % 256) / 256, &wave[i].y, &wave[i].x);
}

void lower(Demo& demo) {
    if (demo.part("matrix")) {
        constexpr int n = 4096;
        const kit::DeviceBuffer<float> a(std::vector<float>(std::size_t{n} * n, 1.0f)),
            b(std::vector<float>(std::size_t{n} * n, 1.0f));
        kit::DeviceBuffer<float> c(std::size_t{n} * n);
        demo.table("matrix", "a product of matrices of 4096 x 4096", {"version", 20},
                   {{"registers"}, {"occupancy", 1}, {"gflop_per_s"}});
        matrix_rows<1>(demo, a.data(), b.data(), c.data(), n);
        matrix_rows<2>(demo, a.data(), b.data(), c.data(), n);
        matrix_rows<4>(demo, a.data(), b.data(), c.data(), n);
        matrix_rows<8>(demo, a.data(), b.data(), c.data(), n);
    }
    if (demo.part("fourier")) {
        kit::DeviceBuffer<float2> in(std::size_t{1} << 26), out(in.size());
        make_wave<<<1 << 18, 256>>>(in.data(), in.size());
        CUDA_CHECK_LAUNCH();
        demo.table("fourier", "262144 Fourier transforms of 256 points, 5 n log2(n) operations each",
                   {"version", 20}, {{"registers"}, {"occupancy", 1}, {"gflop_per_s"}});
        fourier_rows<2>(demo, in, out);
        fourier_rows<4>(demo, in, out);
        fourier_rows<16>(demo, in, out);
    }
}

void small_grids(Demo& demo, const float* in, std::size_t n, float* out) {
    if (!demo.part("grids")) return;
    const float4* vectors = reinterpret_cast<const float4*>(in);
    std::size_t count = n / 4;
    void* arguments[] = {&vectors, &count, &out};
    demo.table("grids", "reading with few blocks of 512 threads, two 16-byte loads on the way each",
               {"blocks", 10}, {{"blocks"}, {"gb_per_s"}});
    for (const int blocks : {20, 40, 80, 132, 264, 396, 528}) {
        const double ms = time_ms(reinterpret_cast<const void*>(read<float4, 2>), blocks, 512, arguments);
        demo.row("g" + std::to_string(blocks), std::to_string(blocks) + " blocks",
                 {blocks, static_cast<double>(n) * 4 / ms / 1e6});
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"02_occupancy",
               "how many warps fit, and how many are needed",
               1 << 28,
               1 << 19,
               1 << 30,
               {},
               {"affine", "fits", "bandwidth", "arithmetic", "grids", "matrix", "fourier"}},
              argc, argv);
    affine(demo);
    what_fits(demo);
#ifndef KIT_CPU
    const auto n = static_cast<std::size_t>(demo.n());
    kit::DeviceBuffer<float> in(n), out(1);
    in.clear();
    bandwidth(demo, in.data(), n, out.data());
    arithmetic(demo, out.data());
    small_grids(demo, in.data(), n, out.data());
    lower(demo);
#endif
    return demo.finish();
}
