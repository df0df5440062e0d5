// What `refine` must find, by one thread of the host.
#pragma once

#include <cstdlib>
#include <vector>

#include "16_dynamic_parallelism/16_dynamic_parallelism.hpp"

namespace contest {

/// The last samples of the pieces, from left to right, as one thread would find them.
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
