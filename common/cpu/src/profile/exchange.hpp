// What the lanes of a warp exchange when they meet: which lane reads from which in a shuffle, and which lanes
// vote yes.
#pragma once

#include <array>
#include <cstdint>

namespace kit::cpu {

struct BarrierStep;

/// By lane: the lane from which it reads in a shuffle; -1 if it takes part in no shuffle.
using ShuffleSources = std::array<std::int8_t, 32>;
ShuffleSources no_sources();

struct Exchange {
    enum class Kind {
        none,     ///< the lanes only wait for each other, as in __syncwarp()
        shuffle,  ///< each lane reads a value of one lane
        vote,     ///< each lane passes a predicate
        other     ///< a match, or an operation on the values of all lanes
    };
    Kind kind = Kind::none;
    const char* what = "";     ///< name of the function, such as "__shfl_down_sync()"
    ShuffleSources sources{};  ///< sources of a shuffle
    std::uint32_t yes = 0;     ///< lanes that vote yes
};

/// Returns what a complete meeting of a warp exchanges. `sources` has the lanes of a shuffle.
Exchange exchange_of(const BarrierStep& step, const ShuffleSources& sources);

}  // namespace kit::cpu
