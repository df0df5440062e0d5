// Demo of 21_attention: softmax, attention and decoding by every version. Runs the solutions themselves.
//
// Build: cmake --build --preset demo -t demo.21_attention
//        or: nvcc -std=c++17 -O3 -arch=sm_90a -Icommon -Itests lectures/21_attention/demo.cu
//            solutions/21_attention/*.cu common/roofs.cu common/demo/*.cu -o demo
// Run:   build/course/demo/21_attention [--help]
//
//   softmax  v1 a warp per row, v2 one pass and a block per row
//   prefill  v3 three kernels, v4 one kernel: all tokens of a sequence
//   lengths  tokens per second of v3, v4 and v4 with a causal mask, for sequences of 512 to 16384 tokens
//   tensor   two kernels for tensor cores, in bfloat16 with a causal mask: mma.sync, wgmma
//   decode   v5: one token for 1 to 256 sequences
//   graphs   steps of a model with 12 layers: kernel by kernel, or as a graph
//   padding  batches of changing sizes: launches, a new instance each, exact sizes, padded sizes, the largest size
//   loop     the host reads after each token whether the loop continues, or a WHILE node decides
//
// On the CPU executor all parts except `lengths` run with small sizes, and count instead of measuring times.

#include <cmath>
#include <string>
#include <vector>

#include "21_attention/21_attention.hpp"
#include "decoding.hpp"
#include "demo.hpp"
#include "kit.cuh"
#include "roofs.hpp"
#include "tensor_cores.cuh"

namespace {

using attention::Shape;
using kit::demo::Demo;
using kit::demo::Work;

/// Numbers from -1 to 1 that look random.
std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
    std::vector<float> all(count);
    std::uint32_t state = seed;
    for (float& one : all) {
        state = state * 1664525u + 1013904223u;
        one = static_cast<float>(state >> 8) / 8388608.0f - 1;
    }
    return all;
}

// ---- softmax ----

void softmax(Demo& demo) {
    if (!demo.part("softmax")) return;
    const int columns = static_cast<int>(demo.n());
#ifdef KIT_CPU
    const int rows = 16;
#else
    const int rows = 1 << 14;
#endif
    const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    const std::vector<float> inputs = numbers(count, 1);
    kit::DeviceBuffer<float> in(inputs), out(count);
    const auto is_right = [&](long long) {
        const std::vector<float> got = out.to_vector();
        const std::size_t width = static_cast<std::size_t>(columns), first = count - width;
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) sum += std::exp(double(inputs[first + i]));
        for (std::size_t i = 0; i < width; ++i)
            if (!(std::fabs(got[first + i] * sum - std::exp(double(inputs[first + i]))) < 1e-3)) return false;
        out.clear();
        return true;
    };
    Work work;
    work.n = columns;
    work.bytes = 2.0 * sizeof(float) * static_cast<double>(count);
    demo.ladder(
        "softmax", "the softmax of rows with this number of inputs", work,
        {{"v1", "a warp per row", "Three passes: maximum, sum, weights.",
          [&](long long) { attention::softmax(in.data(), out.data(), rows, columns); }, is_right},
         {"v2", "one pass, then the weights", "A thread updates a maximum and a sum; states are merged.",
          [&](long long) { attention::online_softmax(in.data(), out.data(), rows, columns); }, is_right}});
}

// ---- prefill ----

/// One attention with random values. The weights of v3 have memory only with `has_weights`.
struct Prefill {
    Prefill(int heads, int length, int size, bool has_weights)
        : shape({1, heads, length, length, size}),
          host_q(numbers(elements(), 2)),
          host_k(numbers(elements(), 3)),
          host_v(numbers(elements(), 4)),
          q(host_q),
          k(host_k),
          v(host_v),
          out(elements()),
          weights(has_weights ? score_count() : 1),
          lengths(std::vector<int>{length}) {}

    std::size_t elements() const {
        return static_cast<std::size_t>(shape.heads) * static_cast<std::size_t>(shape.keys) *
               static_cast<std::size_t>(shape.size);
    }
    std::size_t score_count() const {
        return static_cast<std::size_t>(shape.heads) * static_cast<std::size_t>(shape.queries) *
               static_cast<std::size_t>(shape.keys);
    }
    /// Bytes of q, k, v and the outputs, which must move at least once.
    double bytes() const { return 4.0 * sizeof(float) * static_cast<double>(elements()); }
    /// Operations of the two products. A causal mask hides about half of them.
    double flops(bool causal) const {
        return (causal ? 2.0 : 4.0) * static_cast<double>(score_count()) * shape.size;
    }

    void three_kernels() {
        attention::attention(shape, q.data(), k.data(), v.data(), weights.data(), out.data());
    }
    void fused(bool causal) {
        attention::fused_attention(shape, lengths.data(), causal ? attention::kCausal : attention::kNoMask,
                                   q.data(), k.data(), v.data(), out.data());
    }

    /// Returns whether the outputs of some queries are right, which the host computes again, and clears them.
    bool is_right(bool causal) {
        const std::vector<float> got = out.to_vector();
        bool right = true;
        for (int s = 0; s < 8; ++s) {
            const int head = s * 5 % shape.heads, query = s * 7919 % shape.queries;
            const int keys = causal ? query + 1 : shape.keys;
            std::vector<double> weights(static_cast<std::size_t>(keys));
            double sum = 0;
            for (int key = 0; key < keys; ++key) {
                double score = 0;
                for (int d = 0; d < shape.size; ++d)
                    score += at(host_q, head, query, d) * at(host_k, head, key, d);
                sum += weights[static_cast<std::size_t>(key)] =
                    std::exp(score / std::sqrt(double(shape.size)));
            }
            for (const int d : {0, shape.size - 1}) {
                double output = 0;
                for (int key = 0; key < keys; ++key)
                    output += weights[static_cast<std::size_t>(key)] * at(host_v, head, key, d);
                right = right && std::fabs(output / sum - at(got, head, query, d)) < 1e-3;
            }
        }
        out.clear();
        return right;
    }

    Shape shape;
    std::vector<float> host_q, host_k, host_v;
    kit::DeviceBuffer<float> q, k, v, out, weights;
    kit::DeviceBuffer<int> lengths;

  private:
    double at(const std::vector<float>& all, int head, int row, int d) const {
        return all[(static_cast<std::size_t>(head) * static_cast<std::size_t>(shape.keys) +
                    static_cast<std::size_t>(row)) *
                       static_cast<std::size_t>(shape.size) +
                   static_cast<std::size_t>(d)];
    }
};

void prefill(Demo& demo) {
    if (!demo.part("prefill")) return;
#ifdef KIT_CPU
    const int heads = 1, size = 32;
#else
    const int heads = 16, size = 128;
#endif
    Prefill all(heads, static_cast<int>(demo.n()), size, true);
    Work work;
    work.n = demo.n();
    work.bytes = all.bytes();
    work.flops = all.flops(false);
    work.repetitions = 7;
    demo.ladder("prefill", "attention of a sequence with this number of tokens", work,
                {{"v3", "three kernels", "Scores, their softmax and the sums, with a matrix in between.",
                  [&](long long) { all.three_kernels(); }, [&](long long) { return all.is_right(false); }},
                 {"v4", "one kernel", "Scores stay in registers; maximum and sum are updated per tile.",
                  [&](long long) { all.fused(false); }, [&](long long) { return all.is_right(false); }},
                 {"v4c", "one kernel, causal", "Tiles after the last query of a block are skipped.",
                  [&](long long) { all.fused(true); }, [&](long long) { return all.is_right(true); }}});
}

#ifndef KIT_CPU

/// Tokens per second for several lengths. A column of v3 is 0 if its matrix of scores has 2^31 elements or more.
void lengths(Demo& demo) {
    if (!demo.part("lengths")) return;
    constexpr int heads = 16, size = 128;
    demo.table("lengths", "16 heads of size 128: tokens per ms, and MB of scores", {"tokens", 8},
               {{"scores_mb"}, {"three_kernels", 1}, {"fused", 1}, {"fused_causal", 1}, {"of_fp32", 3}});
    const double peak = kit::roofs().fp32_tflop_per_s;
    for (const int length : {512, 1024, 2048, 4096, 8192, 16384}) {
        const bool fits = 16.0 * length * length < 2147483648.0;
        Prefill all(heads, length, size, fits);
        kit::TimeOptions options;
        options.repetitions = demo.repetitions(5);
        const auto tokens_per_ms = [&](bool causal, const auto& run) {
            const double ms = kit::time(run, 0, options).median_ms;
            CUDA_CHECK_LAUNCH();
            if (!all.is_right(causal)) demo.say("wrong result for %d tokens", length);
            return length / ms;
        };
        const double three = fits ? tokens_per_ms(false, [&] { all.three_kernels(); }) : 0;
        const double fused = tokens_per_ms(false, [&] { all.fused(false); });
        const double causal = tokens_per_ms(true, [&] { all.fused(true); });
        const double tflop_per_s = all.flops(false) * fused / length * 1e-9;
        demo.row("n" + std::to_string(length), std::to_string(length),
                 {4e-6 * static_cast<double>(all.score_count()), three, fused, causal,
                  peak > 0 ? tflop_per_s / peak : 0});
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    Demo demo({"21_attention",
               "softmax, attention and decoding, by every version",
               4096,
               128,
               8192,
               {},
               {"softmax", "prefill",
#ifndef KIT_CPU
                "lengths",
#endif
                "tensor", "decode", "graphs", "padding", "loop"}},
              argc, argv);
    softmax(demo);
    prefill(demo);
#ifndef KIT_CPU
    lengths(demo);
#endif
    tensor(demo);
    decoding::show(demo);
    return demo.finish();
}
