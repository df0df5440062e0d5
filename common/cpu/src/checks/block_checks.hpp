// The data that the checks keep for a resident block.
#pragma once

#include "arrivals.hpp"
#include "copy_clocks.hpp"
#include "happens_before.hpp"
#include "run/block.hpp"
#include "shadow.hpp"
#include "undefined_lanes.hpp"

namespace kit::cpu {

/// The puts of a block. Their records have their own block numbers: one for everything that its threads write by puts, one for everything
/// that these puts still read, one for its signals, and one for each payload that comes with a signal.
struct Puts {
    struct Payload {
        std::uint32_t number;
        Record begun;  ///< start of the put, as an access of its thread
    };
    std::uint32_t clock = 1;   ///< number of fences and waits
    std::vector<Record> last;  ///< the start of each thread's last put, as an access of the thread
    std::vector<Payload> payloads;
    std::vector<std::uint32_t> signals;  ///< number of signals sent, by rank
    std::uint64_t number = 0;            ///< number of the last put with a signal
    std::uint32_t number_of_written = 0, number_of_read = 0, number_of_payload = 0, number_of_signals = 0;
};

struct BlockChecks : Notes {
    BlockChecks(const char* shared_begin, std::size_t shared_bytes)
        : shared(shared_begin, shared_bytes, shared_bytes / 4) {}  // small enough to keep all words unpacked
    BlockClocks clocks;
    BlockBarriers barriers;
    CopyClocks copies;
    UndefinedValues undefined;
    ShadowRegion shared;
    Puts puts;
    WorkId shared_id = 0;          ///< number of the block that currently uses this shared memory
    bool used_by_cluster = false;  ///< other blocks of the cluster have used the shared memory
};

inline BlockChecks& checks_of(const Block& block) {
    return static_cast<BlockChecks&>(*block.notes);
}

}  // namespace kit::cpu
