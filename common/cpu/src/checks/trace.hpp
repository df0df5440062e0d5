// Records the accesses of one thread in order, for tests of how a kernel works.
#pragma once

#include <cstdint>
#include <kit_cpu/executor.hpp>
#include <vector>

#include "run/block.hpp"
#include "target.hpp"

namespace kit::cpu {

struct Trace {
    static constexpr std::size_t most = 1 << 20;  ///< maximum number of accesses, for a thread that polls
                                                  ///< forever

    static inline bool on = false;
    std::uint64_t block = 0;
    unsigned rank = 0;
    std::vector<TracedAccess> seen;

    void access(const Block& running, const Target& target, const Access& access) {
        if (!on || target.is_shared() || running.linear_index() != block || running.rank() != rank) return;
        if (seen.size() == most) return;
        seen.push_back({access.address, access.bytes, access.write, access.atomic,
                        access.atomic && access.write && access.read});
    }
    void notified(const Block& running, const char* address) {
        if (on && running.linear_index() == block && running.rank() == rank)
            seen.push_back({address, 0, false, true, false});
    }
};
Trace& trace();

}  // namespace kit::cpu
