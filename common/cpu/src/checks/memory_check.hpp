// Checks whether an address is in memory that the running thread may access.
#pragma once

#include <array>
#include <cstdint>

#include "block_checks.hpp"
#include "memory/buffers.hpp"
#include "run/worker.hpp"
#include "shadow_map.hpp"
#include "source/symbols.hpp"
#include "target.hpp"

namespace kit::cpu {

class MemoryCheck {
  public:
    explicit MemoryCheck(ShadowMap& shadows) : shadows_(shadows) {}

    /// Returns the memory that the running thread accesses, or what is wrong with the access.
    Target find(const Worker& worker, const Access& access);

    /// Handles the common cases of find(): shared memory of the block, and recently used pieces of device
    /// memory. Returns false in other cases.
    [[gnu::always_inline]] bool find_common(Block& block, const char* address, unsigned bytes, bool natural,
                                            Target& target) {
        if (natural && reinterpret_cast<std::uintptr_t>(address) & (bytes - 1)) return false;
        BlockChecks& checks = checks_of(block);
        if (checks.shared.holds(address)) {
            if (!block.shared().owns(address, bytes)) return false;
            target.memory = Target::Memory::shared;
            target.region = &checks.shared;
            target.holder = &block;
            return true;
        }
        for (const MemoryPiece& piece : recent_) {
            if (!piece.holds(address, bytes)) continue;
            target.memory = Target::Memory::device;
            target.region = shadows_.device();
            return true;
        }
        return false;
    }

    /// Returns the alignment in bytes that the access needs. The compiler's hooks do not distinguish a struct
    /// of two doubles from a float4, but the recorded layout of the memory does.
    static unsigned alignment(const Access& access, const Target& target);

    /// Returns a finding with the facts about a fault.
    static Finding describe(const Worker& worker, const Access& access, const Target& target, Place place);

    /// Removes the recently used pieces, because their memory may have been freed.
    void forget_pieces() { recent_ = {}; }

  private:
    Target find_any(const Worker& worker, const Access& access);
    Target in_device(int device, const Access& access);
    Target in_program(const Access& access);
    Target elsewhere(const Worker& worker, const Access& access);

    ShadowMap& shadows_;
    std::array<MemoryPiece, 4> recent_;  ///< the pieces of device memory that were accessed most recently
    unsigned next_recent_ = 0;           ///< index of the piece that is replaced next
    VariableRange recent_variable_;      ///< the global variable that was accessed most recently
    bool recent_is_constant_ = false;
};

}  // namespace kit::cpu
