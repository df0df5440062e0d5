// Demo of 20_matrix_product: the product by every version. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.20_matrix_product
//        or: nvcc -std=c++17 -O3 -arch=sm_90a -Icommon -Itests lectures/20_matrix_product/demo.cu
//            solutions/20_matrix_product/*.cu common/roofs.cu common/demo/*.cu -lcublas -o demo
// Run:   build/course/demo/20_matrix_product [--help]
//
//   ladder   v0 lanes down a column, v1 lanes along a row, v2 tiles, v3 8 x 8 elements per thread, v4 16-byte loads,
//            tuned: deeper stages, whole tiles without checks
//   tensor   tensor_tile in half, bfloat16 and tf32, tensor_pipeline, and the kernel of hopper.cuh without and with a fence
//   sizes    floats, tf32 and bfloat16, each next to the library: square from 512 to 16384, tall, wide and ragged
//   waves    one more row of tiles than the device can run at the same time
//   split_k  a small C and a large k: one block per tile, or several
//   batched  many small products: one launch for each, or one for all
//
// On the CPU executor only the ladder runs, and counts instead of measuring times.

#include <string>
#include <vector>

#include "20_matrix_product/20_matrix_product.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "matrices.cuh"
#include "tuned.cuh"
#ifndef KIT_CPU
#include "hopper.cuh"
#endif

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using Floats = Matrices<float, float>;

using Product = void(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

struct Named {
    const char *id, *name, *change;
    Product* product;
};

constexpr Named all_versions[] = {
    {"v0", "lanes down a column", "One thread per element; a warp computes 32 rows.",
     matrix_product::lanes_down_a_column},
    {"v1", "lanes along a row", "A warp computes 32 neighbours in a row.", matrix_product::naive},
    {"v2", "tiles of 32 x 32", "The block loads each element once, into shared memory.",
     matrix_product::tiled},
    {"v3", "8 x 8 per thread", "A value that comes from shared memory is used 8 times.",
     matrix_product::register_tile},
    {"v4", "16-byte loads", "Four values per load; copies run during the products.",
     matrix_product::vectorized},
    {"tuned", "deeper stages", "32 elements of k per stage; operands are loaded one step ahead.",
     tuned_large}};

void ladder(Demo& demo) {
    if (!demo.part("ladder")) return;
    const int n = static_cast<int>(demo.n());
    Floats all({n, n, n});
    Work work;
    work.n = n;
    work.bytes = all.bytes();
    work.flops = all.flops();
    std::vector<Version> versions;
    for (const Named& named : all_versions)
        versions.push_back({named.id, named.name, named.change,
                            [&all, &named](long long) { all.multiply(named.product); },
                            [&all](long long) { return all.is_right(); }});
    Blas blas;
    if (kHasBlas) {
        versions.push_back({"cublas", "cuBLAS, no tf32", "", [&](long long) { blas.multiply(all); },
                            [&all](long long) { return all.is_right(); }});
        versions.back().library = true;
    }
    const std::string side = std::to_string(n);
    demo.ladder("ladder", "the product of two matrices of " + side + " x " + side + " floats", work,
                versions);
}

#ifndef KIT_CPU

/// Measures products, and returns TFLOP/s.
class Meter {
  public:
    explicit Meter(Demo& demo) : demo_(demo) {}

    /// Returns the median time in microseconds, and reports a wrong result.
    template <class All, class Run>
    double us(All& all, const Run& run) {
        kit::TimeOptions options;
        options.repetitions = demo_.repetitions(all.flops() > 1e12 ? 5 : 11);
        const double us = 1000 * kit::time(run, 0, options).median_ms;
        CUDA_CHECK_LAUNCH();
        if (!all.is_right())
            demo_.say("wrong result for %d x %d x %d", all.sizes.m, all.sizes.n, all.sizes.k);
        return us;
    }
    template <class All, class Run>
    double rate(All& all, const Run& run) {
        return all.flops() / us(all, run) * 1e-6;
    }
    /// Returns the rate of the library; 0 without one.
    template <class All>
    double library(All& all, bool tf32 = false) {
        return kHasBlas ? rate(all, [&] { blas.multiply(all, tf32); }) : 0;
    }

    Blas blas;

  private:
    Demo& demo_;
};

double share(double own, double library) {
    return library > 0 ? own / library : 0;
}

using Bfloats = Matrices<__nv_bfloat16, float>;
using BfloatsOnly = Matrices<__nv_bfloat16, __nv_bfloat16>;

template <bool fence>
void run_hopper(BfloatsOnly& all) {
    hopper::launch<fence>(all.a.data(), all.b.data(), all.c.data(), {all.sizes.m, all.sizes.n, all.sizes.k});
}

/// Products on tensor cores, each next to the library with the same types.
void tensor(Demo& demo) {
    if (!demo.part("tensor")) return;
    const int n = static_cast<int>(demo.n());
    const Sizes square = {n, n, n};
    Meter meter(demo);
    demo.table("tensor", "on tensor cores, for square matrices", {"version", 34},
               {{"n"}, {"us", 1}, {"tflop_per_s", 1}, {"library", 1}, {"of_library", 3}});
    const auto row = [&](const char* id, const char* name, auto& all, const auto& run, double library) {
        const double us = meter.us(all, run), rate = all.flops() / us * 1e-6;
        demo.row(id, name, {n, us, rate, library, share(rate, library)});
    };
    {
        Matrices<__half, float> all(square);
        row(
            "half", "tensor_tile, half", all, [&] { all.multiply(matrix_product::tensor_half); },
            meter.library(all));
    }
    {
        Floats all(square, kTruncatedToTf32);
        row(
            "tf32", "tensor_tile, tf32", all, [&] { all.multiply(matrix_product::tensor_tf32); },
            meter.library(all, true));
    }
    {
        Bfloats all(square);
        const double library = meter.library(all);
        row(
            "bfloat16", "tensor_tile, bfloat16", all, [&] { all.multiply(matrix_product::tensor_bfloat16); },
            library);
        row(
            "pipeline", "tensor_pipeline, bfloat16", all,
            [&] { all.multiply(matrix_product::tensor_pipeline); }, library);
    }
    if (!hopper::available()) return;
    BfloatsOnly all(square);
    const double library = meter.library(all);
    row(
        "hopper", "hopper.cuh, bfloat16", all, [&] { run_hopper<false>(all); }, library);
    row(
        "hopper_fence", "hopper.cuh, a fence per stage", all, [&] { run_hopper<true>(all); }, library);
}

/// TFLOP/s for several sizes. A column of a missing library or kernel is 0.
void sizes(Demo& demo) {
    if (!demo.part("sizes")) return;
    Meter meter(demo);
    demo.table("sizes", "TFLOP/s for m x n x k, ours and the library", {"m x n x k", 22},
               {{"v4", 1},
                {"tuned", 1},
                {"float_library", 1},
                {"tf32", 1},
                {"tf32_library", 1},
                {"pipeline", 1},
                {"hopper", 1},
                {"bf16_library", 1}});
    const Sizes all_sizes[] = {{512, 512, 512},    {1024, 1024, 1024}, {2048, 2048, 2048},
                               {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 16384, 16384},
                               {65536, 256, 1024}, {256, 65536, 1024}, {4000, 4104, 4008},
                               {1000, 1048, 1032}};
    for (const Sizes& sizes : all_sizes) {
        double v4, best, floats, tf32, tf32_library, pipeline, wgmma = 0, bf16;
        {
            Floats all(sizes);
            v4 = meter.rate(all, [&] { all.multiply(matrix_product::vectorized); });
            best = meter.rate(all, [&] { all.multiply(tuned_large); });
            floats = meter.library(all);
        }
        {
            Floats all(sizes, kTruncatedToTf32);
            tf32 = meter.rate(all, [&] { all.multiply(matrix_product::tensor_tf32); });
            tf32_library = meter.library(all, true);
        }
        {
            Bfloats all(sizes);
            pipeline = meter.rate(all, [&] { all.multiply(matrix_product::tensor_pipeline); });
        }
        BfloatsOnly all(sizes);
        bf16 = meter.library(all);
        if (hopper::available()) wgmma = meter.rate(all, [&] { run_hopper<false>(all); });
        const std::string m = std::to_string(sizes.m), n = std::to_string(sizes.n),
                          k = std::to_string(sizes.k);
        demo.row("s" + m + "_" + n + "_" + k, m + " x " + n + " x " + k,
                 {v4, best, floats, tf32, tf32_library, pipeline, wgmma, bf16});
    }
}

/// Grids of one wave, and of one wave and a few blocks more.
void waves(Demo& demo) {
    if (!demo.part("waves")) return;
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    Meter meter(demo);
    demo.table("waves", "v4: the last wave", {"n", 8},
               {{"tiles"}, {"waves", 2}, {"us", 1}, {"tflop_per_s", 1}});
    for (const int n : {1920, 2048, 2176, 2304, 2816, 2944, 4096, 4224}) {
        Floats all({n, n, n});
        const double us = meter.us(all, [&] { all.multiply(matrix_product::vectorized); });
        const int side = kit::ceil_div(n, matrix_product::kBlockTile), tiles = side * side;
        demo.row("n" + std::to_string(n), std::to_string(n),
                 {tiles, tiles / (2.0 * multiprocessors), us, all.flops() / us * 1e-6});
    }
}

void splits(Demo& demo) {
    if (!demo.part("split_k")) return;
    Meter meter(demo);
    demo.table("split_k", "512 x 512 x 32768: blocks for each tile of C", {"blocks per tile", 16},
               {{"us", 1}, {"tflop_per_s", 1}});
    Floats all({512, 512, 32768});
    kit::DeviceBuffer<float> scratch(16 * all.c.size());
    const auto row = [&](const std::string& id, const std::string& name, const auto& run) {
        const double us = meter.us(all, run);
        demo.row(id, name, {us, all.flops() / us * 1e-6});
    };
    row("p1", "1", [&] { all.multiply(tuned_large); });
    for (const int parts : {2, 4, 8, 16})
        row("p" + std::to_string(parts), std::to_string(parts), [&] {
            split_k(all.sizes, all.a.data(), all.lda, all.b.data(), all.ldb, all.c.data(), parts,
                    scratch.data());
        });
    if (kHasBlas) row("cublas", "cuBLAS", [&] { meter.blas.multiply(all); });
}

void batches(Demo& demo) {
    if (!demo.part("batched")) return;
    constexpr int side = 64, count = 1000;
    constexpr Sizes one = {side, side, side};
    Meter meter(demo);
    demo.table("batched", "1000 products of 64 x 64 x 64", {"launches", 22}, {{"us", 1}, {"tflop_per_s", 2}});
    Floats all({side, side * count, side});  // B and C of all products; a product has 64 columns of them
    const auto row = [&](const char* id, const char* name, const auto& run) {
        const double us = meter.us(all, run);
        demo.row(id, name, {us, all.flops() / us * 1e-6});
    };
    row("each", "one for each product", [&] {
        for (int i = 0; i < count; ++i)
            tuned<SmallTile>(one, all.a.data(), all.lda, all.b.data() + i * side, all.ldb,
                             all.c.data() + i * side, all.ldb);
    });
    row("one", "one for all products", [&] {
        tuned<SmallTile>(one, all.a.data(), all.lda, all.b.data(), all.ldb, all.c.data(), all.ldb,
                         {count, 0, side, side});
    });
    if (kHasBlas) row("cublas", "cuBLAS, batched", [&] { meter.blas.batch(all, one, count, 0, side, side); });
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"20_matrix_product",
               "C = A B, by every version",
               4096,
               128,
               16384,
               {},
               {"ladder",
#ifndef KIT_CPU
                "tensor", "sizes", "waves", "split_k", "batched"
#endif
               }},
              argc, argv);
    ladder(demo);
#ifndef KIT_CPU
    tensor(demo);
    sizes(demo);
    waves(demo);
    splits(demo);
    batches(demo);
#endif
    return demo.finish();
}
