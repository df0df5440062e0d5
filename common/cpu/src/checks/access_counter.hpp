// Counts loads, stores, and atomic updates of one address, for Counters (kit_cpu/executor.hpp).
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

    /// Counts an access. `update_begins`: the access is the first one of an atomic update, which counts only
    /// once.
    void access(Counters& counters, const Target& target, const Access& access, bool update_begins);

    /// Counts a load or store of shared or device memory.
    static void plain_access(Counters& counters, bool shared, unsigned bytes, bool write) {
        if (shared) {
            ++(write ? counters.shared_stores : counters.shared_loads);
        } else {
            ++(write ? counters.global_stores : counters.global_loads);
            (write ? counters.global_bytes_stored : counters.global_bytes_loaded) += bytes;
        }
    }

  private:
    /// The atomic updates of the running kernel at one address.
    struct Updates {
        std::uint64_t count = 0;
        std::uint64_t holder = 0;  ///< block that owns the shared memory; a later block may reuse the address
    };
    ByAddress<Updates> updates_;
};

}  // namespace kit::cpu
