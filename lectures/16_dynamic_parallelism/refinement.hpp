// Refinement for comparison with the solution: the expected result, computed by one thread of the host, and a kernel for one
// level.
#pragma once

#include <cstdlib>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"

namespace contest {

/// Refines one level like nested::refine_v1. It is in this file so that the compiler treats both in the same way: a call of a
/// function in a different file costs more than the work here. The host decides whether there is a next level.
__global__ void refine_level(const int* heights, int limit, nested::Refinement work, const nested::Piece* now,
                             int count, nested::Piece* next) {
    const int i = blockIdx.x * nested::kBlock + threadIdx.x;
    if (i >= count) return;
    nested::Piece piece = now[i];
    const int middle = piece.first + (piece.last - piece.first) / 2;
    const long long bend = 0LL + heights[piece.first] - 2LL * heights[middle] + heights[piece.last];
    if (middle != piece.first && llabs(bend) > limit) {
        const int place = atomicAdd(&work.state->next_count, 2);
        if (place + 2 <= work.capacity) {
            next[place] = {piece.first, middle};
            next[place + 1] = {middle, piece.last};
            return;
        }
        atomicExch(&work.state->overflow, 1);
    }
    const int place = atomicAdd(&work.state->done_count, 1);
    if (place < work.capacity)
        work.done[place] = piece;
    else
        atomicExch(&work.state->overflow, 1);
}

/// Returns the last samples of the pieces, from left to right, as one thread finds them.
inline std::vector<int> ends_of_pieces(const std::vector<int>& heights, int limit) {
    std::vector<int> ends;
    std::vector<nested::Piece> open = {{0, static_cast<int>(heights.size()) - 1}};
    const auto height = [&](int i) { return static_cast<long long>(heights[static_cast<std::size_t>(i)]); };
    while (!open.empty()) {
        const nested::Piece piece = open.back();
        open.pop_back();
        const int middle = piece.first + (piece.last - piece.first) / 2;
        const long long bend = height(piece.first) - 2 * height(middle) + height(piece.last);
        if (middle == piece.first || std::llabs(bend) <= limit) {
            ends.push_back(piece.last);
            continue;
        }
        open.push_back({middle, piece.last});
        open.push_back({piece.first, middle});
    }
    return ends;
}

}  // namespace contest
