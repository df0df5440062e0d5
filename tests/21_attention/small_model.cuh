// Given to decode_graph and decode_loop: a language model with one layer, which a warp computes for one token of one sequence.
#pragma once

#include "21_attention/21_attention.hpp"
#include "kit.cuh"

namespace attention {

/// Factor of the scores: 1 / sqrt(kHidden).
constexpr float kScaleOfScores = 0.17677669f;

/// Returns this lane's element of the product of a vector, of which lane j has element j, and a kHidden x kHidden matrix.
__device__ inline float times(float element, const float* matrix) {
    const int lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = 0; j < kHidden; ++j)
        sum += __shfl_sync(0xffffffffu, element, j) * matrix[j * kHidden + lane];
    return sum;
}

/// Returns the sum over the lanes of a warp to each of them.
__device__ inline float sum_of_warp(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// Stores the key and the value of a token in the slot, after its last token.
__device__ inline void append_token(const Model& model, const Slots& slots, int slot, int token) {
    const int lane = threadIdx.x % 32;
    const float x = model.embedding[token * kHidden + lane];
    const int at = (slot * slots.capacity + slots.lengths[slot]) * kHidden + lane;
    slots.keys[at] = times(x, model.key);
    slots.values[at] = times(x, model.value);
}

/// Returns this lane's element of the hidden vector of a token, which is the last one that append_token() has stored in the slot.
__device__ inline float attend_token(const Model& model, const Slots& slots, int slot, int token) {
    const int lane = threadIdx.x % 32, count = slots.lengths[slot] + 1;
    const float x = model.embedding[token * kHidden + lane];
    const float query = times(x, model.query) * kScaleOfScores;
    float maximum = -INFINITY, sum = 0, weighted = 0;
    for (int t = 0; t < count; ++t) {
        const int at = (slot * slots.capacity + t) * kHidden + lane;
        const float score = sum_of_warp(query * slots.keys[at]);
        const float larger = fmaxf(maximum, score);
        const float rescale = expf(maximum - larger), weight = expf(score - larger);
        sum = sum * rescale + weight;
        weighted = weighted * rescale + weight * slots.values[at];
        maximum = larger;
    }
    return x + times(weighted / sum, model.mix);
}

/// Returns the logit of token `lane`: the larger it is, the more probable is this token as the next one.
__device__ inline float logit_of_lane(const Model& model, float hidden) {
    return times(hidden, model.output);
}

}  // namespace attention
