// Demo of 20_matrix_product: the product by every version. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.20_matrix_product
//        or: nvcc -std=c++17 -O3 -arch=native -Icommon -Itests lectures/20_matrix_product/demo.cu
//            solutions/20_matrix_product/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/20_matrix_product [--help]
//
//   ladder  v0 lanes down a column, v1 lanes along a row, v2 tiles, v3 8 x 8 elements per thread, v4 16-byte loads and two stages
//
// On the CPU executor it counts instead of measuring times.

#include <vector>

#include "20_matrix_product/20_matrix_product.hpp"
#include "demo.hpp"
#include "kit.cuh"

namespace {

using kit::demo::Demo;
using kit::demo::Version;
using kit::demo::Work;
using matrix_product::Sizes;

using Product = void(Sizes sizes, const float* a, int lda, const float* b, int ldb, float* c, int ldc);

/// Square matrices of n x n small integers, whose product is exact, and room for the result.
struct Matrices {
    explicit Matrices(int n) : n(n), a(values(n, 7)), b(values(n, 5)), c(a.size()) { c.clear(); }

    static std::vector<float> values(int n, int period) {
        std::vector<float> all(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<float>(static_cast<int>(i % 1009 % static_cast<std::size_t>(period)) - 2);
        return all;
    }

    void multiply(Product* product) { product({n, n, n}, a.data(), n, b.data(), n, c.data(), n); }

    /// Returns whether some elements of C are right, which the host computes again, and clears C.
    bool is_right() {
        const std::vector<float> as = a.to_vector(), bs = b.to_vector(), cs = c.to_vector();
        const auto side = static_cast<std::size_t>(n);
        bool right = true;
        for (std::size_t s = 0; s < 64; ++s) {
            const std::size_t row = s * 7919 % side, column = s * 104729 % side;
            double sum = 0;
            for (std::size_t i = 0; i < side; ++i) sum += double(as[row * side + i]) * bs[i * side + column];
            right = right && cs[row * side + column] == static_cast<float>(sum);
        }
        c.clear();
        return right;
    }

    int n;
    kit::DeviceBuffer<float> a, b, c;
};

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"20_matrix_product",
               "C = A B for n x n matrices, by every version",
               4096,
               128,
               16384,
               {},
               {"ladder"}},
              argc, argv);
    Matrices all(static_cast<int>(demo.n()));
    const double n = static_cast<double>(demo.n());
    Work work;
    work.n = demo.n();
    work.bytes = 12 * n * n;
    work.flops = 2 * n * n * n;
    const auto version = [&all](const char* id, const char* name, const char* change, Product* product) {
        return Version{id, name, change, [&all, product](long long) { all.multiply(product); },
                       [&all](long long) { return all.is_right(); }};
    };
    demo.ladder(
        "ladder", "the product of matrices of this side", work,
        {version("v0", "lanes down a column", "One thread per element; a warp computes 32 rows.",
                 matrix_product::lanes_down_a_column),
         version("v1", "lanes along a row", "A warp computes 32 neighbours in a row.", matrix_product::naive),
         version("v2", "tiles of 32 x 32", "The block loads each element once, into shared memory.",
                 matrix_product::tiled),
         version("v3", "8 x 8 per thread", "A value that comes from shared memory is used 8 times.",
                 matrix_product::register_tile),
         version("v4", "16-byte loads", "Four values per load; copies run during the products.",
                 matrix_product::vectorized)});
    return demo.finish();
}
