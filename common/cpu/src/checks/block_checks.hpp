// What the checks keep for a resident block.
#pragma once

#include "arrivals.hpp"
#include "copy_clocks.hpp"
#include "happens_before.hpp"
#include "run/block.hpp"
#include "shadow.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {

struct BlockChecks : Notes {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes)
        : shared(shared_begin, shared_bytes, shared_bytes / 4) {}  // small enough to leave all words unpacked
    BlockClocks clocks;
    BlockBarriers barriers;
    CopyClocks copies;
    UndefinedValues undefined;
    ShadowRegion shared;
    /// A put, the number of its records, and its begin as its thread's access.
    struct PutUnderWay {
        std::uint64_t number;
        std::uint32_t name;
        Record begun;
    };
    std::vector<PutUnderWay> puts;
    std::vector<std::uint32_t> signals;  ///< sent so far, by rank
    std::uint32_t name_of_signals = 0;   ///< the number of their records
    Owner owner = 0;                     ///< number of the block that has this memory now
    bool has_visitors = false;           ///< other blocks of the cluster have used the shared memory
};

inline BlockChecks& checks_of(const Block& block) {
    return static_cast<BlockChecks&>(*block.notes);
}

}  // namespace kit::cpu
