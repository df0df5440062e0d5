// Demo of 04_shared_memory: what a bank conflict costs, and the transpose by every version. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.04_shared_memory
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/04_shared_memory/demo.cu
//            solutions/04_shared_memory/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/04_shared_memory [--help]
//
//   banks      one warp instruction with strides: wavefronts predicted, and counted (CPU executor) or timed (GPU)
//   square     the transposes of a square matrix, v1 naive to v4 swizzled, v6 aligned and v7 with 16 bytes
//   shapes     the same for other shapes, against a device copy of as many bytes (GPU)
//   order      v3 with blockIdx.x counting down the matrix, and across it (GPU)
//   longest    the shared memory that a block can have, by default and on request

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "04_shared_memory/04_shared_memory.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "versions.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#include <kit_cpu/profile.hpp>
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

#ifndef KIT_CPU
__device__ float sum_of(float a) {
    return a;
}
__device__ float sum_of(float2 a) {
    return a.x + a.y;
}
__device__ float sum_of(float4 a) {
    return (a.x + a.y) + (a.z + a.w);
}

constexpr int kReadAtOnce = 16;

/// Every lane loads elements that are STRIDE apart from those of its neighbours, `trips` times 16 of them. `move` is 0, but
/// the compiler does not know that, so it cannot reuse values that were loaded before.
template <class T, int STRIDE>
__global__ void load_strided(int trips, int move, float* out) {
    __shared__ __align__(16) char bytes[16384];
    for (unsigned i = threadIdx.x; i < sizeof(bytes) / sizeof(float); i += blockDim.x)
        reinterpret_cast<float*>(bytes)[i] = 1;
    __syncthreads();  // all bytes are written before a thread reads them
    const T* cells = reinterpret_cast<const T*>(bytes) + threadIdx.x % 32 * STRIDE;
    float sum = 0;
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int j = 0; j < kReadAtOnce; ++j) sum += sum_of(cells[j]);
        cells += move;
    }
    if (sum == 0.1234f) *out = sum;
}
#endif

template <class T, int STRIDE>
void bank_row(Demo& demo, [[maybe_unused]] float* out) {
    shared_memory::Access access = {sizeof(T), ~0u, {}};
    for (int lane = 0; lane < 32; ++lane) access.offset[lane] = lane * STRIDE * static_cast<int>(sizeof(T));
    const int predicted = shared_memory::wavefronts(access);
    const std::string id = "b" + std::to_string(sizeof(T)) + "_s" + std::to_string(STRIDE);
    const std::string label = std::to_string(sizeof(T)) + " bytes, stride " + std::to_string(STRIDE);
#ifdef KIT_CPU
    kit::cpu::take_profile();
    kit::cpu::begin_profile();
    shared_memory::make_store(access);
    CUDA_CHECK(cudaDeviceSynchronize());
    kit::cpu::end_profile();
    double requests = 0, wavefronts = 0;
    for (const auto& kernel : kit::cpu::take_profile()) {
        const auto counts = kernel.total(kit::cpu::RequestKind::shared_store);
        requests += static_cast<double>(counts.requests), wavefronts += static_cast<double>(counts.units);
    }
    demo.row(id, label, {predicted, wavefronts / requests});
#else
    int device = 0, processors = 0, clock = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));  // kHz
    constexpr int trips = 512, warps = 2 * 32;                                 // two blocks of 1024 threads
    kit::TimeOptions options;
    options.repetitions = 9;
    const auto timing =
        kit::time([&] { load_strided<T, STRIDE><<<2 * processors, 1024>>>(trips, 0, out); }, 0, options);
    const double cycles = timing.median_ms * clock / (1.0 * warps * trips * kReadAtOnce);
    demo.row(id, label, {predicted, cycles, 32.0 * sizeof(T) * processors * clock / cycles / 1e6});
#endif
}

void banks(Demo& demo) {
    if (!demo.part("banks")) return;
    kit::DeviceBuffer<float> out(1);
#ifdef KIT_CPU
    demo.table("banks", "wavefronts of one store of a warp: predicted, and counted", {"access", 20},
               {{"predicted"}, {"counted", 1}});
#else
    demo.table("banks", "one load of a warp: wavefronts predicted, cycles of a multiprocessor measured",
               {"access", 20}, {{"predicted"}, {"cycles", 2}, {"gb_per_s"}});
#endif
    bank_row<float, 0>(demo, out.data());
    bank_row<float, 1>(demo, out.data());
    bank_row<float, 2>(demo, out.data());
    bank_row<float, 4>(demo, out.data());
    bank_row<float, 8>(demo, out.data());
    bank_row<float, 16>(demo, out.data());
    bank_row<float, 32>(demo, out.data());
    bank_row<float, 33>(demo, out.data());
    bank_row<float2, 1>(demo, out.data());
    bank_row<float2, 2>(demo, out.data());
    bank_row<float2, 16>(demo, out.data());
    bank_row<float4, 1>(demo, out.data());
    bank_row<float4, 2>(demo, out.data());
    bank_row<float4, 8>(demo, out.data());
}

/// Element i is i, as bits.
__global__ void number(unsigned int* elements, std::size_t n) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
        elements[i] = static_cast<unsigned int>(i);
}

__global__ void count_wrong(const unsigned int* elements, int rows, int columns, unsigned int* wrong) {
    const std::size_t n = std::size_t(rows) * columns, threads = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
        const auto column = static_cast<unsigned int>(i / rows), row = static_cast<unsigned int>(i % rows);
        if (elements[i] != row * columns + column) atomicAdd(wrong, 1u);
    }
}

#ifdef KIT_CPU
constexpr int kBlocks = 4;
#else
constexpr int kBlocks = 2048;
#endif

using Function = void (*)(const float* in, int rows, int columns, float* out);

struct Named {
    const char *id, *name, *change;
    Function function;
    bool only_fours = false;  ///< needs multiples of 4
};

const Named all[] = {
    {"v1", "naive", "Straight to its place: reads along rows, writes along columns.",
     shared_memory::transpose_naive},
    {"v2", "tiled", "The turn happens in shared memory; reads and writes are along rows.",
     shared_memory::transpose_tiled},
    {"v3", "padded", "A place that nobody uses behind each row of the tile.",
     shared_memory::transpose_padded},
    {"v4", "swizzled", "No unused places: each row of the tile stands in another order.",
     shared_memory::transpose_swizzled},
    {"v6", "whole sectors", "A block's piece of a row begins where a sector begins.",
     shared_memory_demo::aligned},
    {"v7", "16 bytes", "Squares of 4 x 4 turn in registers, and travel 16 bytes at a time.",
     shared_memory_demo::wide, true},
};

/// Both matrices, and the number of wrong elements in the second one.
struct Matrices {
    kit::DeviceBuffer<float> in, out;
    kit::DeviceBuffer<unsigned int> wrong{1};

    explicit Matrices(std::size_t most) : in(most), out(most) {
        number<<<kBlocks, 256>>>(reinterpret_cast<unsigned int*>(in.data()), most);
        CUDA_CHECK_LAUNCH();
        out.clear();
    }

    bool right(int rows, int columns) {
        wrong.clear();
        count_wrong<<<kBlocks, 256>>>(reinterpret_cast<const unsigned int*>(out.data()), rows, columns,
                                      wrong.data());
        CUDA_CHECK_LAUNCH();
        const bool none = wrong.to_vector()[0] == 0;
        out.clear();
        return none;
    }
};

int side_of(long long n) {
    return static_cast<int>(std::sqrt(static_cast<double>(n)));
}

void square(Demo& demo, Matrices& matrices) {
    const int side = side_of(demo.n());
    Work work;
    work.n = demo.n();
    work.bytes = 2.0 * sizeof(float) * side * side;
    work.repetitions = 21;
    std::vector<Version> versions;
    for (const Named& one : all) {
        if (one.only_fours && side % 4 != 0) continue;
        versions.push_back(
            {one.id, one.name, one.change,
             [&, side](long long) { one.function(matrices.in.data(), side, side, matrices.out.data()); },
             [&, side](long long) { return matrices.right(side, side); }});
    }
    demo.ladder("square", std::to_string(side) + " x " + std::to_string(side) + " floats, transposed", work,
                versions);
}

void longest(Demo& demo) {
    if (!demo.part("longest")) return;
    demo.table("longest", "shared memory that a block may have, in bytes", {"device", 28},
               {{"without_asking"}, {"asked_for"}, {"multiprocessor"}, {"longest_row"}});
    const auto row = [&](const std::string& id) {
        cudaDeviceProp device;
        CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
        demo.row(id, device.name,
                 {device.sharedMemPerBlock, device.sharedMemPerBlockOptin, device.sharedMemPerMultiprocessor,
                  shared_memory::longest_row()});
    };
#ifdef KIT_CPU
    for (const char* device : {"h200", "a100", "t4"}) {
        kit::cpu::set_device(device);
        row(device);
    }
    kit::cpu::set_device(nullptr);
#else
    row("here");
#endif
}

#ifndef KIT_CPU
double time_ms(const std::function<void()>& run) {
    kit::TimeOptions options;
    options.repetitions = 15;
    return kit::time(run, 0, options).median_ms;
}

void expect(bool right, const std::string& what) {
    if (right) return;
    std::fprintf(stderr, "%s: the output is wrong\n", what.c_str());
    std::exit(EXIT_FAILURE);
}

struct Shape {
    int rows, columns;
};
const Shape shapes[] = {{16384, 16384}, {16383, 16385}, {16380, 16388}, {10007, 26833},
                        {4096, 65536},  {4100, 65532},  {65537, 4093}};

std::string name_of(Shape shape) {
    return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

void other_shapes(Demo& demo, Matrices& matrices) {
    if (!demo.part("shapes")) return;
    demo.table("shapes", "other shapes: against a device copy of as many bytes", {"shape and version", 32},
               {{"copy_gb_per_s"}, {"gb_per_s"}, {"of_copy", 3}});
    for (const Shape shape : shapes) {
        const double bytes = 8.0 * shape.rows * shape.columns;
        const double copy =
            bytes / time_ms([&] {
                CUDA_CHECK(cudaMemcpyAsync(matrices.out.data(), matrices.in.data(),
                                           static_cast<std::size_t>(bytes / 2), cudaMemcpyDeviceToDevice));
            }) /
            1e6;
        for (const Named& one : all) {
            if (one.only_fours && (shape.rows % 4 != 0 || shape.columns % 4 != 0)) continue;
            const double rate =
                bytes / time_ms([&] {
                    one.function(matrices.in.data(), shape.rows, shape.columns, matrices.out.data());
                }) /
                1e6;
            expect(matrices.right(shape.rows, shape.columns), name_of(shape) + ", " + one.name);
            demo.row(std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + "_" + one.id,
                     name_of(shape) + "  " + one.id + " " + one.name, {copy, rate, rate / copy});
        }
    }
}

void order_of_blocks(Demo& demo, Matrices& matrices) {
    if (!demo.part("order")) return;
    demo.table("order", "v3, by the direction in which the blocks go", {"shape and direction", 32},
               {{"gb_per_s"}});
    for (const Shape shape : {shapes[0], shapes[1]}) {
        for (const bool down : {true, false}) {
            const Function function = down ? shared_memory::transpose_padded : shared_memory_demo::across;
            const double ms = time_ms(
                [&] { function(matrices.in.data(), shape.rows, shape.columns, matrices.out.data()); });
            expect(matrices.right(shape.rows, shape.columns), name_of(shape) + ", order");
            demo.row(std::to_string(shape.rows) + (down ? "_down" : "_across"),
                     name_of(shape) + (down ? "  down" : "  across"),
                     {8.0 * shape.rows * shape.columns / ms / 1e6});
        }
    }
}
#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"04_shared_memory",
               "what a bank conflict costs, and a matrix transposed by every version",
               1 << 28,
               1 << 16,
               1 << 30,
               {},
               {"banks", "square", "shapes", "order", "longest"}},
              argc, argv);
    banks(demo);
#ifdef KIT_CPU
    Matrices matrices(static_cast<std::size_t>(demo.n()));
    square(demo, matrices);
#else
    Matrices matrices(std::max<std::size_t>(static_cast<std::size_t>(demo.n()), 270u << 20));
    square(demo, matrices);
    other_shapes(demo, matrices);
    order_of_blocks(demo, matrices);
#endif
    longest(demo);
    return demo.finish();
}
