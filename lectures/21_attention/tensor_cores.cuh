// The part `tensor` of the demo: fused attention on tensor cores. pytorch_attention.py measures PyTorch with the same sizes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "demo.hpp"
#include "flash.cuh"
#include "kit.cuh"
#ifndef KIT_CPU
#include "flash_hopper.cuh"
#endif

namespace {

/// Q, K and V with random numbers, and room for the result. The number of rows is constant, so fewer heads have more rows.
class BfloatHeads {
  public:
    explicit BfloatHeads(int rows)
        : rows_(rows),
          host_{numbers(2), numbers(3), numbers(4)},
          q_(host_[0]),
          k_(host_[1]),
          v_(host_[2]),
          out_(host_[0].size()) {}

    template <class Attention>
    void run(Attention* attention, const flash::Sizes& sizes) {
        attention(sizes, q_.data(), k_.data(), v_.data(), out_.data());
    }

    /// Returns whether some rows of the result are right, which the host computes again, and clears the result.
    bool is_right(const flash::Sizes& sizes) {
        const std::vector<flash::Bfloat16> got = out_.to_vector();
        bool right = true;
        for (int s = 0; s < 8; ++s) {
            const int first = s * 5 % sizes.heads * sizes.length, row = (s * 7919 + 1000) % sizes.length;
            const int keys = sizes.causal ? row + 1 : sizes.length, column = s * 37 % flash::kHead;
            double sum = 0, output = 0;
            for (int key = 0; key < keys; ++key) {
                double score = 0;
                for (int d = 0; d < flash::kHead; ++d)
                    score += at(host_[0], first + row, d) * at(host_[1], first + key, d);
                const double weight = std::exp(score / std::sqrt(double(flash::kHead)));
                sum += weight, output += weight * at(host_[2], first + key, column);
            }
            right = right && std::fabs(output / sum - at(got, first + row, column)) < 0.02;
        }
        out_.clear();
        return right;
    }

  private:
    std::vector<flash::Bfloat16> numbers(std::uint32_t state) const {
        std::vector<flash::Bfloat16> all(static_cast<std::size_t>(rows_) * flash::kHead);
        for (flash::Bfloat16& one : all) {
            state = state * 1664525u + 1013904223u;
            one = flash::Bfloat16(static_cast<float>(state >> 8) / 4194304.0f - 2);  // -2 to 2
        }
        return all;
    }
    static double at(const std::vector<flash::Bfloat16>& all, int row, int column) {
        return static_cast<float>(
            all[static_cast<std::size_t>(row) * flash::kHead + static_cast<std::size_t>(column)]);
    }

    int rows_;
    std::vector<flash::Bfloat16> host_[3];
    kit::DeviceBuffer<flash::Bfloat16> q_, k_, v_, out_;
};

#ifdef KIT_CPU

void tensor(kit::demo::Demo& demo) {
    if (!demo.part("tensor")) return;
    const flash::Sizes sizes = {1, static_cast<int>(demo.n()), true};
    BfloatHeads all(sizes.length);
    kit::demo::Work work;
    work.n = demo.n();
    demo.ladder("tensor", "bfloat16, causal, one head of size 128 with this number of tokens", work,
                {{"mma", "mma.sync", "Tensor cores; scores, weights and sums stay in registers.",
                  [&](long long) { all.run(flash::attention_mma, sizes); },
                  [&](long long) { return all.is_right(sizes); }}});
}

#else

/// TFLOP/s for several lengths. A causal mask hides half of the work. The column of wgmma is 0 without wgmma.
void tensor(kit::demo::Demo& demo) {
    if (!demo.part("tensor")) return;
    constexpr int rows = 16 * 16384;
    BfloatHeads all(rows);
    demo.table("tensor", "bfloat16, causal, heads of size 128: us, and TFLOP/s", {"tokens", 8},
               {{"heads"}, {"mma_us", 1}, {"wgmma_us", 1}, {"mma", 1}, {"wgmma", 1}});
    for (const int length : {1024, 2048, 4096, 8192, 16384}) {
        const flash::Sizes sizes = {rows / length, length, true};
        kit::TimeOptions options;
        options.repetitions = demo.repetitions(21);
        const auto us = [&](auto* attention) {
            const double us = 1000 * kit::time([&] { all.run(attention, sizes); }, 0, options).median_ms;
            CUDA_CHECK_LAUNCH();
            if (!all.is_right(sizes)) demo.say("wrong result for %d tokens", length);
            return us;
        };
        const double mma = us(flash::attention_mma),
                     wgmma = flash::has_wgmma() ? us(flash::attention_wgmma) : 0;
        const double tflop = 2.0 * flash::kHead * rows * length * 1e-6;
        demo.row("n" + std::to_string(length), std::to_string(length),
                 {sizes.heads, mma, wgmma, tflop / mma, wgmma > 0 ? tflop / wgmma : 0});
    }
}

#endif

}  // namespace
