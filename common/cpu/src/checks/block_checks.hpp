// What the checks keep for a resident block.
#pragma once

#include "arrivals.hpp"
#include "copy_clocks.hpp"
#include "happens_before.hpp"
#include "run/block.hpp"
#include "shadow.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {

/// The puts of a block. Their records have names of their own: one for all that its threads write by puts, with their epoch as
/// clock, one for what these still read, one for its signals, and one for each payload that comes with a signal.
struct Puts {
    struct Payload {
        std::uint32_t name;
        Record begun;  ///< as its thread's access
    };
    std::uint32_t epoch = 1;   ///< counts fences and waits
    std::vector<Record> last;  ///< the last put of each thread, as its access
    std::vector<Payload> payloads;
    std::vector<std::uint32_t> signals;  ///< sent so far, by rank
    std::uint64_t number = 0;            ///< of the last put with a signal
    std::uint32_t name_of_written = 0, name_of_read = 0, name_of_payload = 0, name_of_signals = 0;
};

struct BlockChecks : Notes {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes)
        : shared(shared_begin, shared_bytes, shared_bytes / 4) {}  // small enough to leave all words unpacked
    BlockClocks clocks;
    BlockBarriers barriers;
    CopyClocks copies;
    UndefinedValues undefined;
    ShadowRegion shared;
    Puts puts;
    Owner owner = 0;            ///< number of the block that has this memory now
    bool has_visitors = false;  ///< other blocks of the cluster have used the shared memory
};

inline BlockChecks& checks_of(const Block& block) {
    return static_cast<BlockChecks&>(*block.notes);
}

}  // namespace kit::cpu
