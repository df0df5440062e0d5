// Demo of 19_roofline: kernels under the two roofs of this device. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.19_roofline
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/19_roofline/demo.cu
//            solutions/19_roofline/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/19_roofline [--help]
//
//   counts    operations and bytes of the six kernels of `intensity`, by formula
//   fuse      v2 two kernels, v3 one                     sum   v4
//   halves    v5 floats, v6 halves
//   roofline  all of these, with intensity and speed     streams   a kernel at the memory roof, divided among streams
//
// On the CPU executor it prints no times, because they would say nothing about a GPU, and therefore no roofs.

#include <algorithm>
#include <string>
#include <vector>

#include "19_roofline/19_roofline.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "roofs.hpp"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using roofline::Kernel;

struct Named {
    Kernel kernel;
    const char *id, *name;
    bool vectors;
};

constexpr Named six[] = {{Kernel::copy, "copy", "copy", true},
                         {Kernel::add_scale, "add_scale", "add and scale", true},
                         {Kernel::stencil, "stencil", "stencil of 5 points", false},
                         {Kernel::matvec, "matvec", "matrix times vector", false},
                         {Kernel::matmul, "matmul", "matrix product", false},
                         {Kernel::matmul_tiled, "matmul_tiled", "matrix product, tiles", false}};

/// The largest power of two whose square is at most n.
std::size_t side_of(std::size_t n) {
    std::size_t side = 1;
    while (side * side * 4 <= n) side *= 2;
    return side;
}

/// Returns `n` for one of the six kernels: elements, or the side of a matrix. The product gets a smaller side, because its time
/// grows with the cube of the side.
std::size_t size_of(const Named& named, std::size_t n) {
    if (named.vectors) return n;
    const bool product = named.kernel == Kernel::matmul || named.kernel == Kernel::matmul_tiled;
    return product ? std::min(side_of(n), std::size_t{4096}) : side_of(n);
}

void counts(Demo& demo, std::size_t n) {
    if (!demo.part("counts")) return;
    demo.table("counts", "operations for each byte, by formula", {"kernel", 22},
               {{"n"}, {"flops_per_asked_byte", 3}, {"flops_per_compulsory_byte", 3}});
    for (const Named& named : six) {
        const std::size_t size = size_of(named, n);
        const double flops = roofline::flops(named.kernel, size);
        demo.row(named.id, named.name,
                 {static_cast<double>(size), flops / roofline::asked_bytes(named.kernel, size),
                  flops / roofline::compulsory_bytes(named.kernel, size)});
    }
}

bool all_are(const std::vector<float>& values, float want) {
    return std::all_of(values.begin(), values.end(), [want](float value) { return value == want; });
}

/// Arrays of ones and twos, and arrays for results.
struct Arrays {
    explicit Arrays(std::size_t n)
        : size(n), x(std::vector<float>(n, 1.0f)), y(std::vector<float>(n, 2.0f)), t(n), z(n), sum(1) {
        t.clear();
        z.clear();
        sum.clear();
    }

    std::size_t size;
    kit::DeviceBuffer<float> x, y, t, z, sum;
};

/// Measures v2 to v4. Each t is 3 * 1 + 2, so its square is 25.
void fuse(Demo& demo, Arrays& all) {
    if (!demo.part("fuse") && !demo.part("sum")) return;
    const auto n = static_cast<double>(all.size);
    const auto right = [&](long long) {
        const bool yes = all_are(all.z.to_vector(), 25.0f);
        all.z.clear();
        return yes;
    };
    Work work;
    work.n = static_cast<long long>(all.size);
    work.bytes = 12 * n;
    if (demo.part("fuse"))
        demo.ladder(
            "fuse", "the squares of 3 x + y, " + std::to_string(all.size) + " floats", work,
            {{"v2", "two kernels", "An array between them goes through memory, out and in.",
              [&](long long) {
                  roofline::squares_in_two(all.x.data(), all.y.data(), all.size, 3, all.t.data(),
                                           all.z.data());
              },
              right},
             {"v3", "one kernel", "What was between them stays in a register.",
              [&](long long) { roofline::squares(all.x.data(), all.y.data(), all.size, 3, all.z.data()); },
              right}});
    work.bytes = 8 * n;
    if (demo.part("sum"))
        demo.ladder("sum", "the sum of these squares", work,
                    {{"v4", "sum in one kernel", "The squares stay in registers, too.",
                      [&](long long) {
                          roofline::sum_of_squares(all.x.data(), all.y.data(), all.size, 3, all.sum.data());
                      },
                      [&](long long) {
                          const double off = all.sum.to_vector()[0] / (25 * n) - 1;
                          return off < 1e-3 && off > -1e-3;
                      }}});
}

/// Measures v5 and v6. Each result is 3 * 1 + 2.
void halves(Demo& demo, Arrays& all) {
    if (!demo.part("halves")) return;
    const std::vector<__half> one(all.size, __float2half(1.0f)), two(all.size, __float2half(2.0f));
    kit::DeviceBuffer<__half> x(one), y(two), z(all.size);
    z.clear();
    const auto n = static_cast<double>(all.size);
    Work work;
    work.n = static_cast<long long>(all.size);
    work.bytes = 12 * n;
    Version floats = {
        "v5", "floats", "12 bytes per element.",
        [&](long long) { roofline::add_scale_floats(all.x.data(), all.y.data(), all.size, 3, all.z.data()); },
        [&](long long) { return all_are(all.z.to_vector(), 5.0f); }};
    Version halves = {
        "v6", "halves", "6 bytes per element, two elements per load.",
        [&](long long) { roofline::add_scale_halves(x.data(), y.data(), all.size, 3, z.data()); },
        [&](long long) {
            const std::vector<__half> got = z.to_vector();
            return std::all_of(got.begin(), got.end(),
                               [](__half value) { return __half2float(value) == 5.0f; });
        }};
    halves.bytes = 6 * n;
    demo.ladder("halves", "3 x + y, " + std::to_string(all.size) + " numbers", work, {floats, halves});
}

#ifndef KIT_CPU

/// Rows of the table that the chart is drawn from.
class Points {
  public:
    explicit Points(Demo& demo)
        : demo_(demo),
          device_{{kit::roofs().copy_gb_per_s, 1000 * kit::roofs().fp32_tflop_per_s},
                  kit::roofs().shared_gb_per_s,
                  1} {
        demo.table("roofline", "under the roofs; bytes are compulsory ones", {"kernel", 24},
                   {{"intensity", 3}, {"us", 1}, {"gb_per_s"}, {"gflop_per_s"}, {"of_roof", 2}});
    }

    template <class Launch>
    void row(const std::string& id, const std::string& name, double flops, double bytes, Launch launch) {
        const double seconds = kit::time(launch).median_ms * 1e-3;
        CUDA_CHECK_LAUNCH();
        const roofline::Sample sample = {flops, bytes, 0, bytes, seconds};
        demo_.row(id, name,
                  {flops / bytes, seconds * 1e6, bytes / seconds * 1e-9, flops / seconds * 1e-9,
                   1 / roofline::headroom(device_, sample)});
    }

  private:
    Demo& demo_;
    roofline::Device device_;
};

void under_the_roofs(Demo& demo, Arrays& all) {
    if (!demo.part("roofline")) return;
    Points points(demo);
    for (const Named& named : six) {
        const std::size_t size = size_of(named, all.size);
        points.row(named.id, named.name, roofline::flops(named.kernel, size),
                   roofline::compulsory_bytes(named.kernel, size),
                   [&] { roofline::run(named.kernel, all.x.data(), all.y.data(), size, all.z.data()); });
    }
    const auto n = static_cast<double>(all.size);
    points.row("v2", "v2 two kernels", 3 * n, 20 * n, [&] {
        roofline::squares_in_two(all.x.data(), all.y.data(), all.size, 3, all.t.data(), all.z.data());
    });
    points.row("v3", "v3 fused", 3 * n, 12 * n,
               [&] { roofline::squares(all.x.data(), all.y.data(), all.size, 3, all.z.data()); });
    points.row("v4", "v4 fused with the sum", 4 * n, 8 * n,
               [&] { roofline::sum_of_squares(all.x.data(), all.y.data(), all.size, 3, all.sum.data()); });
    kit::DeviceBuffer<__half> x(all.size), y(all.size), z(all.size);
    x.clear();
    y.clear();
    points.row("v6", "v6 halves", 2 * n, 6 * n,
               [&] { roofline::add_scale_halves(x.data(), y.data(), all.size, 3, z.data()); });
}

__global__ void add_scale(const float* in, const float* b, std::size_t n, float a, float* out) {
    const std::size_t i = std::size_t{blockIdx.x} * roofline::kBlock + threadIdx.x;
    if (i < n) out[i] = a * in[i] + b[i];
}

/// Runs the same work in several streams at the same time, after earlier and before later work of the default stream.
void streams(Demo& demo, Arrays& all) {
    if (!demo.part("streams")) return;
    demo.table("streams", "add and scale, cut into streams that run side by side", {"streams", 10},
               {{"us", 1}, {"gb_per_s"}, {"flops_per_byte", 3}});
    const auto n = static_cast<double>(all.size);
    for (const std::size_t count : {1, 2, 4, 8}) {
        std::vector<cudaStream_t> streams(count);
        for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
        const std::size_t part = all.size / count;
        const auto blocks = static_cast<unsigned int>(kit::ceil_div(part, std::size_t{roofline::kBlock}));
        const auto t = kit::time(
            [&] {
                for (std::size_t s = 0; s < count; ++s)
                    add_scale<<<blocks, roofline::kBlock, 0, streams[s]>>>(
                        all.x.data() + s * part, all.y.data() + s * part, part, 3, all.z.data() + s * part);
            },
            12 * n);
        CUDA_CHECK_LAUNCH();
        for (const cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
        demo.row("s" + std::to_string(count), std::to_string(count),
                 {t.median_ms * 1000, t.gb_per_s, 2.0 / 12});
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"19_roofline",
               "kernels under the two roofs",
               1 << 28,
               1 << 12,
               1 << 28,
               {},
               {"counts", "fuse", "sum", "halves",
#ifndef KIT_CPU
                "roofline", "streams"
#endif
               }},
              argc, argv);
    const auto n = static_cast<std::size_t>(demo.n());
    counts(demo, n);
    Arrays all(n);
    fuse(demo, all);
    halves(demo, all);
#ifndef KIT_CPU
    under_the_roofs(demo, all);
    streams(demo, all);
#endif
    return demo.finish();
}
