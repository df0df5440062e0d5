// Loads, stores, and how many atomics meet at one address, for Counters.
#pragma once

#include <cstdint>
#include <kit_cpu/executor.hpp>

#include "by_address.hpp"
#include "events.hpp"
#include "target.hpp"

namespace kit::cpu {

class AccessCounter {
  public:
    void kernel_begins() { updates_.clear(); }

    /// `update_begins`: of an atomic update this is the first access. Only that one counts.
    void access(Counters& counters, const Target& target, const Access& access, bool update_begins);

    /// A load or store of shared or device memory.
    static void plain_access(Counters& counters, bool shared, unsigned bytes, bool write) {
        if (shared) {
            ++(write ? counters.shared_stores : counters.shared_loads);
        } else {
            ++(write ? counters.global_stores : counters.global_loads);
            (write ? counters.global_bytes_stored : counters.global_bytes_loaded) += bytes;
        }
    }

  private:
    /// Updates by atomics of the kernel at hand at one address.
    struct Updates {
        std::uint64_t count = 0;
        std::uint64_t holder = 0;  ///< whose shared memory this is, as the next block's may lie there, too
    };
    ByAddress<Updates> updates_;
};

}  // namespace kit::cpu
