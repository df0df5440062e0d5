// Demo of 05_convolution: every version of the topic, side by side, for masks of 5, 9, 15 and 31. Runs the solutions
// themselves.
//
// Build: cmake --build --preset demo -t demo.05_convolution
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/05_convolution/demo.cu
//            solutions/05_convolution/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/05_convolution [--help]
//
//   one dimension (d1)      v1 basic       v2 constant   v3 tiled   v4 fast
//   two dimensions (d2)     v5 constant    v6 tiled      v7 fast
//   a separable mask (sep)  v7 as a whole  v8 two launches          v9 one launch
//   only here (lean*.cuh)   v10 is v7, v11 is v9, with fewer instructions that are not multiply-adds
//
// The image in two dimensions has as many elements as the row in one dimension, or is the next smaller square. On a GPU it
// prints times, and compares them with the time of a copy or of the multiply-adds, whichever is longer, as measured here.
// The reference is a device copy in one dimension, and NPP's filters in two, or a copy without NPP. On the CPU executor it
// prints counts.

#include <algorithm>
#include <cmath>

#include "05_convolution/05_convolution.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "lean.cuh"
#include "lean_factors.cuh"
#ifndef KIT_CPU
#include "measure.cuh"
#include "npp.cuh"
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;

#ifdef KIT_CPU
const std::vector<int> widths = {5, 9, 15};
constexpr double multiply_adds_per_check = 1 << 18;
#else
const std::vector<int> widths = {5, 9, 15, 31};
constexpr double multiply_adds_per_check = 1u << 31;
#endif

/// Values between -1 and 1 that look random and are the same everywhere.
__host__ __device__ float value_at(unsigned int i) {
    i = (i ^ (i >> 16)) * 0x7feb352du;
    i = (i ^ (i >> 15)) * 0x846ca68bu;
    return static_cast<float>((i ^ (i >> 16)) >> 8) * 0x1p-23f - 1.0f;
}

__global__ void fill(float* values, int n) {
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) values[i] = value_at(i);
}

/// An image and a mask that is a product. One dimension is an image of one row, under a mask of one row.
struct Shape {
    int rows, columns, mask_rows, width;
};

/// Compares every `every`-th output with the definition, added up in double. Counts outputs that are wrong or NaN.
__global__ void count_wrong(const float* out, Shape shape, const float* down, const float* across,
                            long long every, double allowed, unsigned int* wrong) {
    const long long n = static_cast<long long>(shape.rows) * shape.columns;
    const long long threads = gridDim.x * blockDim.x;
    for (long long i = (blockIdx.x * blockDim.x + threadIdx.x) * every; i < n; i += threads * every) {
        const int y = static_cast<int>(i / shape.columns), x = static_cast<int>(i % shape.columns);
        double want = 0;
        for (int p = 0; p < shape.mask_rows; ++p) {
            const int row = y + p - shape.mask_rows / 2;
            if (row < 0 || row >= shape.rows) continue;
            double sum = 0;
            for (int q = 0; q < shape.width; ++q) {
                const int column = x + q - shape.width / 2;
                if (column < 0 || column >= shape.columns) continue;
                sum += across[q] * static_cast<double>(value_at(row * shape.columns + column));
            }
            want += down[p] * sum;
        }
        if (!(fabs(out[i] - want) <= allowed)) atomicAdd(wrong, 1u);
    }
}

double sum_of_magnitudes(const std::vector<float>& values) {
    double sum = 0;
    for (float value : values) sum += std::fabs(value);
    return sum;
}

struct Memory {
    kit::DeviceBuffer<float> in, out, scratch, down_on_device, across_on_device;
    kit::DeviceBuffer<unsigned int> wrong;
    std::vector<float> down, across, mask;  ///< the factors of a mask, and the whole mask, row by row
    int width = 0;

    Memory(long long largest, long long largest_separable)
        : in(largest), out(largest), scratch(largest_separable), wrong(1) {
        fill<<<1024, 256>>>(in.data(), static_cast<int>(largest));
        CUDA_CHECK_LAUNCH();
        poison(largest);
    }

    /// The mask of the next ladder.
    void use(int new_width) {
        width = new_width;
        down.clear(), across.clear(), mask.clear();
        for (int k = 0; k < width; ++k) {
            down.push_back(value_at(1000 + k));
            across.push_back(value_at(2000 + k));
        }
        for (float d : down) {
            for (float a : across) mask.push_back(d * a);
        }
        down_on_device = kit::DeviceBuffer<float>(down);
        across_on_device = kit::DeviceBuffer<float>(across);
    }

    /// Fills the output with NaN, so that an output that no thread writes is detected.
    void poison(long long n) { CUDA_CHECK(cudaMemset(out.data(), 0xff, n * sizeof(float))); }

    bool right(const Shape& shape, const std::vector<float>& down_weights,
               const std::vector<float>& across_weights) {
        const kit::DeviceBuffer<float> d(down_weights), a(across_weights);
        const double n = double(shape.rows) * shape.columns;
        const double work = n * shape.mask_rows * shape.width;
        // Odd, so that all columns are checked.
        const long long every = static_cast<long long>(work / multiply_adds_per_check) | 1;
        const double allowed = 1e-5 * sum_of_magnitudes(down_weights) * sum_of_magnitudes(across_weights);
        const int blocks = static_cast<int>(std::min(n / static_cast<double>(every) / 256 + 1, 4096.0));
        wrong.clear();
        count_wrong<<<blocks, 256>>>(out.data(), shape, d.data(), a.data(), every, allowed, wrong.data());
        CUDA_CHECK_LAUNCH();
        const bool all = wrong.to_vector()[0] == 0;
        poison(static_cast<long long>(n));
        return all;
    }
    bool right_row(long long n) { return right({1, static_cast<int>(n), 1, width}, {1.0f}, across); }
    bool right_image(int side) { return right({side, side, width, width}, down, across); }
};

int side_of(long long n) {
    return static_cast<int>(std::sqrt(static_cast<double>(n)));
}

Work work_of(long long n, double multiply_adds_per_output) {
    Work work;
    work.n = n;
    work.bytes = 2.0 * sizeof(float) * static_cast<double>(n);
    work.flops = 2.0 * multiply_adds_per_output * static_cast<double>(n);
    return work;
}

std::vector<Version> one_dimension(Memory& m) {
    using namespace convolution;
    const auto right = [&m](long long n) { return m.right_row(n); };
    const auto run = [&m](cudaError_t (*convolve)(const float*, int, const float*, int, float*)) {
        return [&m, convolve](long long n) {
            CUDA_CHECK(convolve(m.in.data(), static_cast<int>(n), m.across.data(), m.width, m.out.data()));
        };
    };
    return {
        {"v1", "basic", "One thread per output; mask and input from global memory.",
         [&m](long long n) {
             conv1d_basic(m.in.data(), static_cast<int>(n), m.across_on_device.data(), m.width, m.out.data());
         },
         right},
        {"v2", "constant", "The mask in constant memory, copied there before each launch.",
         run(conv1d_constant), right},
        {"v3", "tiled", "A tile with its halo in shared memory; one barrier.", run(conv1d_tiled), right},
        {"v4", "fast", "Eight outputs per thread, the window in registers, the mask a kernel parameter.",
         run(conv1d_fast), right},
    };
}

std::vector<Version> two_dimensions(Memory& m) {
    using namespace convolution;
    const auto right = [&m](long long n) { return m.right_image(side_of(n)); };
    const auto run = [&m](cudaError_t (*convolve)(const float*, int, int, const float*, int, float*)) {
        return [&m, convolve](long long n) {
            const int side = side_of(n);
            CUDA_CHECK(convolve(m.in.data(), side, side, m.mask.data(), m.width, m.out.data()));
        };
    };
    return {
        {"v5", "constant, 2D", "One thread per output; the mask in constant memory, the input from global.",
         run(conv2d_constant), right},
        {"v6", "tiled, 2D", "A tile with halo rows, columns and corners in shared memory.", run(conv2d_tiled),
         right},
        {"v7", "fast, 2D", "Each value is read once; its products go to sums that wait in registers.",
         run(conv2d_fast), right},
    };
}

std::vector<Version> separable(Memory& m) {
    using namespace convolution;
    const auto right = [&m](long long n) { return m.right_image(side_of(n)); };
    Version whole = two_dimensions(m).back();
    whole.change = "For comparison: the mask as a whole, width * width multiply-adds per output.";
    return {whole,
            {"v8", "separable, two launches",
             "Rows, then columns: 2 * width; the rows' result goes through memory.",
             [&m](long long n) {
                 const int side = side_of(n);
                 CUDA_CHECK(conv2d_separable(m.in.data(), side, side, m.down.data(), m.across.data(), m.width,
                                             m.scratch.data(), m.out.data()));
             },
             right},
            {"v9", "separable, one launch", "A row's result goes to the columns' sums at once, in registers.",
             [&m](long long n) {
                 const int side = side_of(n);
                 CUDA_CHECK(conv2d_separable_fused(m.in.data(), side, side, m.down.data(), m.across.data(),
                                                   m.width, m.out.data()));
             },
             right}};
}

/// For the masks of 9 and 15, for which v7 is below the bound.
Version lean_version(Memory& m) {
    return {"v10", "lean, 2D",
            "Rows and windows arrive with fewer instructions, and as much on each multiprocessor.",
            [&m](long long n) {
                const int side = side_of(n);
                lean::conv2d(m.in.data(), side, side, m.mask.data(), m.width, m.out.data());
            },
            [&m](long long n) { return m.right_image(side_of(n)); }};
}

/// For the widest mask, for which v9 is below the bound.
Version lean_factors_version(Memory& m) {
    return {"v11", "lean, separable",
            "16 outputs of a row per thread, then 2 columns: fewer registers, more warps.",
            [&m](long long n) {
                const int side = side_of(n);
                lean::conv2d_separable(m.in.data(), side, side, m.down.data(), m.across.data(), m.width,
                                       m.out.data());
            },
            [&m](long long n) { return m.right_image(side_of(n)); }};
}

#ifndef KIT_CPU
/// The reference if no library has a function for this. A copy has no multiply-adds, but 0 would stand for those of the ladder.
Version copy_as_mark(Memory& m, bool image) {
    Version copy = {"copy", "device copy", "", [&m](long long n) {
                        CUDA_CHECK(cudaMemcpyAsync(m.out.data(), m.in.data(), n * sizeof(float),
                                                   cudaMemcpyDeviceToDevice));
                    }};
    copy.right = [&m, image](long long n) {
        const int side = side_of(n);
        const Shape row = {1, static_cast<int>(n), 1, 1}, rows = {side, side, 1, 1};
        return m.right(image ? rows : row, {1.0f}, {1.0f});
    };
    copy.library = true;
    copy.flops = 1;
    return copy;
}

/// NPP, if it is installed; otherwise a copy.
struct Mark {
    Npp npp;
    Version image, product;

    explicit Mark(Memory& m) : image(copy_as_mark(m, true)), product(image) {
        if (!npp.found()) return;
        const auto right = [this, &m](long long n) {
            return npp.take(m.out.data()) && m.right_image(side_of(n));
        };
        image = {"npp", "NPP nppiFilter",
                 "",    [this, &m](long long n) { npp.filter(m.in.data(), side_of(n), m.out.data()); },
                 right, true};
        product = {
            "npp", "NPP FilterRow, FilterColumn",
            "",    [this, &m](long long n) { npp.filter_separable(m.in.data(), side_of(n), m.out.data()); },
            right, true};
    }
    void use(const Memory& m) { npp.use(m.mask, m.down, m.across); }
};
#endif

std::string floats(long long n, int width) {
    return std::to_string(n) + " floats, a mask of " + std::to_string(width);
}

std::string image(int side, int width) {
    const std::string s = std::to_string(side), w = std::to_string(width);
    return "an image of " + s + " x " + s + ", a mask of " + w + " x " + w;
}

/// Removes the descriptions of the changes, except for the first width: they are printed once.
std::vector<Version> told(std::vector<Version> versions, int width) {
    if (width == widths.front()) return versions;
    for (Version& version : versions) version.change.clear();
    return versions;
}

std::vector<std::string> parts() {
    std::vector<std::string> all;
    for (const char* kind : {"d1_w", "d2_w", "sep_w"}) {
        for (int width : widths) all.push_back(kind + std::to_string(width));
    }
#ifndef KIT_CPU
    for (const char* table : {"rates", "limits", "sizes_1d", "sizes_2d", "constant_memory", "mask_copy"})
        all.push_back(table);
#endif
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"05_convolution",
               "n floats, and an image of n floats, with masks of several widths",
               1 << 28,
               1 << 16,
               1 << 30,
               {},
               parts()},
              argc, argv);
    const int side = side_of(demo.n());
    const long long n = demo.n(), pixels = static_cast<long long>(side) * side;
#ifdef KIT_CPU
    Memory memory(n, pixels);
#else
    const std::vector<long long> sizes = Demo::sizes(4 * sizeof(float));
    Memory memory(std::max(n, sizes.back()), pixels);
    Mark mark(memory);
#endif
    std::vector<Version> rows = one_dimension(memory), images = two_dimensions(memory),
                         products = separable(memory);
#ifndef KIT_CPU
    rows.push_back(copy_as_mark(memory, false)), images.push_back(mark.image);
    products.push_back(mark.product);
#endif

    const bool lean_rows = side % 4 == 0;
    for (const int width : widths) {
        memory.use(width);
        demo.ladder("d1_w" + std::to_string(width), floats(n, width), work_of(n, width), told(rows, width));
    }
#ifndef KIT_CPU
    show_limits(demo, static_cast<double>(pixels), widths);
#endif
    for (const int width : widths) {
        memory.use(width);
#ifndef KIT_CPU
        mark.use(memory);
#endif
        Work work = work_of(pixels, width * width);
        if (width > 9) work.repetitions = 9;  // these take long and vary little
        std::vector<Version> versions = told(images, width);
        if (lean_rows && (width == 9 || width == 15)) versions.push_back(lean_version(memory));
        demo.ladder("d2_w" + std::to_string(width), image(side, width), work, versions);
    }
    for (const int width : widths) {
        memory.use(width);
#ifndef KIT_CPU
        mark.use(memory);
#endif
        products.front().flops = work_of(pixels, width * width).flops;
        std::vector<Version> versions = told(products, width);
        if (lean_rows && width == widths.back()) versions.push_back(lean_factors_version(memory));
        demo.ladder("sep_w" + std::to_string(width), image(side, width) + " that is a product",
                    work_of(pixels, 2 * width), versions);
    }
#ifndef KIT_CPU
    constexpr int usual = 9;
    const auto work_for = [](double multiply_adds) {
        return [multiply_adds](long long size) {
            Work work = work_of(size, multiply_adds);
            if (size >= 1 << 28) work.repetitions = 9;
            return work;
        };
    };
    memory.use(usual);
    mark.use(memory);
    demo.sweep("sizes_1d", "n floats, a mask of 9", sizes, work_for(usual), rows);
    demo.sweep("sizes_2d", "an image of n floats, a mask of 9 x 9", sizes, work_for(usual * usual), images);
    show_constant_memory(demo);
#endif
    return demo.finish();
}
