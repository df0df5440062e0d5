// The data that the checks store for a resident block.
#pragma once

#include "arrivals.hpp"
#include "copy_clocks.hpp"
#include "fragment_stores.hpp"
#include "happens_before.hpp"
#include "run/block.hpp"
#include "shadow.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {

/// The puts of a block. The records of puts use separate block numbers: one for the bytes that puts write,
/// one for the bytes that puts still read, one for signals, and one for each payload that is sent together
/// with a signal.
struct Puts {
    struct Payload {
        std::uint32_t number;
        Record begun;  ///< record of the start of a put, as an access by its thread
    };
    std::uint32_t clock = 1;   ///< number of fences and waits so far
    std::vector<Record> last;  ///< for each thread, the record of its last put's start
    std::vector<Payload> payloads;
    std::vector<std::uint32_t> signals;  ///< number of signals that each thread has sent, by rank
    std::uint64_t number = 0;            ///< number of the last put with a signal
    std::uint32_t number_of_written = 0, number_of_read = 0, number_of_payload = 0, number_of_signals = 0;
};

struct BlockChecks : Notes {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes)
        // Shared memory is small, so the byte cells of all words can stay unpacked.
        : shared(shared_begin, shared_bytes, shared_bytes / 4) {}
    BlockClocks clocks;
    BlockBarriers barriers;
    CopyClocks copies;
    UndefinedValues undefined;
    FragmentStores fragments;
    ShadowRegion shared;
    Puts puts;
    WorkId shared_id = 0;          ///< number of the block that currently uses this shared memory
    bool used_by_cluster = false;  ///< whether other blocks of the cluster have used the shared memory
};

inline BlockChecks& checks_of(const Block& block) {
    return static_cast<BlockChecks&>(*block.notes);
}

}  // namespace kit::cpu
