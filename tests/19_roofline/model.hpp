// The reference of the test of `intensity`: the six kernels on the host, with numbers that count their own operations and arrays that
// count accesses. It contains no formula.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"

namespace roofline_test {

using roofline::Kernel;
using roofline::kTile;

struct Named {
    Kernel kernel;
    const char* name;
};

constexpr std::array<Named, 6> kernels = {{{Kernel::copy, "copy"},
                                           {Kernel::add_scale, "add_scale"},
                                           {Kernel::stencil, "stencil"},
                                           {Kernel::matvec, "matvec"},
                                           {Kernel::matmul, "matmul"},
                                           {Kernel::matmul_tiled, "matmul_tiled"}}};

struct Tally {
    double flops = 0, asked = 0, compulsory = 0;
};

/// A float without a value, which counts the operations that produced it.
struct Number {
    Tally* tally;
};

inline Number operator+(Number left, Number) {
    left.tally->flops += 1;
    return left;
}
inline Number operator*(Number left, Number) {
    left.tally->flops += 1;
    return left;
}

/// An array in global memory, which counts its accesses.
class Array {
  public:
    Array(Tally& tally, std::size_t size) : tally_(tally), touched_(size) {}

    Number load(std::size_t i) {
        touch(i);
        return {&tally_};
    }
    void store(std::size_t i, Number) { touch(i); }

  private:
    void touch(std::size_t i) {
        tally_.asked += sizeof(float);
        if (touched_.at(i)) return;
        touched_[i] = true;
        tally_.compulsory += sizeof(float);
    }

    Tally& tally_;
    std::vector<bool> touched_;
};

inline Tally tally_of(Kernel kernel, std::size_t n) {
    Tally tally;
    const Number factor = {&tally};
    const bool vectors = kernel == Kernel::copy || kernel == Kernel::add_scale;
    Array in(tally, vectors ? n : n * n), b(tally, n * n + n), out(tally, n * n + n);
    if (kernel == Kernel::copy)
        for (std::size_t i = 0; i < n; ++i) out.store(i, in.load(i));
    if (kernel == Kernel::add_scale)
        for (std::size_t i = 0; i < n; ++i) out.store(i, factor * in.load(i) + b.load(i));
    for (std::size_t i = 0; kernel == Kernel::stencil && i < n * n; ++i) {
        const std::size_t r = i / n, c = i % n;
        const Number left = in.load(r * n + (c + n - 1) % n), right = in.load(r * n + (c + 1) % n);
        const Number up = in.load((r + n - 1) % n * n + c), down = in.load((r + 1) % n * n + c);
        out.store(i, factor * (left + right + up + down) + factor * in.load(i));
    }
    for (std::size_t r = 0; kernel == Kernel::matvec && r < n; ++r) {
        Number sum = {&tally};
        for (std::size_t c = 0; c < n; ++c) sum = sum + in.load(r * n + c) * b.load(c);
        out.store(r, sum);
    }
    for (std::size_t i = 0; kernel == Kernel::matmul && i < n * n; ++i) {
        Number sum = {&tally};
        for (std::size_t k = 0; k < n; ++k) sum = sum + in.load(i / n * n + k) * b.load(k * n + i % n);
        out.store(i, sum);
    }
    constexpr std::size_t tile = kTile;
    for (std::size_t block = 0; kernel == Kernel::matmul_tiled && block < n / tile * (n / tile); ++block) {
        const std::size_t top = block / (n / tile) * tile, left = block % (n / tile) * tile;
        for (std::size_t first = 0; first < n; first += tile)
            for (std::size_t t = 0; t < tile * tile; ++t) {
                const Number one = in.load((top + t / tile) * n + first + t % tile);
                const Number other = b.load((first + t / tile) * n + left + t % tile);
                for (std::size_t k = 0; k < tile; ++k) (void)(one + one * other);  // from a shared tile
            }
        for (std::size_t t = 0; t < tile * tile; ++t)
            out.store((top + t / tile) * n + left + t % tile, {&tally});
    }
    return tally;
}

}  // namespace roofline_test
