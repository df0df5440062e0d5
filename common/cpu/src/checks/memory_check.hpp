// Is the address in a piece of memory that this thread may use?
#pragma once

#include "memory/buffers.hpp"
#include "run/worker.hpp"
#include "shadow_map.hpp"
#include "source/symbols.hpp"
#include "target.hpp"

namespace kit::cpu {

class MemoryCheck {
  public:
    explicit MemoryCheck(ShadowMap& shadows) : shadows_(shadows) {}

    /// Where the access of the running thread goes, or what is wrong with that.
    Target find(const Worker& worker, const Access& access);

    /// To how many bytes it must be aligned. The compiler's hooks do not tell a struct of two doubles from a float4: what the memory is
    /// made of does, where it is known.
    static unsigned alignment(const Access& access, const Target& target);

    /// What is known of a fault.
    static Finding describe(const Worker& worker, const Access& access, const Target& target, Place place);

    /// The pieces may be other ones now.
    void forget_pieces() { recent_ = recent_before_ = {}; }

  private:
    Target find_any(const Worker& worker, const Access& access);
    Target in_device(int device, const Access& access);
    Target in_program(const Access& access);
    Target elsewhere(const Worker& worker, const Access& access);

    ShadowMap& shadows_;
    MemoryPiece recent_, recent_before_;  ///< where accesses to device memory went: often to two in turn
    VariableRange recent_variable_;       ///< where the last access to a global variable went
    bool recent_is_constant_ = false;
};

}  // namespace kit::cpu
